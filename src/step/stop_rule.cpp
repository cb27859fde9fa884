#include "step/stop_rule.h"

#include <cmath>

namespace sinew {
namespace {

// A residual this many times the first one has diverged if it keeps growing; times what pressures may make of it.
constexpr double divergence_factor = 10;
// It has also diverged if it is that large and found no new minimum, by this factor, in `patience` tests in a row.
constexpr double progress_factor = 0.99;
constexpr int patience = 20;
// Number of tests in a row between which positions changed by round-off only: stalled. The residual cannot tell,
// because slow convergence hardly changes it over hundreds of iterations.
constexpr int standstills = 3;
// Multiple of round-off by which converged positions still change.
constexpr double near_standstill = 8;
// An equilibrium is lost in rounding if its residual is at round-off, exceeds this share of the external forces, and
// exceeds this multiple of the tolerance: the rounding of a stiff body hides the load. In motion, a load may just have
// begun.
constexpr double lost_in_rounding = 0.5, far_from_tolerance = 10;

}  // namespace

bool StopRule::ended(const Evaluation& e, double motion, SolveStatus& status) {
  const double r = e.residual;
  if (tests_++ == 0) first_ = best_ = r;
  if (!e.finite) {
    status = SolveStatus::diverged;
    return true;
  }
  // The rounding of a stiff body may exceed the whole load of a soft one beside it, which in an equilibrium is still
  // moving.
  const bool arrived = !equilibrium_ || motion <= near_standstill * least_motion_;
  const double relative =
      options_.relative_tolerance > 0 ? std::max(options_.relative_tolerance * scale(), arrived ? resolution_ : 0) : 0;
  if (r <= options_.tolerance || r <= relative) {
    const double asked = std::max(options_.tolerance, options_.relative_tolerance * scale());
    const bool lost =
        equilibrium_ && external_ > 0 && r > lost_in_rounding * external_ && r > far_from_tolerance * asked;
    status = lost ? SolveStatus::stalled : SolveStatus::converged;
    return true;
  }
  // A descent whose energy falls is making progress, whatever its residual does.
  const bool descends = tests_ > 1 && e.energy < last_energy_;
  const bool grown = !descends && r > divergence_factor * pressure_ * std::max(first_, resolution_);
  growing_ = grown && r > last_ ? growing_ + 1 : 0;
  last_ = r;
  last_energy_ = e.energy;
  if (growing_ >= 3) {
    status = SolveStatus::diverged;
    return true;
  }
  if (r < progress_factor * best_) {
    best_ = r;
    without_progress_ = 0;
  } else if (++without_progress_ >= patience && grown) {
    status = SolveStatus::diverged;
    return true;
  }
  still_ = motion > least_motion_ ? 0 : still_ + 1;
  if (still_ >= standstills) {
    status = SolveStatus::stalled;
    return true;
  }
  return false;
}

}  // namespace sinew
