// The decisions of multilevel descent between its iterations, on the CPU and on devices the same.
#pragma once

#include <cmath>

namespace sinew::multilevel_rules {

// A correction was too long if the slope at its end, relative to its promise, is below -far_past, and too short if it
// is above far_short.
inline constexpr double far_past = 0.3, far_short = 0.5;
// A promise that grows by this factor belongs to a state gone astray.
inline constexpr double lost = 100;
// Share of the first promise below which a promise may be rounding.
inline constexpr double rounding_share = 1e-9;

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

// Watches the residuals [N] of a step for corrections that do no good: they are given up if the residual has grown to
// gone_astray times the first, or if for `patience` iterations it has not fallen below `progress` times its least.
class ResidualWatch {
 public:
  enum class Verdict { go_on, give_up, go_back_and_give_up };

  // missed: the length of the last correction was wrong, so that the residual may belong to one that was shortened
  // afterwards. patient: equilibria may take long to pass through states that buckle.
  Verdict after(int iteration, double residual, bool missed, bool patient) {
    if (first_ == 0) first_ = best_ = residual;
    const bool gone = !(residual <= gone_astray * first_);
    if (gone && missed && ++strikes_ < most_strikes) return Verdict::go_on;
    if (residual < progress * best_) {
      best_ = residual;
      best_iteration_ = iteration;
    }
    if (gone) return Verdict::go_back_and_give_up;
    return !patient && iteration - best_iteration_ >= patience ? Verdict::give_up : Verdict::go_on;
  }

 private:
  static constexpr double gone_astray = 1000, progress = 0.99;
  static constexpr int patience = 30, most_strikes = 5;
  double first_ = 0, best_ = 0;
  int best_iteration_ = 0, strikes_ = 0;
};

}  // namespace sinew::multilevel_rules
