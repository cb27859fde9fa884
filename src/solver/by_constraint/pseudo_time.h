// The start of a solve by constraint: at the inertial target y of the step, or in quasistatics at that of a pseudo-step
// from rest (Chen et al. 2023, PBNG, section 6.1),
//   y = x + p^2 f_ext/m,
// repeatedly: after some iterations the next pseudo-step starts where the last one ended. f_ext enters a constraint
// method only through its start, so it cannot balance forces without inertia, here that of a pseudo-step p [s].
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "exec/buffer.h"
#include "exec/thread_pool.h"
#include "model/iterate.h"
#include "model/step_problem.h"
#include "solver/by_constraint/pseudo_step.h"
#include "solver/sweep_solver.h"

namespace sinew {

inline constexpr std::string_view local_iterations_meaning = "quasistatics: iterations in a pseudo-step";

template <class Real>
class PseudoTime {
 public:
  // `step` in [s]; 0: chosen by the model.
  PseudoTime(double step, int iterations) : from_model_(step == 0), step_(step), iterations_(iterations) {}

  // To be called for a new model.
  void prepare() { scales_.reset(); }

  void begin(const StepProblem& problem, ThreadPool& pool) {
    problem_ = &problem;
    pool_ = &pool;
    done_ = 0;
    if (problem.quasistatic && from_model_) step_ = pseudo_step_for(scales());
  }
  // Means over the model; computed on the first request.
  const ModelScales& scales() {
    if (!scales_) scales_ = scales_of(*problem_->model, *pool_);
    return *scales_;
  }
  // Moves the iterate from x_start to its start. In quasistatics a method may start with impulses, as in each
  // pseudo-step.
  void place(Iterate<Real>& iterate, std::span<const Vec4<Real>> moves = {}) {
    target_.resize(problem_->quasistatic ? iterate.x.size() : 0);
    if (!problem_->quasistatic) return to_target(iterate);
    begin_pseudo_step(iterate, moves);
  }

  // x = y.
  void to_target(Iterate<Real>& iterate) const {
    pool_->for_each(problem_->model->slot_count(), [&](size_t s) {
      if (!problem_->held[s]) place(iterate.x[s], target(s));
    });
    settle(problem_->glides, iterate.x);
  }

  const StepProblem& problem() const { return *problem_; }

  // [s^2] The square of the step that compliances are divided by.
  Real h2() const { return static_cast<Real>(problem_->quasistatic ? step_ * step_ : problem_->h * problem_->h); }

  // To be called before each iteration: whether it begins another pseudo-step.
  bool due() { return problem_->quasistatic && done_++ > 0 && (done_ - 1) % iterations_ == 0; }

  // x = y; or x = y + w sum t, if a method continues with the impulses that it has applied to the vertices. `moves` are
  // these displacements by slot [m], summed anew each time, so that the rounding of positions does not become a force.
  void begin_pseudo_step(Iterate<Real>& iterate, std::span<const Vec4<Real>> moves = {}) {
    const Model& model = *problem_->model;
    pool_->for_each(model.slot_count(), [&](size_t s) {
      Vec4<Real>& x = iterate.x[s];
      if (problem_->held[s]) return;
      const Vec3d target = Vec3d{x.x, x.y, x.z} + (step_ * step_ / model.mass[s]) * problem_->external_force(s);
      place(target_[s], target);
      place(x, moves.empty() ? target : target + Vec3d{moves[s].x, moves[s].y, moves[s].z});
    });
    settle(problem_->glides, target_);
    settle(problem_->glides, iterate.x);
  }

  // y of a free vertex, by slot.
  Vec3d target(size_t slot) const {
    if (!problem_->quasistatic) return problem_->x_target[slot];
    return {target_[slot].x, target_[slot].y, target_[slot].z};
  }

  size_t memory_bytes() const { return target_.size() * sizeof(Vec4<Real>); }

 private:
  static void place(Vec4<Real>& x, Vec3d at) {
    x = {static_cast<Real>(at.x), static_cast<Real>(at.y), static_cast<Real>(at.z), x.w};
  }

  bool from_model_;
  double step_;
  int iterations_;
  const StepProblem* problem_ = nullptr;
  ThreadPool* pool_ = nullptr;
  Buffer<Vec4<Real>> target_;  // y of the pseudo-step
  std::optional<ModelScales> scales_;
  int64_t done_ = 0;
};

}  // namespace sinew
