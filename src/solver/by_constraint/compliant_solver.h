// XPBD's iteration (Macklin et al. 2016), in a time step or in pseudo-time, with the constraints of the materials or
// with the roots of their energies. The solvers of the XPBD family differ only in these choices.
#pragma once

#include <cmath>

#include "solver/by_constraint/constraint_blocks.h"
#include "solver/by_constraint/constraint_residuals.h"
#include "solver/by_constraint/embedded_blocks.h"
#include "solver/by_constraint/grouped_sweep.h"
#include "solver/by_constraint/multiplier_scale.h"
#include "solver/by_constraint/pseudo_time.h"
#include "solver/by_constraint/quadratic_constraints.h"
#include "solver/solver.h"
#include "solver/sweep_order.h"
#include "solver/ties/contact_forces.h"
#include "solver/ties/tie_sweep.h"

namespace sinew {

// Whether a forward sweep takes springs, weak constraints, fibres and grabs before or after the tets.
enum class TieOrder { before_tets, after_tets };

template <class Real, ConstraintForm form = ConstraintForm::of_material>
class CompliantSolver final : public Solver {
 public:
  // Without pseudo-steps, for solvers without quasistatics.
  CompliantSolver(int lanes, int sweep_order, const ConstraintOrder& order = {})
      : CompliantSolver(lanes, sweep_order, 0, 1, TieOrder::after_tets, order) {}
  CompliantSolver(int lanes, int sweep_order, double pseudo_step, int local_iterations, TieOrder tie_order,
                  const ConstraintOrder& order = {})
      : blocks_(lanes),
        quadratic_(lanes),
        embedded_(lanes),
        order_(sweep_order),
        grouped_(order),
        time_(pseudo_step, local_iterations),
        tie_order_(tie_order) {}

  Status check(const Model& model) const override {
    if (model.grid.empty() || !grouped_.any()) return {};
    return Error{"solver.order", ": tets on a grid are projected one after the other, colour by colour",
                 "use \"colors\""};
  }
  void prepare(const Model& model, ThreadPool& pool) override {
    blocks_.prepare(model, pool, progress);
    embedded_.prepare();
    quadratic_.prepare(model, pool);
    grouped_.prepare(blocks_, quadratic_, static_cast<size_t>(model.slot_count() + blocks_.lanes()));
    prepare_off_grid(model, ties_);
    time_.prepare();
    multiplier_scale_ = multiplier_scale(model, pool);
  }

  void begin_step(const Objective& objective) override {
    const StepProblem& problem = objective.problem();
    order_.begin_step(problem.step);
    blocks_.load(problem, iterate_);
    ties_.begin_step(problem);
    // x = y for any guess: the multipliers start at 0, and only this x is consistent with them.
    time_.begin(problem, blocks_.pool());
    time_.place(iterate_);
    embedded_.begin_step(problem, blocks_.pool(), iterate_);
    contacts_.begin_step(problem, embedded_.grid_nodes());
    iterate_.multipliers.assign(multiplier_count(), 0);
    iterate_.multiplier_scale = multiplier_scale_ / std::sqrt(static_cast<double>(time_.h2()));
  }

  void iterate() override {
    if (time_.due()) {
      time_.begin_pseudo_step(iterate_);
      iterate_.multipliers.assign(multiplier_count(), 0);
      contacts_.forget();
    }
    // Before the elements: what contacts deform is not left so.
    contacts_.sweep(blocks_.pool(), iterate_.x.data(), time_.h2());
    const bool ties_first = (tie_order_ == TieOrder::before_tets) != order_.reversed();
    if (ties_first) sweep_ties();
    if (order_.reversed()) sweep_ties_on_grid();
    const auto sweep_of = [&](const ConstraintStream<Real>& stream, size_t first) {
      return ConstraintSweep<Real>{&stream, iterate_.x.data(), iterate_.multipliers.data() + first, time_.h2()};
    };
    if constexpr (form == ConstraintForm::of_material) {
      grouped_.sweep(blocks_, quadratic_, quadratic_multipliers(), time_.h2(), iterate_, sweep_of, order_);
    } else {
      const auto root_of = [&](const ConstraintStream<Real>& stream, size_t first) {
        return EnergyRootSweep<Real>{sweep_of(stream, first)};
      };
      blocks_.sweep(&ConstraintKernels<Real>::energy_root, root_of, order_);
    }
    embedded_.template sweep<ConstraintSweep>(
        blocks_.pool(), iterate_, embedded_multipliers(), time_.h2(), &ConstraintKernels<Real>::compliant_on_grid,
        [](const ConstraintSweep<Real>& sweep, size_t) { return sweep; }, order_);
    if (!order_.reversed()) sweep_ties_on_grid();
    embedded_.sweep_holds(iterate_, time_.h2());
    if (!ties_first) sweep_ties();
    settle(time_.problem().glides, iterate_.x);
    order_.end_sweep();
  }

  void follow_multipliers() override {
    SINEW_ASSERT(form == ConstraintForm::of_material);
    at_ = iterate_.x;
    time_.to_target(iterate_);
    blocks_.sweep(&ConstraintKernels<Real>::multiplier, [&](const ConstraintStream<Real>& stream, size_t first) {
      return MultiplierSweep<Real>{&stream, at_.data(), iterate_.x.data(), iterate_.multipliers.data() + first};
    });
    quadratic_.follow(at_.data(), iterate_.x.data(), quadratic_multipliers());
    ties_.follow(blocks_.pool(), at_.data(), iterate_.x.data(), tie_multipliers());
    settle(time_.problem().glides, iterate_.x);
  }

  void positions(std::span<Vec3d> x) const override { embedded_.positions(iterate_, blocks_.pool(), x); }
  IterateRef iterate_ref() override { return &iterate_; }
  std::optional<ConstraintResiduals> constraint_residuals() const override {
    if (embedded_.any()) return {};  // it has other unknowns
    return residuals_of(blocks_, ties_, contacts_, iterate_, time_, &quadratic_);
  }

  size_t memory_bytes() const override {
    return blocks_.memory_bytes() + grouped_.memory_bytes() + (iterate_.x.size() + at_.size()) * sizeof(Vec4<Real>) +
           iterate_.multipliers.size() * sizeof(Real) + time_.memory_bytes() + ties_.memory_bytes() +
           contacts_.memory_bytes() + embedded_.memory_bytes() + quadratic_.memory_bytes();
  }

 private:
  // The multipliers of linear tets, of quadratic tets and of tets on a grid, which kernels load in whole lanes; behind
  // them those of ties, and of ties on the grid.
  size_t multiplier_count() const {
    return blocks_.constraint_count() + ties_.multiplier_count() + embedded_.multiplier_count() +
           embedded_.tie_number_count() + quadratic_.multiplier_count();
  }
  Real* quadratic_multipliers() { return iterate_.multipliers.data() + blocks_.constraint_count(); }
  Real* embedded_multipliers() { return quadratic_multipliers() + quadratic_.multiplier_count(); }
  Real* tie_multipliers() { return embedded_multipliers() + embedded_.multiplier_count(); }
  void sweep_ties_on_grid() {
    Real* const multipliers = tie_multipliers() + ties_.multiplier_count();
    embedded_.sweep_ties(blocks_.pool(), order_, [&](const auto& items, const TieItem<Real>& item, size_t number) {
      tie_rule::project(items, item, iterate_.x.data(), multipliers + 3 * number, time_.h2());
    });
  }
  void sweep_ties() { ties_.sweep(blocks_.pool(), iterate_.x.data(), tie_multipliers(), time_.h2(), order_); }

  ConstraintBlocks<Real, form> blocks_;
  QuadraticConstraints<Real> quadratic_;
  EmbeddedBlocks<Real> embedded_;
  SweepOrder order_;
  GroupedSweep<Real> grouped_;
  PseudoTime<Real> time_;
  TieOrder tie_order_;
  TieSweep<Real> ties_;
  ContactForces<Real> contacts_;
  Iterate<Real> iterate_;
  double multiplier_scale_ = 1;  // times h
  Buffer<Vec4<Real>> at_;        // the positions at which follow_multipliers evaluates gradients
};

// Makes the solver in the requested precision.
template <ConstraintForm form = ConstraintForm::of_material, class... Arguments>
std::unique_ptr<Solver> make_compliant(const SolveOptions& common, Arguments... arguments) {
  if (common.precision == double_precision) return std::make_unique<CompliantSolver<double, form>>(arguments...);
  return std::make_unique<CompliantSolver<float, form>>(arguments...);
}

}  // namespace sinew
