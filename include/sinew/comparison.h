// What a comparison of solvers measures: curves of residual and error over iterations and milliseconds. Every number
// comes from one objective in double precision, never from a solver's own estimate.
//
// NaN means unknown: errors without a reference, losses where the loss is undefined.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "sinew/error.h"
#include "sinew/real3.h"
#include "sinew/report.h"

namespace sinew {

inline constexpr double unknown_value = std::numeric_limits<double>::quiet_NaN();

// Distances to the reference over the vertices that are not held.
struct StateError {
  double max = unknown_value;  // [m] largest |x - x*|
  double rms = unknown_value;  // [m] root of the mean of |x - x*|^2
};

// The shape of an iterate.
struct ShapeMeasures {
  double volume = unknown_value;  // [-] of all tets, signed, relative to their rest volume
  std::vector<Real3> probes;      // [m] the mean position of each probe of the scene
};

// One iterate. x_0 is the initial guess of the step, the same for all solvers, so that relative values share a scale; a
// solver may start elsewhere (XPBD starts at the inertial target).
struct CurvePoint {
  int iteration = 0;
  double milliseconds = 0;  // in solver and accelerator since the start of the step; from 2 to 6 runs
  Evaluation evaluation;
  double relative_residual = unknown_value;  // [-] r(x_k) / r(x_0)
  double relative_loss = unknown_value;      // [-] (G(x_k) - G*) / (G(x_0) - G*); unknown with damping by own
                                             // blocks, which has no potential
  // [m] root of the mean of |x_k - x_l|^2, l the iterate of the point before
  double change = unknown_value;
  // Of constraint methods, with their current multipliers: [N] forces out of balance, and [-] error of the constraints.
  double primary = unknown_value, secondary = unknown_value;
  StateError error;
  ShapeMeasures shape;
};

// The end of a step or frame. Trajectories of solvers differ, so the residual is that of the solver's own step, and the
// error is the distance to the reference's trajectory.
struct TrajectoryPoint {
  int64_t step = 0;  // steps taken since the start of the scene
  double time = 0;   // [s]
  int iterations = 0;
  double milliseconds = 0;  // both since the previous point
  Evaluation evaluation;
  StateError error;
  ShapeMeasures shape;
};

// One solver of a comparison.
struct Curve {
  std::string label;  // as requested, e.g. "vbd+chebyshev:rho=0.9"
  std::string solver, accelerator;
  std::optional<Error> refused;              // it rejects the scene; then the rest is empty
  SolveStatus status = SolveStatus::budget;  // of the first step, judged by its residuals or by the solver
  double setup_milliseconds = 0;             // its layouts, once per scene; not part of any other time
  std::vector<CurvePoint> points;            // of the first step
  std::vector<TrajectoryPoint> trajectory;   // ends where the state is no longer finite
  std::vector<std::string> remarks;          // notes for the reader
};

// Newton's method in double precision, the reference for errors.
struct ComparisonReference {
  bool wanted = true;                   // else there are no errors and no losses
  bool converged = false;               // else the errors are unreliable
  int iterations = 0;                   // of the first step, like all that follows
  double residual = 0;                  // [N] reached
  double tolerance = 0;                 // [N] requested
  double first_residual = 0;            // [N] r(x_0)
  double energy = 0, first_energy = 0;  // [J] G*, G(x_0)
  double milliseconds = 0;
  std::vector<TrajectoryPoint> trajectory;
  std::string remark;  // why it is not reliable
};

struct Comparison {
  std::string scene;
  int32_t vertices = 0, tets = 0;
  int32_t triangles = 0;  // of these tets, those that stand for triangles of plane bodies
  int threads = 1;
  bool quasistatic = false;
  double step_size = 0;    // [s]
  int64_t first_step = 1;  // the step of the curves
  int64_t steps = 1;       // steps taken by each solver
  int iterations = 0;      // per step; 0: by time, or different between solvers
  double budget = 0;       // [ms] per step; 0: by iterations
  ComparisonReference reference;
  std::vector<std::string> probes;    // their names
  std::vector<Curve> curves;          // as requested
  std::vector<std::string> warnings;  // of the scene
  bool recorded = false;              // each method's run was recorded
  std::vector<std::string> plotted;   // quantities in its figures
};

}  // namespace sinew
