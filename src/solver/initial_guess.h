// Where a step starts, on the CPU and on devices.
#pragma once

#include "model/step_rules.h"
#include "solver/options.h"

namespace sinew {

// kind: InitialGuess. fall: the part of the last step's acceleration along gravity (State::fall).
SINEW_INLINE Vec3d initial_guess(int kind, const StepStart& start, double h, double fall) {
  // Loads enter the target only: on the vertices of a surface alone they would invert elements.
  switch (kind) {
    case guess_inertia:
      return guess_along(start, h, 0, start.weight);
    case guess_target:
      return guess_along(start, h, 1, start.external);
    case guess_adaptive:
      return guess_along(start, h, fall, start.weight);
    default:
      return start.x;
  }
}

}  // namespace sinew
