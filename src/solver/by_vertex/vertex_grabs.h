// The grabs of a step, at their vertices, for a sweep by vertex (grab_kernel.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/step_problem.h"
#include "solver/by_vertex/grab_kernel.h"

namespace sinew {

// Corner: how the sweep names vertices, as of VertexTies.
template <class Corner = uint16_t>
class VertexGrabs {
 public:
  // `summed`: of each batch of `lanes` slots, whether the kernel of ties writes sums for it; or empty: nowhere.
  void begin_step(const StepProblem& problem, int lanes, bool at_once, std::span<const uint8_t> summed);
  bool empty() const { return ends_.empty(); }
  // Of each batch: whether it has a vertex of a grab, or is summed.
  const std::vector<uint8_t>& has() const { return has_; }
  // By slot, then by grab.
  std::span<const GrabEnd> ends() const { return ends_; }
  // Those of the slots [first, last).
  std::span<const GrabEnd> ends_of(int32_t first, int32_t last) const;
  // Adds to the sweep's quadratic sums of these slots, and clears before what the kernel of ties does not write.
  template <class Real>
  void add(const VertexSweep<Real>& sweep, int32_t first, int32_t last) const {
    for (const GrabEnd& end : ends_of(first, last))
      add_grab<Real>(sweep, end, problem_->grabs[static_cast<size_t>(end.grab)], lanes_);
  }
  size_t memory_bytes() const { return ends_.capacity() * sizeof(GrabEnd) + has_.capacity(); }

 private:
  const StepProblem* problem_ = nullptr;
  int lanes_ = 1;
  std::vector<GrabEnd> ends_;
  std::vector<uint8_t> has_;
};

extern template class VertexGrabs<uint16_t>;
extern template class VertexGrabs<uint32_t>;

}  // namespace sinew
