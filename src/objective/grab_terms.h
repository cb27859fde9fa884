// The energy and forces of grabs (model/grab.h), in double precision.
#pragma once

#include <span>

#include "model/step_problem.h"

namespace sinew {

// Also of the springs that stand for pins at vertices on a grid.
template <class Visit>
void for_each_grab(const StepProblem& problem, const Visit& visit) {
  for (const Grab& grab : problem.grabs) visit(grab);
  for (const Grab& pin : problem.pins_on_grid) visit(pin);
}

// [J] The sum of k'/2 |C - b|^2; its gradient [N] is added to g, by slot, where there is one.
double add_grab_terms(const StepProblem& problem, std::span<const Vec3d> x, std::span<Vec3d> g);

// [N/m] The 2-norm of the stiffness that grabs give their vertices.
double grab_stiffness_norm(const StepProblem& problem);

}  // namespace sinew
