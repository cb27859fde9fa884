// How iterations are mixed (mixing.h): decided from sums over all members, on the CPU or by a thread of a device.
#pragma once

#include "math/inline.h"
#include "math/lane.h"
#include "solver/multilevel/lattice_sweep.h"

namespace sinew {

struct MixingRule {
  int kept = 0;                    // the number of differences
  float last[2] = {0, 0};          // p and q of the previous iteration
  float now[2] = {0, 0};           // and of this one
  double last_size = 0;            // |r|^2 of the previous iteration; 0: there was none
  double step_square[2] = {0, 0};  // of the two differences

  // The factors of the next mix.
  template <class Real>
  SINEW_INLINE void give(MixSweep<Real>& sweep) const {
    sweep.has_last = kept > 0;
    sweep.mixes = now[0] != 0 || now[1] != 0;
    for (int k = 0; k < 2; ++k) {
      sweep.last[k] = last[k];
      sweep.now[k] = now[k];
    }
  }

  // Whether `other` holds a difference while the newest one is being found.
  SINEW_INLINE bool has_other() const { return kept > 0; }

  // After the sums of a change; newest: which of the two differences is the latest.
  SINEW_INLINE void choose(const MixingSums& s, bool has_last, int newest) {
    // If |r|^2 grows by more than this factor, a new sequence begins.
    constexpr double growth = 4;
    // Two differences at an angle with a smaller sin^2 are not independent.
    constexpr double least_angle = 1e-6;
    // If |p| + |q| reaches this, the differences are rounding, and nothing is mixed.
    constexpr double most_mixed = 100;
    last[0] = now[0];
    last[1] = now[1];
    now[0] = now[1] = 0;
    if (has_last) {
      kept = kept == 0 ? 1 : 2;
      if (!(s.change <= growth * last_size)) kept = 0;
    }
    last_size = s.change;
    if (kept == 0) return;
    const int older = 1 - newest;
    step_square[newest] = s.step;
    double newest_part = s.step > 0 ? s.right / s.step : 0, oldest_part = 0;
    if (kept == 2) {
      const double a = s.step, b = s.other, c = step_square[older], det = a * c - b * b;
      if (det > least_angle * a * c) {
        newest_part = (c * s.right - b * s.other_right) / det;
        oldest_part = (a * s.other_right - b * s.right) / det;
      }
    }
    if (abs(newest_part) + abs(oldest_part) < most_mixed) {
      now[0] = static_cast<float>(newest_part);
      now[1] = static_cast<float>(oldest_part);
    }
  }
};

}  // namespace sinew
