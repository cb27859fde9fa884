#include "solver/fp_pxpbd.h"

#include "solver/colored_tets.h"
#include "solver/sweep.h"
#include "solver/sweep_solver.h"

namespace sinew {
namespace {

template <class Real>
class FpPxpbd final : public Solver {
 public:
  explicit FpPxpbd(const FpPxpbdOptions& options) : options_(options), kernels_(kernels_with_lanes(options.lanes)) {}

  void prepare(const Model& model, ThreadPool& pool) override {
    pool_ = &pool;
    tell(progress, "solver layouts", 0);
    tets_.build(model, kernels_->lanes<Real>(), pool, [](const ElasticBlock&) { return 9; });
  }

  void begin_step(const Objective& objective) override {
    const StepProblem& problem = objective.problem();
    load_iterate(problem, kernels_->lanes<Real>(), *pool_, iterate_);  // the spare slots of lanes without a tet
    // x = y whatever the guess: stresses start at 0 and only this x is consistent with them.
    pool_->for_each(problem.model->slot_count(), [&](size_t s) {
      if (problem.held[s]) return;
      const Vec3d y = problem.x_target[s];
      iterate_.x[s] = {static_cast<Real>(y.x), static_cast<Real>(y.y), static_cast<Real>(y.z), iterate_.x[s].w};
    });
    iterate_.multipliers.assign(tets_.number_count(), 0);
    h2_ = static_cast<Real>(problem.h * problem.h);
  }

  void iterate() override {
    const bool parallel = static_cast<int32_t>(iterate_.x.size()) >= parallel_slots;
    for (size_t b = 0; b < tets_.streams.size(); ++b) {
      const StressSweep<Real> sweep{&tets_.streams[b], iterate_.x.data(),
                                    iterate_.multipliers.data() + tets_.number_begin[b], h2_,
                                    options_.local_iterations};
      for_each_color(*pool_, tets_.streams[b].color_begin, parallel,
                     [&](int32_t, int64_t first, int64_t last) { kernels_->stress(sweep, first, last); });
    }
  }

  void positions(std::span<Vec3d> x) const override { store_positions(iterate_, *pool_, x); }
  // Accelerators mix iterates, stresses included: g is linear in both and stays 0.
  IterateRef iterate_ref() override { return &iterate_; }

  size_t memory_bytes() const override {
    return iterate_.x.size() * sizeof(Vec4<Real>) + iterate_.multipliers.size() * sizeof(Real) + tets_.memory_bytes();
  }

 private:
  FpPxpbdOptions options_;
  const Kernels* kernels_;
  ThreadPool* pool_ = nullptr;
  ColoredTets<Real> tets_;
  Iterate<Real> iterate_;  // the multipliers are the stresses [Pa]
  Real h2_ = 0;
};

}  // namespace

std::unique_ptr<Solver> make_fp_pxpbd(const SolveOptions& common, const FpPxpbdOptions& options, LinearSolverFactory) {
  return make_in_precision<FpPxpbd>(common, options);
}

}  // namespace sinew
