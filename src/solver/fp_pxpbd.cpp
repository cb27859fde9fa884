#include "solver/fp_pxpbd.h"

#include <algorithm>

#include "element/tet.h"
#include "solver/colored_tets.h"
#include "solver/sweep.h"
#include "solver/sweep_solver.h"

namespace sinew {
namespace {

// The square of the pseudo-step: so many times the inverse of the angular frequency at which tets vibrate, on average.
// Measured on bars: five times longer steps diverge, shorter ones need more of them.
constexpr double pseudo_length = 6;
struct Sum {
  double value = 0;
  void operator+=(Sum o) { value += o.value; }
};
double natural_step_square(const Model& model, ThreadPool& pool) {
  double sum = 0;
  for (const ElasticBlock& block : model.blocks) {
    const double modulus = 2 * block.lame.mu + std::max(block.lame.lambda, 0.0);
    sum += ordered_sum<Sum>(pool, block.last_tet - block.first_tet, [&](int64_t k) {
             const auto e = static_cast<int32_t>(block.first_tet + k);
             const Tet& t = model.tets[e];
             const auto edge = [&](int j) { return model.rest[t[j]] - model.rest[t[0]]; };
             const TetRest<double> rest = tet_rest(edge(1), edge(2), edge(3));
             const Vec3d own = -(rest.gradient[0] + rest.gradient[1] + rest.gradient[2]);
             double weights = dot(own, own) / model.mass[t[0]];
             for (int j = 0; j < 3; ++j) weights += dot(rest.gradient[j], rest.gradient[j]) / model.mass[t[j + 1]];
             return Sum{modulus * model.stiffness_factor_of(e) * rest.volume * weights};
           }).value;
  }
  const auto tets = static_cast<double>(model.tets.size());
  return sum > 0 ? pseudo_length * pseudo_length * tets / sum : 0;
}

template <class Real>
class FpPxpbd final : public Solver {
 public:
  explicit FpPxpbd(const FpPxpbdOptions& options) : options_(options), kernels_(kernels_with_lanes(options.lanes)) {}

  void prepare(const Model& model, ThreadPool& pool) override {
    pool_ = &pool;
    tell(progress, "solver layouts", 0);
    tets_.build(model, kernels_->lanes<Real>(), pool, [](const ElasticBlock&) { return 9; });
    natural_h2_ = natural_step_square(model, pool);
  }

  void begin_step(const Objective& objective) override {
    problem_ = &objective.problem();
    load_iterate(*problem_, kernels_->lanes<Real>(), *pool_, iterate_);  // the spare slots of lanes without a tet
    iterate_.multipliers.assign(target_at(problem_->quasistatic ? iterate_.x.size() : 0), 0);
    if (problem_->quasistatic) return begin_pseudo_time(objective);
    h2_ = static_cast<Real>(problem_->h * problem_->h);
    // x = y whatever the guess: stresses start at 0 and only this x is consistent with them.
    pool_->for_each(problem_->model->slot_count(), [&](size_t s) {
      if (problem_->held[s]) return;
      const Vec3<Real> y = narrow(problem_->x_target[s]);
      iterate_.x[s] = {y.x, y.y, y.z, iterate_.x[s].w};
    });
  }

  void iterate() override {
    if (problem_->quasistatic) begin_pseudo_step();
    sweep();
  }

  void positions(std::span<Vec3d> x) const override { store_positions(iterate_, *pool_, x); }
  // Accelerators mix iterates, stresses included: g is linear in both and stays 0.
  IterateRef iterate_ref() override { return &iterate_; }

  size_t memory_bytes() const override {
    return iterate_.x.size() * sizeof(Vec4<Real>) + iterate_.multipliers.size() * sizeof(Real) + tets_.memory_bytes();
  }

 private:
  static Vec3<Real> narrow(Vec3d a) { return {static_cast<Real>(a.x), static_cast<Real>(a.y), static_cast<Real>(a.z)}; }

  void sweep() {
    const bool parallel = static_cast<int32_t>(iterate_.x.size()) >= parallel_slots;
    for (size_t b = 0; b < tets_.streams.size(); ++b) {
      const StressSweep<Real> sweep{&tets_.streams[b], iterate_.x.data(),
                                    iterate_.multipliers.data() + tets_.number_begin[b], h2_,
                                    options_.local_iterations};
      for_each_color(*pool_, tets_.streams[b].color_begin, parallel,
                     [&](int32_t, int64_t first, int64_t last) { kernels_->stress(sweep, first, last); });
    }
  }

  // P = psi'(F) of the guess, and the y for which that balances the inertia: with x = x_start, g = 0.
  void begin_pseudo_time(const Objective& objective) {
    const Model& model = *problem_->model;
    pseudo_h2_ = options_.pseudo_step > 0 ? options_.pseudo_step * options_.pseudo_step : natural_h2_;
    h2_ = static_cast<Real>(pseudo_h2_);
    // Where nothing can move, a sweep does no more than to take over the stresses.
    for (Vec4<Real>& x : iterate_.x) x.w = 0;
    sweep();
    load_iterate(*problem_, kernels_->lanes<Real>(), *pool_, iterate_);
    std::vector<Vec3d> forces(problem_->x_start.size());
    objective.gradient(problem_->x_start, forces);
    pool_->for_each(model.slot_count(), [&](size_t s) {
      if (problem_->held[s]) return;
      const Vec3d elastic = forces[s] + model.external_force(s);
      set_target(s, narrow(problem_->x_start[s] + (pseudo_h2_ / model.mass[s]) * elastic));
    });
  }

  // From rest where the last one ended: y = x + p^2 f_ext/m; x - y stays, for it is what the stresses exert.
  void begin_pseudo_step() {
    const Model& model = *problem_->model;
    pool_->for_each(model.slot_count(), [&](size_t s) {
      if (problem_->held[s]) return;
      Vec4<Real>& x = iterate_.x[s];
      const Real* y = &iterate_.multipliers[target_at(s)];
      const Vec3<Real> end{x.x, x.y, x.z}, fall = narrow((pseudo_h2_ / model.mass[s]) * model.external_force(s));
      const Vec3<Real> start = end + (fall + (end - Vec3<Real>{y[0], y[1], y[2]}));
      x = {start.x, start.y, start.z, x.w};
      set_target(s, end + fall);
    });
  }
  // The target y of a slot lies behind the stresses, where accelerators mix it as well.
  size_t target_at(size_t slot) const { return tets_.number_count() + 3 * slot; }
  void set_target(size_t slot, Vec3<Real> y) {
    Real* target = &iterate_.multipliers[target_at(slot)];
    target[0] = y.x, target[1] = y.y, target[2] = y.z;
  }

  FpPxpbdOptions options_;
  const Kernels* kernels_;
  ThreadPool* pool_ = nullptr;
  const StepProblem* problem_ = nullptr;
  ColoredTets<Real> tets_;
  Iterate<Real> iterate_;                  // the multipliers are the stresses [Pa], then the targets [m]
  double natural_h2_ = 0, pseudo_h2_ = 0;  // [s^2]
  Real h2_ = 0;
};

}  // namespace

std::unique_ptr<Solver> make_fp_pxpbd(const SolveOptions& common, const FpPxpbdOptions& options, LinearSolverFactory) {
  return make_in_precision<FpPxpbd>(common, options);
}

}  // namespace sinew
