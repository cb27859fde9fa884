#include "solver/by_vertex/vertex_grabs.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace sinew {

template <class Real>
void VertexGrabs<Real>::begin_step(const StepProblem& problem, int lanes, bool at_once,
                                   std::span<const uint8_t> summed) {
  const Model& model = *problem.model;
  problem_ = &problem;
  lanes_ = lanes;
  ends_.clear();
  has_.clear();
  if (problem.grabs.empty()) return;
  has_.assign(summed.begin(), summed.end());
  has_.resize(static_cast<size_t>(model.slot_count() / lanes), 0);
  for (size_t k = 0; k < problem.grabs.size(); ++k) {
    const Grab& grab = problem.grabs[k];
    double size = 0;
    for (int32_t j = 0; j < grab.count; ++j) size += std::abs(grab.weights[j]);
    for (int32_t j = 0; j < grab.count; ++j) {
      const int32_t slot = grab.vertices[j], cluster = model.clusters.cluster_of(slot);
      const auto color = std::upper_bound(model.color_begin.begin(), model.color_begin.end(), slot);
      const double s = grab.weights[j];
      End end{static_cast<int32_t>(color - model.color_begin.begin()) - 1,   slot, static_cast<int32_t>(k), -1, s,
              grab.stiffness * std::abs(s) * (at_once ? size : std::abs(s)), {}};
      for (int32_t i = 0; i < grab.count; ++i)
        end.corners[i] = static_cast<uint16_t>(model.clusters.local(cluster, grab.vertices[i]));
      ends_.push_back(end);
    }
  }
  std::sort(ends_.begin(), ends_.end(), [](const End& a, const End& b) {
    return std::tie(a.color, a.slot, a.grab) < std::tie(b.color, b.slot, b.grab);
  });
  for (End& end : ends_) {
    const int32_t batch = end.slot / lanes;
    if (!has_[static_cast<size_t>(batch)]) end.clears = batch * lanes;
    has_[static_cast<size_t>(batch)] = 1;
  }
}

// The rows of a vertex are those of tie_kernel::Sums: (f, xx), (xy, xz, yy, yz), (zz).
template <class Real>
void VertexGrabs<Real>::add(const VertexSweep<Real>& sweep, int32_t color) const {
  const auto rows_of = [&](int32_t slot) {
    return sweep.quadratic_sums + rows_of_sums * (sweep.own(slot) - sweep.first_sum);
  };
  auto end = std::lower_bound(ends_.begin(), ends_.end(), color, [](const End& e, int32_t c) { return e.color < c; });
  for (; end != ends_.end() && end->color == color; ++end) {
    if (end->clears >= 0) std::fill_n(rows_of(end->clears), rows_of_sums * lanes_, Vec4<Real>{0, 0, 0, 0});
    const Grab& grab = problem_->grabs[static_cast<size_t>(end->grab)];
    const Vec3d stretch = grab.stretch_by([&](int32_t j) {
      const Vec4<Real>& x = sweep.x[end->corners[j]];
      if (!sweep.base) return Vec3d{x.x, x.y, x.z};
      const Vec4<Real>& b = sweep.base[end->corners[j]];
      return Vec3d{x.x, x.y, x.z} + Vec3d{b.x, b.y, b.z};
    });
    const Vec3d f = (-end->weight * grab.stiffness) * stretch;
    const auto k = static_cast<Real>(end->stiffness);
    Vec4<Real>* const rows = rows_of(end->slot);
    rows[0] = {rows[0].x + static_cast<Real>(f.x), rows[0].y + static_cast<Real>(f.y),
               rows[0].z + static_cast<Real>(f.z), rows[0].w + k};
    rows[1].z += k;
    rows[2].x += k;
  }
}

template class VertexGrabs<float>;
template class VertexGrabs<double>;

}  // namespace sinew
