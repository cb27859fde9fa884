// What a simulation reports while it runs: the objective at an iterate, an iteration, a step; and the observer that
// receives it.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "sinew/real3.h"

namespace sinew {

// The objective at one iterate, in double precision, independent of the solver's own estimates.
struct Evaluation {
  double energy = 0;        // [J] inertia + elastic - work of external forces, relative to rest; + D of damping
  double residual = 0;      // [N] 2-norm of the gradient over vertices that are not held
  double residual_max = 0;  // [N] largest force out of balance on one vertex
  // [N] With a grid, whose nodes the residuals above are of: 2-norm of the forces out of balance on vertices, as if
  // these were the unknowns. Nodes in balance leave what a mesh can do and they cannot.
  double vertex_residual = 0;
  int32_t inverted = 0;                                    // elements with det F <= 0
  double min_j = std::numeric_limits<double>::infinity();  // smallest det F
  bool finite = true;     // false: energy or gradient is not finite; then both residuals are infinite
  int32_t bad_slot = -1;  // then the first offender, in solver order

  // Of contacts; all 0, with an infinite gap, where a scene has none.
  double contact_energy = 0;                                      // [J] part of `energy`
  double friction_work = 0;                                       // [J] of friction in this step; never positive
  int64_t contacts = 0;                                           // within their radius
  int64_t penetrations = 0;                                       // of them, with a negative distance
  double smallest_gap = std::numeric_limits<double>::infinity();  // [m] negative: a depth
  double deepest = 0;                                             // [m] the deepest penetration
};

// What a state holds of energy, by kind [J]; objects that are off included. Elastic energy is relative to rest; that of
// fibres is with their present activation.
struct Energies {
  double kinetic = 0;
  double elastic = 0;
  double ties = 0;     // of springs, bindings and muscle fibres
  double gravity = 0;  // -m g . (x - rest)
  double loads = 0;    // minus the work of the loads as they are now, on the way from rest
  double grabs = 0;    // of the springs of grabs
  double contact = 0;  // of the law of contacts; friction stores nothing
};

// Why a step ended: the tolerance was reached, or without an absolute one the round-off of the forces; the residual
// stopped falling before that; it grew tenfold, or the step tore the body apart without reducing it; the iterations or
// the time were used up.
enum class SolveStatus { converged, stalled, diverged, budget };
inline const char* name_of(SolveStatus s) {
  constexpr const char* names[] = {"converged", "stalled", "diverged", "budget"};
  return names[static_cast<int>(s)];
}

// Milliseconds spent in the stages of a step.
struct StageTimes {
  double predict = 0;     // pins, inertial target, initial guess, loading the solver
  double solve = 0;       // solver and accelerator
  double evaluate = 0;    // residuals: required by observers and tolerances
  double velocities = 0;  // positions back, velocities
  double detect = 0;      // what may touch

  double total() const { return predict + solve + evaluate + velocities + detect; }
};

// Milliseconds that contact took in a step, within the stages `detect` and `solve`. Forces are part of the sweeps.
struct ContactTimes {
  double broad = 0;   // boxes of motion, and what may touch by them
  double narrow = 0;  // which of that is near, and the contacts among it
  double limits = 0;  // with the guarantee: planes, and colliders on their way
};

// Corrections on a lattice (solver multilevel); all 0 if a step had none.
struct CorrectionCounts {
  int64_t nodes = 0;     // of the lattices
  int64_t matrices = 0;  // rebuilt in the step
  int64_t lengths = 0;   // lengths of corrections that were too long or too short and were adjusted
};

// Of a grid that bodies are embedded in.
struct GridCounts {
  int64_t parts = 0;   // in which the step was taken, so that vertices move by less than a cell at once
  int64_t nodes = 0;   // in use
  int32_t colors = 0;  // of patches of elements that share none
};

struct StepReport {
  int64_t step = 0;  // steps taken so far
  double time = 0;   // [s] simulated time at its end
  int iterations = 0;
  SolveStatus status = SolveStatus::budget;
  bool evaluated = false;  // is `evaluation` of the final iterate?
  Evaluation evaluation;
  StageTimes milliseconds;
  CorrectionCounts corrections;
  ContactTimes contact_times;
  int detections = 0;      // looks for what may touch, in the whole scene
  int64_t candidates = 0;  // pairs that may touch, the most of any detection
  // With the guarantee that nothing intersects:
  int64_t limited = 0;    // moves of vertices that were shortened
  int64_t undivided = 0;  // pairs that touch or intersect, so that their vertices stayed where they were; the most
  int64_t unreached = 0;  // scripted vertices, of bodies and colliders, that something was in the way of
  GridCounts grid;        // of the last part; zeros without a grid
  // [N] The residual of the initial guess, or the round-off of the forces if that is larger; NaN: not evaluated.
  double first_residual = std::numeric_limits<double>::quiet_NaN();
};

struct IterationReport {
  int64_t step = 0;         // the step being taken, from 1
  int iteration = 0;        // 0 is the initial guess
  double milliseconds = 0;  // of solver and accelerator since the start of the step, without observation
  Evaluation evaluation;
  const std::vector<Real3>* positions = nullptr;  // [m] in the user's order, if the observer wants them
};

// Receives the iterations of a solve. Without an observer nothing is evaluated.
class Observer {
 public:
  virtual ~Observer() = default;
  // Returns whether to evaluate iteration `iteration` of step `step`. An evaluation costs as much as a few sweeps.
  virtual bool wants(int64_t step, int iteration) const = 0;
  virtual bool wants_positions() const { return false; }
  virtual void on_iteration(const IterationReport& report) = 0;
};

}  // namespace sinew
