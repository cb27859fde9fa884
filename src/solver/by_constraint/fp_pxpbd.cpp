#include "solver/by_constraint/fp_pxpbd.h"

#include <cmath>

#include "solver/by_constraint/constraint_blocks.h"
#include "solver/solver_info.h"
#include "solver/ties/contact_forces.h"
#include "solver/ties/tie_forces.h"

namespace sinew {
namespace {

template <class Real>
class FpPxpbd final : public Solver {
 public:
  explicit FpPxpbd(const FpPxpbdOptions& options)
      : options_(options), blocks_(options.lanes), order_(options.sweep_order) {}

  void prepare(const Model& model, ThreadPool& pool) override {
    pool_ = &pool;
    blocks_.prepare(model, pool, progress);
    ties_.prepare(model.ties, static_cast<size_t>(model.slot_count()));
    scales_ = scales_of(model, pool);
  }

  void begin_step(const Objective& objective) override {
    problem_ = &objective.problem();
    order_.begin_step(problem_->step);
    blocks_.load(*problem_, iterate_);
    ties_.begin_step(*problem_);
    contacts_.begin_step(*problem_);
    iterate_.multipliers.assign(blocks_.constraint_count() + ties_.size(), 0);
    start_.resize(problem_->quasistatic ? iterate_.x.size() : 0);
    if (problem_->quasistatic) return begin_pseudo_time();
    set_step_square(problem_->h * problem_->h);
    // x = y for any guess: stresses start at 0, and only this x is consistent with them.
    pool_->for_each(problem_->model->slot_count(), [&](size_t s) {
      if (problem_->held[s]) return;
      const Vec3d y = problem_->x_target[s];
      iterate_.x[s] = {static_cast<Real>(y.x), static_cast<Real>(y.y), static_cast<Real>(y.z), iterate_.x[s].w};
    });
  }

  void iterate() override {
    // Pseudo-steps between a sweep and the one back would drive the iterates apart.
    if (problem_->quasistatic && order_.begins_round()) begin_pseudo_step();
    contacts_.sweep(*pool_, iterate_.x.data(), static_cast<Real>(h2_));
    sweep();
    settle(problem_->glides, iterate_.x);
    order_.end_sweep();
  }

  void positions(std::span<Vec3d> x) const override { store_positions(iterate_, *pool_, x); }
  // Accelerators combine iterates, stresses included: g is linear in both and stays 0.
  IterateRef iterate_ref() override { return &iterate_; }

  size_t memory_bytes() const override {
    return (iterate_.x.size() + start_.size()) * sizeof(Vec4<Real>) + iterate_.multipliers.size() * sizeof(Real) +
           blocks_.memory_bytes() + ties_.memory_bytes() + contacts_.memory_bytes();
  }

 private:
  void set_step_square(double h2) {
    h2_ = h2;
    iterate_.multiplier_scale = std::sqrt(h2 * scales_.compliance);
  }

  // Runs a kernel over all tets on `x`.
  template <class Kernel>
  void sweep(const Kernel& kernel, Buffer<Vec4<Real>>& x, const SweepOrder& order) {
    const auto sweep_of = [&](const ConstraintStream<Real>& stream, size_t first) {
      return StressSweep<Real>{&stream, x.data(), iterate_.multipliers.data() + first, static_cast<Real>(h2_),
                               options_.local_iterations};
    };
    blocks_.sweep(kernel, sweep_of, order);
  }

  void sweep() {
    if (order_.reversed()) sweep_ties();
    sweep(&ConstraintKernels<Real>::stress, iterate_.x, order_);
    if (!order_.reversed()) sweep_ties();
  }
  void sweep_ties() { ties_.sweep(*pool_, iterate_.x.data(), tie_forces(), static_cast<Real>(h2_), order_); }
  // They follow the stresses of the tets.
  Real* tie_forces() { return iterate_.multipliers.data() + blocks_.constraint_count(); }

  // Starts with P = psi'(F) at the guess, or with as large a share of it as the first pseudo-step allows
  // (pseudo_step.h). A sweep only takes over these stresses if no vertex can move.
  void begin_pseudo_time() {
    const double step = options_.pseudo_step > 0 ? options_.pseudo_step : pseudo_step_for(scales_);
    set_step_square(step * step);
    for (Vec4<Real>& x : iterate_.x) x.w = 0;
    sweep();
    blocks_.load(*problem_, iterate_);
    for (size_t s = 0; s < start_.size(); ++s) start_[s] = {0, 0, 0, iterate_.x[s].w};
    add_impulses();
    const auto share = static_cast<Real>(share_to_start_with<Real>(start_, scales_, *pool_));
    if (share < 1) {
      for (Real& p : iterate_.multipliers) p *= share;
    }
  }
  // Adds the displacements by the stresses: start_ -= p^2 w sum V P g_i.
  void add_impulses() {
    sweep(&ConstraintKernels<Real>::stress_impulses, start_, SweepOrder());
    ties_.add_impulses(*pool_, start_.data(), tie_forces(), static_cast<Real>(h2_));
    contacts_.add_impulses(start_.data(), static_cast<Real>(h2_));
  }

  // Starts from rest where the last pseudo-step ended, x += p^2 w (f_ext - sum V P g_i): at the y of this one, minus
  // what the stresses already exert. The sum is computed anew each time, so that the rounding of positions does not
  // become a force.
  void begin_pseudo_step() {
    const Model& model = *problem_->model;
    pool_->for_each(static_cast<int64_t>(start_.size()), [&](size_t s) {
      start_[s] = {0, 0, 0, iterate_.x[s].w};
      if (start_[s].w == 0) return;
      const Vec3d fall = (h2_ / model.mass[s]) * problem_->external_force(s);
      start_[s] = {static_cast<Real>(fall.x), static_cast<Real>(fall.y), static_cast<Real>(fall.z), start_[s].w};
    });
    add_impulses();
    pool_->for_each(static_cast<int64_t>(start_.size()), [&](size_t s) {
      Vec4<Real>& x = iterate_.x[s];
      x = {x.x + start_[s].x, x.y + start_[s].y, x.z + start_[s].z, x.w};
    });
    settle(problem_->glides, iterate_.x);
  }

  FpPxpbdOptions options_;
  ThreadPool* pool_ = nullptr;
  const StepProblem* problem_ = nullptr;
  ConstraintBlocks<Real, ConstraintForm::stress> blocks_;
  SweepOrder order_;
  TieForces<Real> ties_;
  ContactForces<Real> contacts_;
  Iterate<Real> iterate_;     // the multipliers are the stresses [Pa], then the forces of the ties
  Buffer<Vec4<Real>> start_;  // displacement at the start of a pseudo-step
  ModelScales scales_;
  double h2_ = 0;  // [s^2]
};

}  // namespace

std::unique_ptr<Solver> make_fp_pxpbd(const SolveOptions& common, const FpPxpbdOptions& options, LinearSolverFactory) {
  return make_in_precision<FpPxpbd>(common, options);
}

SolverInfo fp_pxpbd_info() {
  return solver_info<FpPxpbdOptions, fp_pxpbd_parameters, make_fp_pxpbd>();
}

}  // namespace sinew
