#include "solver/by_vertex/vertex_limits.h"

#include <algorithm>

#include "contact/contacts.h"

namespace sinew {

template <class Real>
void VertexLimits<Real>::begin_step(const StepProblem& problem, int threads) {
  limits_ = problem.contacts ? problem.contacts->limits() : nullptr;
  if (!limits_) return;
  const std::span<const int32_t> slots = problem.contacts->surface().slots();
  slots_.assign(slots.begin(), slots.end());
  before_.resize(static_cast<size_t>(threads));
  counts_.assign(static_cast<size_t>(threads), {});
}

template <class Real>
std::span<const int32_t> VertexLimits<Real>::slots_in(int32_t first, int32_t last) const {
  const int32_t* const end = slots_.data() + slots_.size();
  const int32_t* const begin = std::lower_bound(slots_.data(), end, first);
  return {begin, std::lower_bound(begin, end, last)};
}

template <class Real>
void VertexLimits<Real>::keep(const VertexSweep<Real>& sweep, int thread, int32_t first, int32_t last) {
  const std::span<const int32_t> slots = slots_in(first, last);
  Buffer<Vec4<Real>>& before = before_[static_cast<size_t>(thread)];
  before.resize(slots.size());
  for (size_t k = 0; k < slots.size(); ++k) before[k] = sweep.x[sweep.own(slots[k])];
}

template <class Real>
void VertexLimits<Real>::apply(const VertexSweep<Real>& sweep, int thread, int32_t first, int32_t last,
                               ThreadPool* pool) {
  const std::span<const int32_t> slots = slots_in(first, last);
  const Buffer<Vec4<Real>>& before = before_[static_cast<size_t>(thread)];
  const auto limit = [&](int by, int64_t from, int64_t to) {
    LimitCounts& counts = counts_[static_cast<size_t>(by)];
    for (auto k = static_cast<size_t>(from); k < static_cast<size_t>(to); ++k) {
      Vec4<Real>& x = sweep.moved[sweep.own(slots[k])];
      const Vec4<Real>& old = before[k];
      if (x.x == old.x && x.y == old.y && x.z == old.z) continue;
      const LimitedMove<Real> move = limits_->limited<Real>(slots[k], {old.x, old.y, old.z}, {x.x, x.y, x.z});
      if (move.by == StoppedBy::none) continue;
      ++(move.by == StoppedBy::box ? counts.by_box : counts.by_plane);
      x = {move.to.x, move.to.y, move.to.z, x.w};
    }
  };
  constexpr int64_t grain = 256;
  const auto count = static_cast<int64_t>(slots.size());
  if (pool) {
    pool->parallel_for(count, grain, limit);
  } else {
    limit(thread, 0, count);
  }
}

template <class Real>
void VertexLimits<Real>::apply(const Buffer<Vec4<Real>>& from, Buffer<Vec4<Real>>& to, ThreadPool& pool) {
  const LimitCounts counts =
      limits_->limit_all<Vec4<Real>>(std::span(from.data(), from.size()), std::span(to.data(), from.size()), pool);
  counts_[0].by_box += counts.by_box;
  counts_[0].by_plane += counts.by_plane;
}

template <class Real>
LimitCounts VertexLimits<Real>::take_counts() {
  LimitCounts sum;
  for (LimitCounts& counts : counts_) {
    sum.by_box += counts.by_box;
    sum.by_plane += counts.by_plane;
    counts = {};
  }
  return sum;
}

template <class Real>
size_t VertexLimits<Real>::memory_bytes() const {
  size_t bytes = slots_.capacity() * sizeof(int32_t);
  for (const Buffer<Vec4<Real>>& b : before_) bytes += b.capacity() * sizeof(Vec4<Real>);
  return bytes;
}

template class VertexLimits<float>;
template class VertexLimits<double>;

}  // namespace sinew
