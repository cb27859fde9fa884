#include "solver/by_constraint/b_pxpbd.h"

#include "solver/by_constraint/caution.h"
#include "solver/by_constraint/constraint_blocks.h"
#include "solver/by_constraint/constraint_residuals.h"
#include "solver/by_constraint/embedded_blocks.h"
#include "solver/solver_info.h"
#include "solver/ties/contact_forces.h"
#include "solver/ties/tie_forces.h"

namespace sinew {
namespace {

template <class Real>
class BPxpbd final : public Solver {
 public:
  explicit BPxpbd(const BPxpbdOptions& options)
      : options_(options),
        blocks_(options.lanes),
        embedded_(options.lanes),
        order_(options.sweep_order),
        time_(options.pseudo_step, options.local_iterations) {}

  void prepare(const Model& model, ThreadPool& pool) override {
    blocks_.prepare(model, pool, progress);
    embedded_.prepare();
    prepare_off_grid(model, ties_);
    time_.prepare();
    balanced_.resize(0);
    balanced_at_ = 0;
    any_stressed_at_rest_ = false;
    for (const ElasticBlock& block : model.blocks)
      any_stressed_at_rest_ |= traits_of(block.material.kind).stressed_at_rest();
  }

  void begin_step(const Objective& objective) override {
    const StepProblem& problem = objective.problem();
    order_.begin_step(problem.step);
    blocks_.load(problem, iterate_);
    time_.begin(problem, blocks_.pool());
    ties_.begin_step(problem);
    contacts_.begin_step(problem);
    caution_.begin_step();
    const bool in_balance = options_.zeta == 0 && !problem.quasistatic && any_stressed_at_rest_;
    if (in_balance && balanced_at_ != time_.h2()) find_balance();
    start_at_zero();
    if (problem.quasistatic) {
      embedded_.begin_step(problem, blocks_.pool(), iterate_);  // which is on no grid
      return begin_pseudo_time(problem);
    }
    if (in_balance) begin_in_balance(problem.x_prev);
    // x = y for any guess, as the impulses of a tet sum to 0.
    blocks_.load(problem, iterate_);
    time_.place(iterate_);
    embedded_.begin_step(problem, blocks_.pool(), iterate_);
    contacts_.begin_step(problem, embedded_.grid_nodes());
    start_grid_at_zero();
    if (in_balance) begin_grid_in_balance(problem);
  }

  void iterate() override {
    // Pseudo-steps between a sweep and the one back would drive the iterates apart.
    if (order_.begins_round() && time_.due()) {
      sum_impulses();
      time_.begin_pseudo_step(iterate_, moves_);
      // If each sweep starts a pseudo-step, the sweeps can be compared.
      if (options_.local_iterations > 1) caution_.forget();
    }
    const bool automatic = options_.zeta == 0;
    if (automatic) caution_.before(iterate_);
    contacts_.sweep(blocks_.pool(), iterate_.x.data(), time_.h2());
    if (order_.reversed()) sweep_ties();
    sweep_tets();
    sweep_grid();
    if (!order_.reversed()) sweep_ties();
    embedded_.sweep_holds(iterate_, time_.h2());
    settle(time_.problem().glides, iterate_.x);
    order_.end_sweep();
    if (automatic) caution_.after(iterate_, blocks_.pool());
  }

  void positions(std::span<Vec3d> x) const override { embedded_.positions(iterate_, blocks_.pool(), x); }
  std::optional<ConstraintResiduals> constraint_residuals() const override {
    if (embedded_.any()) return {};  // it has other unknowns
    return residuals_of(blocks_, ties_, contacts_, iterate_, time_);
  }

  size_t memory_bytes() const override {
    return blocks_.memory_bytes() + (iterate_.x.size() + moves_.size()) * sizeof(Vec4<Real>) + time_.memory_bytes() +
           caution_.memory_bytes() + ties_.memory_bytes() + contacts_.memory_bytes() + embedded_.memory_bytes() +
           (embedded_multipliers_.size() + embedded_impulses_.size() + grid_balanced_.size() +
            embedded_tie_forces_.size()) *
               sizeof(Real) +
           (iterate_.multipliers.size() + impulses_.size() + balanced_.size()) * sizeof(Real);
  }

 private:
  struct Start {
    int lanes, count;  // constraints per tet
    Real* multipliers;
    const Real* balanced;
    Real* impulses;
  };

  void sweep_tets() {
    const bool automatic = options_.zeta == 0;
    const auto sweep_of = [&](const ConstraintStream<Real>& stream, size_t first) {
      BlendedSweep<Real> sweep{{&stream, iterate_.x.data(), iterate_.multipliers.data() + first, time_.h2()}};
      sweep.impulses = impulses_.data() + stored_impulses * first;
      sweep.relaxation = static_cast<Real>(automatic ? 1 : 1 - options_.zeta);
      sweep.caution = static_cast<Real>(automatic ? caution_.value() : 0);
      return sweep;
    };
    blocks_.sweep(&ConstraintKernels<Real>::blended, sweep_of, order_);
  }
  void sweep_grid() {
    const bool automatic = options_.zeta == 0;
    embedded_.template sweep<BlendedSweep>(
        blocks_.pool(), iterate_, embedded_multipliers_.data(), time_.h2(), &ConstraintKernels<Real>::blended_on_grid,
        [&](const ConstraintSweep<Real>& one, size_t first) {
          BlendedSweep<Real> sweep{one};
          sweep.impulses = embedded_impulses_.data() + stored_impulses * first;
          sweep.relaxation = static_cast<Real>(automatic ? 1 : 1 - options_.zeta);
          sweep.caution = static_cast<Real>(automatic ? caution_.value() : 0);
          return sweep;
        },
        order_);
  }
  void sweep_ties() {
    ties_.sweep(blocks_.pool(), iterate_.x.data(), iterate_.multipliers.data() + blocks_.constraint_count(), time_.h2(),
                order_);
    embedded_.sweep_ties(blocks_.pool(), order_, [&](const auto& items, const TieItem<Real>& item, size_t number) {
      tie_rule::relax(items, item, iterate_.x.data(), &embedded_tie_forces_[3 * number], time_.h2());
    });
  }

  void start_at_zero() {
    iterate_.multipliers.assign(blocks_.constraint_count() + ties_.size(), 0);
    impulses_.assign(stored_impulses * blocks_.constraint_count(), 0);
  }

  // Sets l = -C/a and t = l grad C at the positions x: that is all that a sweep does if no vertex can move.
  void take_over(std::span<const Vec3d> x) {
    blocks_.pool().for_each(time_.problem().model->slot_count(), [&](size_t s) {
      iterate_.x[s] = {static_cast<Real>(x[s].x), static_cast<Real>(x[s].y), static_cast<Real>(x[s].z), 0};
    });
    sweep_tets();
  }

  // If the constraints of a material are not 0 at rest, as those of Neo-Hookean, their multipliers balance each other
  // there. A solve that begins at 0 finds them one by one, and each on its way tears a stiff body apart. Therefore tets
  // begin with their multipliers at rest, and with impulses along the gradients at x; the last impulse makes them sum
  // to 0.
  void begin_in_balance(std::span<const Vec3d> x) {
    take_over(x);
    blocks_.sweep(take_balance, [&](const ConstraintStream<Real>& stream, size_t first) {
      return Start{stream.lanes, blocks_.numbers_in(stream), iterate_.multipliers.data() + first,
                   balanced_.data() + first, impulses_.data() + stored_impulses * first};
    });
  }
  static void take_balance(const Start& start, int64_t first, int64_t last) {
    const int w = start.lanes, count = start.count;
    for (int64_t k = first * w; k < last * w; ++k) {
      const int64_t batch = k / w, lane = k % w;
      Real* l = start.multipliers + batch * count * w + lane;
      const Real* balanced = start.balanced + batch * count * w + lane;
      Real* t = start.impulses + batch * count * stored_impulses * w + lane;
      for (int j = 0; j < stored_impulses; ++j) {
        Real sum = 0;
        for (int c = 0; c + 1 < count; ++c) {
          Real& one = t[(c * stored_impulses + j) * w];
          one = l[c * w] == 0 ? 0 : one * (balanced[c * w] / l[c * w]);
          sum += one;
        }
        t[((count - 1) * stored_impulses + j) * w] = -sum;
      }
      for (int c = 0; c < count; ++c) l[c * w] = balanced[c * w];
    }
  }
  // The same of tets on a grid, whose layout differs from step to step.
  void begin_grid_in_balance(const StepProblem& problem) {
    if (!embedded_.any()) return;
    take_over_grid(problem.model->rest);
    grid_balanced_ = embedded_multipliers_;
    take_over_grid(problem.x_prev);
    for (size_t b = 0; b < embedded_.layouts().size(); ++b) {
      const PatchLayout<Real>& layout = embedded_.layouts()[b];
      const ConstraintStream<Real>& stream = layout.stream;
      const size_t first = embedded_.first_multiplier(b), last = embedded_.first_multiplier(b + 1);
      const MaterialTraits& traits = traits_of(stream.block.material.kind);
      if (!traits.stressed_at_rest()) std::fill(&grid_balanced_[0] + first, &grid_balanced_[0] + last, Real{0});
      const Start start{stream.lanes, traits.multiplier_count, embedded_multipliers_.data() + first,
                        grid_balanced_.data() + first, embedded_impulses_.data() + stored_impulses * first};
      blocks_.pool().parallel_for(stream.batch_count(), 64,
                                  [&](int64_t from, int64_t to) { take_balance(start, from, to); });
    }
  }
  // As take_over.
  void take_over_grid(std::span<const Vec3d> x) {
    start_grid_at_zero();
    for (size_t b = 0; b < embedded_.layouts().size(); ++b) {
      const PatchLayout<Real>& layout = embedded_.layouts()[b];
      const ConstraintStream<Real>& stream = layout.stream;
      const size_t first = embedded_.first_multiplier(b);
      BlendedSweep<Real> sweep{
          {&stream, embedded_.fixed_corners(layout, x), embedded_multipliers_.data() + first, time_.h2()}};
      sweep.impulses = embedded_impulses_.data() + stored_impulses * first;
      sweep.caution = static_cast<Real>(caution_.value());
      embedded_.kernels(layout).blended(sweep, 0, stream.batch_count());
    }
  }
  void start_grid_at_zero() {
    embedded_multipliers_.assign(embedded_.multiplier_count(), 0);
    embedded_impulses_.assign(stored_impulses * embedded_.multiplier_count(), 0);
    embedded_tie_forces_.assign(embedded_.tie_number_count(), 0);
  }
  // l = -C/a are as h^2, and a grid takes some steps in parts.
  void find_balance() {
    balanced_at_ = time_.h2();
    start_at_zero();
    take_over(time_.problem().model->rest);
    balanced_.assign(blocks_.constraint_count(), 0);
    for (size_t b = 0; b < blocks_.streams().size(); ++b) {
      if (!traits_of(blocks_.streams()[b].block.material.kind).stressed_at_rest()) continue;
      const size_t first = blocks_.first_constraint(b), last = blocks_.first_constraint(b + 1);
      std::copy(&iterate_.multipliers[0] + first, &iterate_.multipliers[0] + last, &balanced_[0] + first);
    }
  }

  // moves_ = w sum t
  void sum_impulses() {
    moves_.resize(iterate_.x.size());
    for (size_t s = 0; s < moves_.size(); ++s) moves_[s] = {0, 0, 0, iterate_.x[s].w};
    const auto add = [&](const Sum& sum, int64_t first, int64_t last) {
      const int w = sum.stream->lanes;
      for (int64_t batch = first; batch < last; ++batch)
        for (int lane = 0; lane < w; ++lane) {
          Vec3<Real> of_last{};  // the impulses sum to 0
          for (int j = 0; j < 4; ++j) {
            Vec3<Real> t = of_last;
            for (int k = 0; k < sum.count && j < 3; ++k) {
              const Real* at = sum.impulses + ((batch * sum.count + k) * stored_impulses + 3 * j) * w + lane;
              t = k == 0 ? Vec3<Real>{at[0], at[w], at[2 * w]} : t + Vec3<Real>{at[0], at[w], at[2 * w]};
            }
            if (j < 3) of_last -= t;
            Vec4<Real>& move =
                moves_[static_cast<size_t>(sum.stream->corners[static_cast<size_t>((batch * 4 + j) * w + lane)])];
            if (move.w > 0) move = {move.x + move.w * t.x, move.y + move.w * t.y, move.z + move.w * t.z, move.w};
          }
        }
    };
    blocks_.sweep(add, [&](const ConstraintStream<Real>& stream, size_t first) {
      return Sum{&stream, impulses_.data() + stored_impulses * first, blocks_.numbers_in(stream)};
    });
    ties_.add_impulses(blocks_.pool(), moves_.data(), iterate_.multipliers.data() + blocks_.constraint_count(),
                       time_.h2());
    contacts_.add_impulses(moves_.data(), time_.h2());
  }

  // Starts with l = -C/a and t = l grad C at the guess, or with as large a share of them as the first pseudo-step
  // allows (pseudo_step.h). That is all that a sweep does if no vertex can move.
  void begin_pseudo_time(const StepProblem& problem) {
    take_over(problem.x_start);
    sweep_ties();
    blocks_.load(problem, iterate_);
    sum_impulses();
    const auto share = static_cast<Real>(share_to_start_with<Real>(moves_, time_.scales(), blocks_.pool()));
    if (share < 1) {
      for (Real& l : iterate_.multipliers) l *= share;
      for (Real& t : impulses_) t *= share;
      for (Vec4<Real>& d : moves_) d = {share * d.x, share * d.y, share * d.z, 0};
    }
    time_.place(iterate_, moves_);
  }

  struct Sum {
    const ConstraintStream<Real>* stream;
    const Real* impulses;
    int count;  // constraints per tet
  };

  BPxpbdOptions options_;
  ConstraintBlocks<Real> blocks_;
  EmbeddedBlocks<Real> embedded_;
  Buffer<Real> embedded_multipliers_, embedded_impulses_, grid_balanced_;  // of tets on a grid
  Buffer<Real> embedded_tie_forces_;                                       // three numbers each
  SweepOrder order_;
  PseudoTime<Real> time_;
  Caution<Real> caution_;
  TieForces<Real> ties_;
  ContactForces<Real> contacts_;
  Iterate<Real> iterate_;     // the multipliers of the tets' constraints, then the ties' forces
  Buffer<Vec4<Real>> moves_;  // quasistatics: the displacements by the impulses so far [m]
  Buffer<Real> balanced_;     // multipliers of the tets' constraints at rest, if they exert stresses there; else 0
  Real balanced_at_ = 0;      // the h^2 that they are of [s^2]
  bool any_stressed_at_rest_ = false;
  Buffer<Real> impulses_;  // stored_impulses numbers for each multiplier, as in blended_rule.h
};

}  // namespace

std::unique_ptr<Solver> make_b_pxpbd(const SolveOptions& common, const BPxpbdOptions& options, LinearSolverFactory) {
  return make_in_precision<BPxpbd>(common, options);
}

SolverInfo b_pxpbd_info() {
  return solver_info<BPxpbdOptions, b_pxpbd_parameters, make_b_pxpbd>();
}

}  // namespace sinew
