// What is told of steps that leave a residual far above where it began. Methods by constraints do that without having
// diverged: their sweeps look at constraints, not at forces, and XPBD's residual need not come down again.
#pragma once

#include <string>

namespace sinew {

// A residual this many times the first is told of; one that goes on growing has diverged.
inline constexpr double raised_residual = 10;

inline std::string remedy_for_raised_residual(bool quasistatic) {
  return std::string("more iterations, ") + (quasistatic ? "" : "smaller steps (time.substeps), ") +
         "or a solver that descends, such as vbd, pbng or newton";
}

}  // namespace sinew
