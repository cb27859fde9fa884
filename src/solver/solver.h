// The interface of every solver. A solver has options, traits (what it supports) and one local rule; the stepper owns
// the order of a step.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/assert.h"
#include "base/progress.h"
#include "base/result.h"
#include "contact/limits.h"
#include "exec/thread_pool.h"
#include "model/iterate.h"
#include "model/step_problem.h"
#include "objective/objective.h"

namespace sinew {

class ResidentState;

// The errors of a constraint method in its two equations (solver/by_constraint/constraint_residuals.h).
struct ConstraintResiduals {
  double primary = 0;    // [N]
  double secondary = 0;  // [-], 2-norm over all constraints
};

class Solver {
 public:
  virtual ~Solver() = default;

  // `prepare` reports its progress here if it takes long.
  ProgressListener progress;

  // Checks whether the options suit the model, beyond what the traits say (solver_list.h).
  virtual Status check(const Model&) const { return {}; }
  // Called when the model changes: builds layouts. Linear in the size of the mesh.
  virtual void prepare(const Model& model, ThreadPool& pool) = 0;
  // Takes over the stiffness and damping of the model's blocks, the only things that have changed since `prepare`, at
  // the cost of an iteration or two. false: the layouts do not permit that, and nothing has changed.
  virtual bool take_parameters(const Model&) { return false; }
  // Checks whether it can treat the problem of a step, where that depends on what is changed between steps.
  virtual Status check_step(const StepProblem&) const { return {}; }
  // Called at the start of every step, with x = problem.x_start.
  virtual void begin_step(const Objective& objective) = 0;
  // One iteration: updates every unknown once.
  virtual void iterate() = 0;
  // Where it keeps the state of the bodies from step to step, if it does (resident_state.h); else null.
  virtual ResidentState* resident() { return nullptr; }
  // The unknowns, for an accelerator to change between iterations; empty if that makes no sense.
  virtual IterateRef iterate_ref() { return {}; }
  // Recomputes the positions from the multipliers, x := y + M^-1 grad C(x)^T l. Only for solvers with the trait
  // `multipliers`.
  virtual void follow_multipliers() { SINEW_ASSERT(false); }
  // Writes the current positions, by slot.
  virtual void positions(std::span<Vec3d> x) const = 0;
  // For line-search methods: true when no further progress is possible at this precision.
  virtual bool stalled() const { return false; }
  // Whether that is because the residual has reached the rounding of the forces that it is summed from.
  virtual bool at_round_off() const { return false; }
  // Whether the last iteration returned to an earlier iterate; an accelerator then starts over.
  virtual bool restarted() const { return false; }
  // The residuals at the current iterate, for methods with positions and multipliers. Costs about as much as a
  // residual.
  virtual std::optional<ConstraintResiduals> constraint_residuals() const { return {}; }
  // [N] Estimate of the residual in the last iteration, for methods that get it at no cost; the stepper uses it to
  // decide whether a test is worth its cost.
  virtual std::optional<double> residual_estimate() { return {}; }
  // [m] The rounding of positions that would cause the same error as the rounding of the forces, if the solver keeps
  // positions finer than its precision does; 0: the rounding of its precision.
  virtual double position_rounding() const { return 0; }
  // Writes the multipliers of quadratic elements that it keeps (StepProblem::pressures) [Pa], by tet; or empties `out`.
  virtual void pressures(std::vector<double>& out) { out.clear(); }
  // With limits (contact/limits.h): the moves that they shortened since the last call.
  virtual LimitCounts take_limit_counts() { return {}; }
  // Counts of the corrections on a lattice in this step, for methods that have one.
  virtual CorrectionCounts corrections() const { return {}; }
  // Waits for iterations that are still under way elsewhere, so that their time is the solver's.
  virtual void wait() {}
  // Why what it computed since `prepare` is void: a device that failed (cuda/device.h).
  virtual Status fault() const { return {}; }
  // Bytes of the layouts that the solver built.
  virtual size_t memory_bytes() const { return 0; }
};

}  // namespace sinew
