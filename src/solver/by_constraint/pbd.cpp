#include "solver/by_constraint/pbd.h"

#include <cmath>

#include "solver/by_constraint/constraint_blocks.h"
#include "solver/solver_info.h"
#include "solver/ties/colored_ties.h"
#include "solver/ties/contact_forces.h"

namespace sinew {
namespace {

template <class Real>
class Pbd final : public Solver {
 public:
  Pbd(const PbdOptions& options, int iterations)
      : options_(options),
        iterations_(iterations),
        blocks_(options.lanes),
        order_(options.sweep_order),
        time_(options.pseudo_step, options.local_iterations) {}

  void prepare(const Model& model, ThreadPool& pool) override {
    blocks_.prepare(model, pool, progress);
    ties_.prepare(model.ties, static_cast<size_t>(model.slot_count()));
  }

  void begin_step(const Objective& objective) override {
    const StepProblem& problem = objective.problem();
    order_.begin_step(problem.step);
    blocks_.load(problem, iterate_);
    ties_.begin_step(problem);
    contacts_.begin_step(problem);
    time_.begin(problem, blocks_.pool());
    time_.place(iterate_);
    const int iterations = problem.quasistatic ? options_.local_iterations : iterations_;
    share_ = static_cast<Real>(1 - std::pow(1 - options_.stiffness, 1.0 / iterations));
  }

  void iterate() override {
    if (time_.due()) time_.begin_pseudo_step(iterate_);
    if (order_.reversed()) project_ties();
    const auto sweep_of = [&](const ConstraintStream<Real>& stream, size_t) {
      RigidSweep<Real> sweep{{&stream, iterate_.x.data(), nullptr, 0}};
      sweep.share = share_;
      return sweep;
    };
    blocks_.sweep(&ConstraintKernels<Real>::rigid, sweep_of, order_);
    if (!order_.reversed()) project_ties();
    contacts_.project(blocks_.pool(), iterate_.x.data(), share_);
    settle(time_.problem().glides, iterate_.x);
    order_.end_sweep();
  }

  void positions(std::span<Vec3d> x) const override { store_positions(iterate_, blocks_.pool(), x); }

  size_t memory_bytes() const override {
    return blocks_.memory_bytes() + iterate_.x.size() * sizeof(Vec4<Real>) + time_.memory_bytes() +
           ties_.memory_bytes() + contacts_.memory_bytes();
  }

 private:
  void project_ties() {
    const TieItems<Real> ties = ties_.view();
    const auto visit = [&](size_t, const TieItem<Real>& tie) { project(ties, tie); };
    ties_.for_each(blocks_.pool(), visit, order_);
  }
  void project(const TieItems<Real>& ties, const TieItem<Real>& tie) {
    Vec4<Real>* const x = iterate_.x.data();
    const Real w = ties.mobility(tie, x);
    if (w == 0) return;
    const Vec3<Real> c = ties.vector_of(tie, x);
    const TieLaw<Real>& law = tie.law;
    Vec3<Real> fault{};
    if (TieConstraint<Real> form; tie_constraint(law, c, Real{}, form)) {
      if (law.stiffness > 0) fault = form.value * form.gradient;
    } else {
      const Vec3<Real> along = dot(law.normal, c) * law.normal;
      if (law.stiffness > 0) fault += along;
      if (law.tangential > 0) fault += c - along;
    }
    ties.push(tie, (-share_ / w) * fault, x);
  }

  PbdOptions options_;
  int iterations_;  // per step
  ConstraintBlocks<Real> blocks_;
  SweepOrder order_;
  PseudoTime<Real> time_;
  ColoredTies<Real> ties_;
  ContactForces<Real> contacts_;
  Iterate<Real> iterate_;
  Real share_ = 1;
};

}  // namespace

std::unique_ptr<Solver> make_pbd(const SolveOptions& common, const PbdOptions& options, LinearSolverFactory) {
  if (common.precision == double_precision) return std::make_unique<Pbd<double>>(options, common.iterations);
  return std::make_unique<Pbd<float>>(options, common.iterations);
}

SolverInfo pbd_info() {
  return solver_info<PbdOptions, pbd_parameters, make_pbd>();
}

}  // namespace sinew
