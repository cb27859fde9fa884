#include "solver/multilevel/corrected_bodies.h"

#include <cmath>
#include <utility>

namespace sinew {
namespace {

// Below this kappa, sweeps alone are faster.
constexpr double soft_kappa = 5;
// Their over-relaxation: none if inertia dominates, and more the more the stiffness matters. With the exact block, a
// factor below 2 never raises the energy of Neo-Hookean, which is quadratic in each vertex alone; with PBNG's block,
// 1.7 tears stretched bodies apart.
double omega_alone(double kappa) {
  return 1 + 0.5 * std::sqrt(std::fmin(1, kappa / 4));
}
// The over-relaxation of sweeps between corrections.
constexpr double omega_corrected = 1.3;

bool is_convex(const Model& model) {
  bool convex = true;
  for (const ElasticBlock& block : model.blocks) convex = convex && !traits_of(block.material.kind).softens;
  for (const TieLaw<double>& law : model.ties.laws) convex = convex && !law.traits().softens;
  return convex;
}

}  // namespace

void CorrectedBodies::prepare(const Model& model, const MultilevelOptions& options) {
  bodies_ = bodies_of(model, has_multipliers(options));
  free.prepare(model, bodies_);
  convex_ = is_convex(model);
  jacobi_share_ = model.middles.empty() ? jacobi_share : quadratic_jacobi_share;
  chosen_ = false;
}

bool CorrectedBodies::choose(const MultilevelOptions& options, const StepProblem& problem) {
  std::vector<uint8_t> wanted(static_cast<size_t>(bodies_.count()));
  most_kappa_ = 0;
  any_ = false;
  for (size_t b = 0; b < wanted.size(); ++b) {
    const double kappa = bodies_.sizes[b].stiffness_over_inertia(problem.h);
    const bool soft = options.corrections == corrections_auto && options.order == sweeps_gauss_seidel &&
                      !problem.quasistatic && kappa < soft_kappa;
    most_kappa_ = std::fmax(most_kappa_, kappa);
    wanted[b] = !soft && bodies_.sizes[b].vertices > 1;
    any_ = any_ || wanted[b];
  }
  const bool others = !chosen_ || wanted != wanted_;
  chosen_ = true;
  wanted_ = std::move(wanted);
  return others;
}

double CorrectedBodies::omega(const MultilevelOptions& options, bool corrects) const {
  double omega = 1;
  if (!corrects) {
    if (convex_) omega = omega_alone(most_kappa_);
  } else if (options.omega > 0) {
    omega = options.omega;
  } else if (convex_) {
    omega = omega_corrected;
  }
  return options.order == sweeps_jacobi ? jacobi_share_ * omega : omega;
}

}  // namespace sinew
