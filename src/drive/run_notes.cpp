#include "drive/run_notes.h"

#include "base/format.h"
#include "compile/precision.h"
#include "drive/raised_residual.h"
#include "solver/solver_list.h"

namespace sinew {

void add_notes(const Scene& scene, RunOutcome& outcome) {
  const auto number = [](int64_t n) { return static_cast<long long>(n); };
  const auto of_steps = [&](int64_t count) {
    return format("%lld of %lld steps", number(count), number(outcome.steps));
  };
  // Without inertia a shorter step is only a smaller motion of the pins.
  const bool quasistatic = scene.time.quasistatic, harmless = outcome.warnings.empty();
  if (outcome.missed > 0 && harmless) {
    const SolverInfo& solver = *find_solver(scene.solver.type);
    outcome.notes.push_back(of_steps(outcome.missed) + " reached the iteration limit before the tolerance; use " +
                            (solver.traits.recommended
                                 ? ""
                                 : format("the solver %s, ", recommended_solver(solver, scene.grid.has_value()).name)) +
                            "more iterations" + (quasistatic ? "" : " or more substeps"));
  }
  if (outcome.stalled > 0 && harmless) {
    const bool rounded = may_be_in_single_precision(scene.solver);
    outcome.notes.push_back(of_steps(outcome.stalled) + " stalled above the tolerance; use " +
                            (rounded ? "precision double, " : "") + (quasistatic ? "" : "more substeps, ") +
                            (rounded || !quasistatic ? "or " : "") + "a larger tolerance");
  }
  if (outcome.raised > 0) {
    outcome.notes.push_back(format("%lld of %lld steps%s ended with a residual over ten times that of their start: %s",
                                   number(outcome.raised), number(outcome.watched),
                                   outcome.watched < outcome.steps ? " that were looked at" : "",
                                   remedy_for_raised_residual(quasistatic).c_str()));
  }
  if (outcome.diverged > 0) {
    outcome.warnings.push_back(
        of_steps(outcome.diverged) +
        format(" diverged, the first at t = %g s: what comes after is not to be trusted; take %s or, with an "
               "accelerator, a smaller rho",
               outcome.diverged_since,
               quasistatic ? "slower pins, the solver newton" : "smaller steps (time.substeps), slower pins"));
  }
}

}  // namespace sinew
