#include "solver/xpbd.h"

#include <algorithm>

#include "mesh/coloring.h"
#include "solver/multiplier_scale.h"
#include "solver/sweep.h"
#include "solver/sweep_solver.h"

namespace sinew {
namespace {

template <class Real>
class Xpbd final : public Solver {
 public:
  explicit Xpbd(const XpbdOptions& options) : kernels_(kernels_with_lanes(options.lanes)) {}

  void prepare(const Model& model, ThreadPool& pool) override {
    pool_ = &pool;
    tell(progress, "solver layouts", 0);
    // In the user's order: on structured meshes it needs the fewest colours.
    std::vector<int32_t> visit(model.tets.size());
    for (size_t e = 0; e < visit.size(); ++e) visit[model.user_tet[e]] = static_cast<int32_t>(e);
    const Coloring coloring = color_tets(model.tets, static_cast<size_t>(model.slot_count()), visit);
    streams_.clear();
    multiplier_begin_.assign(1, 0);
    for (const ElasticBlock& block : model.blocks) {
      streams_.push_back(
          build_constraint_stream<Real>(model, block, coloring, model.slot_count(), kernels_->lanes<Real>(), pool));
      const size_t count = static_cast<size_t>(streams_.back().batch_count()) *
                           traits_of(block.material).constraint_count * kernels_->lanes<Real>();
      multiplier_begin_.push_back(multiplier_begin_.back() + count);
    }
    multiplier_scale_ = multiplier_scale(model, pool);
  }

  void begin_step(const Objective& objective) override {
    problem_ = &objective.problem();
    load_iterate(*problem_, kernels_->lanes<Real>(), *pool_, iterate_);  // the spare slots of lanes without a tet
    // x = y whatever the guess: the multipliers start at 0 and only this x is consistent with them.
    to_target();
    iterate_.multipliers.assign(multiplier_begin_.back(), 0);
    iterate_.multiplier_scale = multiplier_scale_ / problem_->h;
    h2_ = static_cast<Real>(problem_->h * problem_->h);
  }

  void iterate() override {
    for (size_t b = 0; b < streams_.size(); ++b) {
      const ConstraintSweep<Real> sweep{&streams_[b], iterate_.x.data(),
                                        iterate_.multipliers.data() + multiplier_begin_[b], h2_};
      for_each_color(*pool_, streams_[b].color_begin, parallel(),
                     [&](int32_t, int64_t first, int64_t last) { kernels_->constraint(sweep, first, last); });
    }
  }

  void follow_multipliers() override {
    at_ = iterate_.x;
    to_target();
    for (size_t b = 0; b < streams_.size(); ++b) {
      const MultiplierSweep<Real> sweep{&streams_[b], at_.data(), iterate_.x.data(),
                                        iterate_.multipliers.data() + multiplier_begin_[b]};
      for_each_color(*pool_, streams_[b].color_begin, parallel(),
                     [&](int32_t, int64_t first, int64_t last) { kernels_->multiplier(sweep, first, last); });
    }
  }

  void positions(std::span<Vec3d> x) const override { store_positions(iterate_, *pool_, x); }
  IterateRef iterate_ref() override { return &iterate_; }

  size_t memory_bytes() const override {
    size_t bytes = (iterate_.x.size() + at_.size()) * sizeof(Vec4<Real>) + iterate_.multipliers.size() * sizeof(Real);
    for (const ConstraintStream<Real>& s : streams_) bytes += s.memory_bytes();
    return bytes;
  }

 private:
  bool parallel() const { return static_cast<int32_t>(iterate_.x.size()) >= parallel_slots; }

  // Free vertices at y.
  void to_target() {
    pool_->for_each(problem_->model->slot_count(), [&](size_t s) {
      if (problem_->held[s]) return;
      const Vec3d y = problem_->x_target[s];
      iterate_.x[s] = {static_cast<Real>(y.x), static_cast<Real>(y.y), static_cast<Real>(y.z), iterate_.x[s].w};
    });
  }

  const Kernels* kernels_;
  ThreadPool* pool_ = nullptr;
  const StepProblem* problem_ = nullptr;
  std::vector<ConstraintStream<Real>> streams_;
  std::vector<size_t> multiplier_begin_;
  Iterate<Real> iterate_;
  double multiplier_scale_ = 1;  // times h
  Buffer<Vec4<Real>> at_;        // where follow_multipliers takes gradients
  Real h2_ = 0;
};

}  // namespace

std::unique_ptr<Solver> make_xpbd(const SolveOptions& common, const XpbdOptions& options, LinearSolverFactory) {
  return make_in_precision<Xpbd>(common, options);
}

}  // namespace sinew
