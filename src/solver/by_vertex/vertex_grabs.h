// What grabs (model/grab.h) add to a vertex sweep: to a vertex of weight s the force s k' (b - C) and the stiffness
// s^2 k'. They are few, and are summed one after the other before a colour moves; the vertices of a grab share an
// element, so that no two have one colour, and those of another cluster are in the halo.
//
// If all vertices move at once, s^2 k' of each would not account for the motion of the others: then the stiffness is
// |s| sum |s_j| k', the row sum of the grab's matrix k' s s^T, which is no larger than the diagonal matrix of these.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/step_problem.h"
#include "solver/sweep.h"

namespace sinew {

template <class Real>
class VertexGrabs {
 public:
  // `summed`: of each batch of `lanes` slots, whether the kernel `ties` writes sums for it; or empty: nowhere.
  void begin_step(const StepProblem& problem, int lanes, bool at_once, std::span<const uint8_t> summed);
  bool empty() const { return ends_.empty(); }
  // Of each batch: whether it has a vertex of a grab, or is summed.
  const uint8_t* has() const { return has_.data(); }
  // Adds to the sweep's quadratic sums of one colour, and clears before what `ties` does not write.
  void add(const VertexSweep<Real>& sweep, int32_t color) const;
  size_t memory_bytes() const { return ends_.capacity() * sizeof(End) + has_.capacity(); }

 private:
  struct End {
    int32_t color, slot, grab;
    int32_t clears;            // the first slot of its batch, whose sums it clears; -1: does not
    double weight, stiffness;  // s, and what the vertex gets [N/m]
    uint16_t corners[3];       // the grab's vertices, as the cluster counts them
  };

  const StepProblem* problem_ = nullptr;
  int lanes_ = 1;
  std::vector<End> ends_;  // by colour, then by slot
  std::vector<uint8_t> has_;
};

extern template class VertexGrabs<float>;
extern template class VertexGrabs<double>;

}  // namespace sinew
