// Bodies that nothing outside acts on but what their inertial targets y already hold: no vertex is held, nothing binds
// them. Elastic forces are internal, with neither a sum nor a torque, so the momentum of the solution is known before
// it is: sum m x = sum m y, and sum m x x y about the centre = 0. An approximate solution, moved rigidly to where that
// holds, has the same elastic energy and the least inertial energy,
//   min over R, c of  sum m |R (x - x_c) + c - y|^2,
// and is so much nearer. What a correction on a lattice leaves in such motions is small in the residual of a stiff
// body, and adds up over steps to drift and spin.
//
// Damping by the rate of strain has no torque about where the body was, but one about where it is: of bodies that have
// it only the sum is known, and they are only shifted.
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
  // Which bodies are free in this step; none in an equilibrium.
  void begin_step(const StepProblem& problem);
  // x [m], by slot.
  void balance(const StepProblem& problem, ThreadPool& pool, std::span<Vec3d> x) const;
  bool any() const { return any_; }
  size_t memory_bytes() const;

 private:
  enum class Motion : uint8_t { none, shift, in_plane, any };

  std::vector<int64_t> begin_;   // of each body's slots
  std::vector<int32_t> slots_;   // by body, ascending
  std::vector<Motion> allowed_;  // of each body, by the model
  std::vector<uint8_t> free_;    // of each body, in this step
  bool any_ = false;
};

}  // namespace sinew
