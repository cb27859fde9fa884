// The decisions of multilevel descent, which are the same on the CPU and on devices.
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "solver/multilevel/bodies.h"
#include "solver/multilevel/multilevel.h"

namespace sinew::multilevel_rules {

// Below this kappa, sweeps alone are faster.
inline constexpr double soft_kappa = 5;
// Their over-relaxation: none if inertia dominates, and more the more the stiffness matters. With the exact block, a
// factor below 2 never raises the energy of Neo-Hookean, which is quadratic in each vertex alone; with PBNG's block,
// 1.7 tears stretched bodies apart.
inline double omega_alone(double kappa) {
  return 1 + 0.5 * std::sqrt(std::fmin(1, kappa / 4));
}
// The over-relaxation of sweeps between corrections.
inline constexpr double omega_corrected = 1.3;
// Corrections are given up if the residual has grown to gone_astray times the first, or if for `patience` iterations it
// has not fallen below `progress` times its least value.
inline constexpr double gone_astray = 1000, progress = 0.99;
inline constexpr int patience = 30, most_strikes = 5;
// The share of the over-relaxation if all vertices move at once: each of four neighbours in a tet does its part.
inline constexpr double jacobi_share = 0.4;
// A correction was too long if the slope at its end, relative to its promise, is below -far_past, and too short if it
// is above far_short.
inline constexpr double far_past = 0.3, far_short = 0.5;
// A promise that grows by this factor belongs to a state gone astray.
inline constexpr double lost = 100;
// Share of the first promise below which a promise may be rounding.
inline constexpr double rounding_share = 1e-9;

// Whether the energy is convex, or nearly, in each vertex alone.
bool is_convex(const Model& model);

struct Choice {
  std::vector<uint8_t> wanted;  // for each body: whether it gets corrections
  bool any = false;             // whether any body does
  double most_kappa = 0;        // [-] the largest of all bodies
};
// Depends on the model and the time step only, so that a run gives the same results on every machine.
Choice choose_bodies(const Bodies& bodies, const MultilevelOptions& options, const StepProblem& problem);

// The over-relaxation of a step.
double omega_of(const MultilevelOptions& options, bool corrects, bool convex, double most_kappa);

// Whether a correction with this promise [J] must be measured: at first, and where the promises do not shrink.
inline bool is_doubtful(int iteration, bool missed, double promise, double last_promise, double first_promise) {
  return iteration == 0 || missed || (promise > 0.9 * last_promise && promise > rounding_share * first_promise);
}
// The part of a step by which its measured slope lengthens or shortens it, by the secant; of its whole if the slope is
// not finite, from its start.
inline double more_of_step(double slope, double promise, double first_promise) {
  if (!std::isfinite(slope)) return 0.1;
  if (slope < -far_past * promise) return promise / (promise - slope) - 1;
  return slope > far_short * promise && promise > 1e-3 * first_promise ? 1 : 0;
}

}  // namespace sinew::multilevel_rules
