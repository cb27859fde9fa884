// Bodies on which nothing acts but their inertial targets y: no vertex is held or grabbed, and nothing binds them.
// Elastic forces are internal, with zero sum and torque, so the momentum of the solution is known in advance: sum m x =
// sum m y, and sum m x x y about the centre = 0. Moving an approximate solution rigidly to where this holds keeps its
// elastic energy and minimizes its inertial energy,
//   min over R, c of  sum m |R (x - x_c) + c - y|^2,
// which brings it nearer to the solution. The errors that a correction on a lattice leaves in these motions are small
// in the residual of a stiff body, but add up over steps to drift and spin.
//
// Damping by the rate of strain has no torque about the body's previous position, but one about its current position:
// for bodies with such damping only the sum is known, and they are only shifted.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "exec/thread_pool.h"
#include "model/step_problem.h"
#include "solver/multilevel/bodies.h"

namespace sinew {

class FreeBodies {
 public:
  void prepare(const Model& model, const Bodies& bodies);
  // Finds the bodies that are free in this step; none in an equilibrium.
  void begin_step(const StepProblem& problem);
  // Moves the free bodies in x [m], by slot.
  void balance(const StepProblem& problem, ThreadPool& pool, std::span<Vec3d> x) const;
  bool any() const { return any_; }
  size_t memory_bytes() const;

 private:
  enum class Motion : uint8_t { none, shift, in_plane, any };

  std::vector<int64_t> begin_;   // range of each body in slots_
  std::vector<int32_t> slots_;   // body by body, ascending
  std::vector<Motion> allowed_;  // for each body, as the model permits
  std::vector<uint8_t> free_;    // for each body, in this step
  bool any_ = false;
};

}  // namespace sinew
