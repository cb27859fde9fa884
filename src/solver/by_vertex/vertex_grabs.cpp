#include "solver/by_vertex/vertex_grabs.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace sinew {

template <class Corner>
void VertexGrabs<Corner>::begin_step(const StepProblem& problem, int lanes, bool at_once,
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
      const double s = grab.weights[j];
      GrabEnd end{slot, static_cast<int32_t>(k), -1, s, grab.stiffness * std::abs(s) * (at_once ? size : std::abs(s)),
                  {}};
      for (int32_t i = 0; i < grab.count; ++i)
        end.corners[i] = corner_of<Corner>(model.clusters, cluster, grab.vertices[i]);
      ends_.push_back(end);
    }
  }
  std::sort(ends_.begin(), ends_.end(),
            [](const GrabEnd& a, const GrabEnd& b) { return std::tie(a.slot, a.grab) < std::tie(b.slot, b.grab); });
  for (GrabEnd& end : ends_) {
    const int32_t batch = end.slot / lanes;
    if (!has_[static_cast<size_t>(batch)]) end.clears = batch * lanes;
    has_[static_cast<size_t>(batch)] = 1;
  }
}

template <class Corner>
std::span<const GrabEnd> VertexGrabs<Corner>::ends_of(int32_t first, int32_t last) const {
  const auto from = [&](int32_t slot) {
    return std::lower_bound(ends_.begin(), ends_.end(), slot, [](const GrabEnd& e, int32_t s) { return e.slot < s; });
  };
  const auto begin = from(first), end = from(last);
  return {ends_.data() + (begin - ends_.begin()), static_cast<size_t>(end - begin)};
}

template class VertexGrabs<uint16_t>;
template class VertexGrabs<uint32_t>;

}  // namespace sinew
