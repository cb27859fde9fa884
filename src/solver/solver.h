// What every solver offers. A solver has options, traits that say what it can treat, and one local rule; the stepper
// owns the order of things.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "base/assert.h"
#include "base/progress.h"
#include "base/result.h"
#include "exec/thread_pool.h"
#include "model/iterate.h"
#include "model/step_problem.h"
#include "objective/objective.h"

namespace sinew {

// How far a method by constraints is from solving its two equations (solver/by_constraint/constraint_residuals.h).
struct ConstraintResiduals {
  double primary = 0;    // [N]
  double secondary = 0;  // [-], 2-norm over all constraints
};

class Solver {
 public:
  virtual ~Solver() = default;

  // Told by `prepare`, where that takes long.
  ProgressListener progress;

  // Whether its options suit the model, where more is to be said than by its traits (solver_list.h).
  virtual Status check(const Model&) const { return {}; }
  // Called when the model changes: builds layouts. Linear in the size of the mesh.
  virtual void prepare(const Model& model, ThreadPool& pool) = 0;
  // Called at the start of every step, with x = problem.x_start.
  virtual void begin_step(const Objective& objective) = 0;
  // One iteration: every unknown once.
  virtual void iterate() = 0;
  // The unknowns, for an accelerator to move between iterations; empty if that makes no sense.
  virtual IterateRef iterate_ref() { return {}; }
  // Positions anew from the multipliers, x := y + M^-1 grad C(x)^T l; only where the traits say `multipliers`.
  virtual void follow_multipliers() { SINEW_ASSERT(false); }
  // The current positions, per slot.
  virtual void positions(std::span<Vec3d> x) const = 0;
  // For line-search methods: true when no further progress is possible at this precision.
  virtual bool stalled() const { return false; }
  // And is that so because the residual is down to the rounding of the forces it is summed from?
  virtual bool at_round_off() const { return false; }
  // Did the last iteration go back to an earlier iterate? The sequence that an accelerator looks at then begins anew.
  virtual bool restarted() const { return false; }
  // At the current iterate, for methods that have positions and multipliers. About as much work as a residual.
  virtual std::optional<ConstraintResiduals> constraint_residuals() const { return {}; }
  // [N] About what the residual was in the last iteration, for methods that know it in passing: whether a test is worth
  // its cost.
  virtual std::optional<double> residual_estimate() { return {}; }
  // [m] By how much positions would have to be rounded to err as its forces do, where it keeps them finer than its
  // precision has them; 0: as precision says.
  virtual double position_rounding() const { return 0; }
  // What corrections on a lattice did in this step, of methods that have one.
  virtual CorrectionCounts corrections() const { return {}; }
  // Bytes of the layouts it built.
  virtual size_t memory_bytes() const { return 0; }
};

}  // namespace sinew
