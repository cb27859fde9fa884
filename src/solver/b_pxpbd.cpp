#include "solver/b_pxpbd.h"

#include "solver/caution.h"
#include "solver/constraint_blocks.h"
#include "solver/constraint_residuals.h"
#include "solver/tie_forces.h"

namespace sinew {
namespace {

template <class Real>
class BPxpbd final : public Solver {
 public:
  explicit BPxpbd(const BPxpbdOptions& options)
      : options_(options), blocks_(options.lanes), time_(options.pseudo_step, options.local_iterations) {}

  void prepare(const Model& model, ThreadPool& pool) override {
    blocks_.prepare(model, pool, progress);
    ties_.prepare(model.ties, static_cast<size_t>(model.slot_count()));
    time_.prepare();
  }

  void begin_step(const Objective& objective) override {
    const StepProblem& problem = objective.problem();
    blocks_.load(problem, iterate_);
    time_.begin(problem, blocks_.pool());
    ties_.activate(problem.activation);
    iterate_.multipliers.assign(blocks_.constraint_count() + ties_.size(), 0);
    impulses_.assign(stored_impulses * blocks_.constraint_count(), 0);
    caution_.begin_step();
    if (problem.quasistatic) return begin_pseudo_time(problem);
    // x = y whatever the guess, as the impulses start at 0.
    time_.place(iterate_);
  }

  void iterate() override {
    if (time_.due()) {
      sum_impulses();
      time_.begin_pseudo_step(iterate_, moves_);
      // Where each sweep starts a pseudo-step they can be compared.
      if (options_.local_iterations > 1) caution_.forget();
    }
    const bool automatic = options_.zeta == 0;
    if (automatic) caution_.before(iterate_);
    sweep();
    settle(time_.problem().glides, iterate_.x);
    if (automatic) caution_.after(iterate_, blocks_.pool());
  }

  void positions(std::span<Vec3d> x) const override { store_positions(iterate_, blocks_.pool(), x); }
  std::optional<ConstraintResiduals> constraint_residuals() const override {
    return residuals_of(blocks_, ties_, iterate_, time_);
  }

  size_t memory_bytes() const override {
    return blocks_.memory_bytes() + (iterate_.x.size() + moves_.size()) * sizeof(Vec4<Real>) + time_.memory_bytes() +
           caution_.memory_bytes() + ties_.memory_bytes() +
           (iterate_.multipliers.size() + impulses_.size()) * sizeof(Real);
  }

 private:
  void sweep() {
    const bool automatic = options_.zeta == 0;
    blocks_.sweep(blocks_.kernels().blended, [&](const ConstraintStream<Real>& stream, size_t first) {
      BlendedSweep<Real> sweep{{&stream, iterate_.x.data(), iterate_.multipliers.data() + first, time_.h2()}};
      sweep.impulses = impulses_.data() + stored_impulses * first;
      sweep.relaxation = static_cast<Real>(automatic ? 1 : 1 - options_.zeta);
      sweep.caution = static_cast<Real>(automatic ? caution_.value() : 0);
      return sweep;
    });
    ties_.sweep(blocks_.pool(), iterate_.x.data(), iterate_.multipliers.data() + blocks_.constraint_count(),
                time_.h2());
  }

  // moves_ = w sum t
  void sum_impulses() {
    moves_.resize(iterate_.x.size());
    for (size_t s = 0; s < moves_.size(); ++s) moves_[s] = {0, 0, 0, iterate_.x[s].w};
    const auto add = [&](const Sum& sum, int64_t first, int64_t last) {
      const int w = sum.stream->lanes;
      for (int64_t batch = first; batch < last; ++batch)
        for (int lane = 0; lane < w; ++lane) {
          Vec3<Real> of_last{};  // as all of them add up to 0
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
  }

  // l = -C/a and t = l grad C of the guess, or as large a share of them as the first pseudo-step bears (pseudo_step.h):
  // where nothing can move, a sweep does no more than that.
  void begin_pseudo_time(const StepProblem& problem) {
    for (Vec4<Real>& x : iterate_.x) x.w = 0;
    sweep();
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
    int count;  // of constraints a tet
  };

  BPxpbdOptions options_;
  ConstraintBlocks<Real> blocks_;
  PseudoTime<Real> time_;
  Caution<Real> caution_;
  TieForces<Real> ties_;
  Iterate<Real> iterate_;     // the multipliers of the tets' constraints, then the ties' forces
  Buffer<Vec4<Real>> moves_;  // in quasistatics, what the impulses so far move vertices by [m]
  Buffer<Real> impulses_;     // stored_impulses for each of the multipliers, as blended_rule.h keeps them
};

}  // namespace

std::unique_ptr<Solver> make_b_pxpbd(const SolveOptions& common, const BPxpbdOptions& options, LinearSolverFactory) {
  return make_in_precision<BPxpbd>(common, options);
}

}  // namespace sinew
