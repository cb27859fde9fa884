// Whether a step goes on: it ends where its tolerance is reached, where it stands still by round-off, or where it has
// diverged.
#pragma once

#include <algorithm>

#include "sinew/report.h"
#include "solver/options.h"

namespace sinew {

// Decides from the residuals so far.
class StopRule {
 public:
  // `resolution`, `least_motion`: round-off of the residual [N] and of a motion [m]; `external`: the external forces
  // [N]; `largest`: at most this is the residual that tolerances are relative to [N]. All are 2-norms over vertices.
  // pressure [-]: how much more a body resists to change its volume than its shape, at least 1. On the way to a
  // solution the residual may be all pressure, and that much larger than the forces which act.
  StopRule(const SolveOptions& options, double resolution, double least_motion, double external, double largest,
           double pressure, bool equilibrium)
      : options_(options),
        resolution_(resolution),
        least_motion_(least_motion),
        external_(external),
        largest_(largest),
        pressure_(pressure),
        equilibrium_(equilibrium) {}

  // [N] The residual to reach, after the first test.
  double goal() const {
    return std::max(options_.tolerance, options_.relative_tolerance > 0
                                            ? std::max(options_.relative_tolerance * scale(), resolution_)
                                            : 0.0);
  }

  // True if the solve has ended, with the reason in `status`. motion [m]: the 2-norm of the change of positions since
  // the last test; infinite at the first.
  bool ended(const Evaluation& e, double motion, SolveStatus& status);

 private:
  double scale() const { return std::min(first_, largest_); }

  SolveOptions options_;
  double resolution_, least_motion_, external_, largest_, pressure_;
  bool equilibrium_;
  double first_ = 0, best_ = 0, last_ = 0, last_energy_ = 0;
  int tests_ = 0, growing_ = 0, without_progress_ = 0, still_ = 0;
};

}  // namespace sinew
