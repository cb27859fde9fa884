#include "solver/fp_pxpbd.h"

#include <algorithm>
#include <cmath>

#include "element/tet.h"
#include "solver/constraint_blocks.h"
#include "solver/tie_forces.h"

namespace sinew {
namespace {

// So many times the inverse of the angular frequency at which tets vibrate between still neighbours is the pseudo-step
// by default. Where forces are far out of balance a pseudo-step starts that much squared further off than the imbalance
// asks: longer steps need fewer iterations on bars that sag from rest, but turn tets of StVK inside out in rougher
// ones.
constexpr double pseudo_length = 3;

// Means over the tets; over the ties of a model that has no tets, with their stiffness for modulus and volume.
struct Scales {
  double frequency_square = 0;  // stiffness over mass [1/s^2]
  double compliance = 0;        // V / (stiffness mass) [m^2/(Pa s)^2]
  void operator+=(Scales o) {
    frequency_square += o.frequency_square;
    compliance += o.compliance;
  }
};
Scales tie_scales(const Model& model) {
  const Ties& ties = model.ties;
  Scales sum;
  for (int32_t t = 0; t < ties.count(); ++t) {
    const double stiffness = largest_stiffness(ties.laws[t]);
    double mobility = 0;
    for (int32_t j = ties.begin[t]; j < ties.begin[t + 1]; ++j)
      mobility += ties.weights[j] * ties.weights[j] / model.mass[ties.vertices[j]];
    if (stiffness > 0) sum += {stiffness * mobility / ties.count(), mobility / (stiffness * ties.count())};
  }
  return sum;
}
Scales scales_of(const Model& model, ThreadPool& pool) {
  if (model.tets.empty()) return tie_scales(model);
  Scales sum;
  const auto share = 1 / static_cast<double>(model.tets.size());
  for (const ElasticBlock& block : model.blocks) {
    sum += ordered_sum<Scales>(pool, block.last_tet - block.first_tet, [&](int64_t k) {
      const auto e = static_cast<int32_t>(block.first_tet + k);
      const double modulus = (2 * block.lame.mu + std::max(block.lame.lambda, 0.0)) * model.stiffness_factor_of(e);
      const Tet& t = model.tets[e];
      const auto edge = [&](int j) { return model.rest[t[j]] - model.rest[t[0]]; };
      const TetRest<double> rest = tet_rest(edge(1), edge(2), edge(3), block.plane());
      const Vec3d g[4] = {-(rest.gradient[0] + rest.gradient[1] + rest.gradient[2]), rest.gradient[0], rest.gradient[1],
                          rest.gradient[2]};
      double squares = 0, mass = 0;
      const int corners = block.plane() ? 3 : 4;
      for (int j = 0; j < corners; ++j) {
        squares += dot(g[j], g[j]) / model.mass[t[j]];
        mass += model.mass[t[j]] / corners;
      }
      return Scales{share * modulus * rest.volume * squares, share * rest.volume / (modulus * mass)};
    });
  }
  return sum;
}

template <class Real>
class FpPxpbd final : public Solver {
 public:
  explicit FpPxpbd(const FpPxpbdOptions& options) : options_(options), blocks_(options.lanes) {}

  void prepare(const Model& model, ThreadPool& pool) override {
    pool_ = &pool;
    blocks_.prepare(model, pool, progress);
    ties_.prepare(model.ties, static_cast<size_t>(model.slot_count()));
    scales_ = scales_of(model, pool);
  }

  void begin_step(const Objective& objective) override {
    problem_ = &objective.problem();
    blocks_.load(*problem_, iterate_);
    ties_.activate(problem_->activation);
    iterate_.multipliers.assign(blocks_.constraint_count() + ties_.size(), 0);
    start_.resize(problem_->quasistatic ? iterate_.x.size() : 0);
    if (problem_->quasistatic) return begin_pseudo_time();
    set_step_square(problem_->h * problem_->h);
    // x = y whatever the guess: stresses start at 0 and only this x is consistent with them.
    pool_->for_each(problem_->model->slot_count(), [&](size_t s) {
      if (problem_->held[s]) return;
      const Vec3d y = problem_->x_target[s];
      iterate_.x[s] = {static_cast<Real>(y.x), static_cast<Real>(y.y), static_cast<Real>(y.z), iterate_.x[s].w};
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
    return (iterate_.x.size() + start_.size()) * sizeof(Vec4<Real>) + iterate_.multipliers.size() * sizeof(Real) +
           blocks_.memory_bytes() + ties_.memory_bytes();
  }

 private:
  void set_step_square(double h2) {
    h2_ = h2;
    iterate_.multiplier_scale = std::sqrt(h2 * scales_.compliance);
  }

  // Of all tets: what the kernel does to `x`.
  void sweep(const ConstraintKernel<StressSweep>& kernel, Buffer<Vec4<Real>>& x) {
    blocks_.sweep(kernel, iterate_, [&](const ConstraintStream<Real>& stream, size_t first) {
      return StressSweep<Real>{&stream, x.data(), iterate_.multipliers.data() + first, static_cast<Real>(h2_),
                               options_.local_iterations};
    });
  }

  void sweep() {
    sweep(blocks_.kernels().stress, iterate_.x);
    ties_.sweep(*pool_, iterate_.x.data(), tie_forces(), static_cast<Real>(h2_));
  }
  // Behind the stresses of the tets.
  Real* tie_forces() { return iterate_.multipliers.data() + blocks_.constraint_count(); }

  // P = psi'(F) of the guess: where nothing can move, a sweep does no more than to take over the stresses.
  void begin_pseudo_time() {
    set_step_square(options_.pseudo_step > 0 ? options_.pseudo_step * options_.pseudo_step
                                             : pseudo_length * pseudo_length / scales_.frequency_square);
    for (Vec4<Real>& x : iterate_.x) x.w = 0;
    sweep();
    blocks_.load(*problem_, iterate_);
  }

  // From rest where the last one ended, x += p^2 w (f_ext - sum V P g_i): at the y of this step, less what the stresses
  // exert already. Summed up anew each time, lest the rounding of positions became a force.
  void begin_pseudo_step() {
    const Model& model = *problem_->model;
    pool_->for_each(static_cast<int64_t>(start_.size()), [&](size_t s) {
      start_[s] = {0, 0, 0, iterate_.x[s].w};
      if (start_[s].w == 0) return;
      const Vec3d fall = (h2_ / model.mass[s]) * model.external_force(s);
      start_[s] = {static_cast<Real>(fall.x), static_cast<Real>(fall.y), static_cast<Real>(fall.z), start_[s].w};
    });
    sweep(blocks_.kernels().stress_impulses, start_);
    ties_.add_impulses(*pool_, start_.data(), tie_forces(), static_cast<Real>(h2_));
    pool_->for_each(static_cast<int64_t>(start_.size()), [&](size_t s) {
      Vec4<Real>& x = iterate_.x[s];
      x = {x.x + start_[s].x, x.y + start_[s].y, x.z + start_[s].z, x.w};
    });
  }

  FpPxpbdOptions options_;
  ThreadPool* pool_ = nullptr;
  const StepProblem* problem_ = nullptr;
  ConstraintBlocks<Real, ConstraintForm::stress> blocks_;
  TieForces<Real> ties_;
  Iterate<Real> iterate_;     // the multipliers are the stresses [Pa], then the ties' forces
  Buffer<Vec4<Real>> start_;  // of a pseudo-step: by how much it starts off
  Scales scales_;
  double h2_ = 0;  // [s^2]
};

}  // namespace

std::unique_ptr<Solver> make_fp_pxpbd(const SolveOptions& common, const FpPxpbdOptions& options, LinearSolverFactory) {
  return make_in_precision<FpPxpbd>(common, options);
}

}  // namespace sinew
