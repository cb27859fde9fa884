// The energy and forces of springs, weak constraints and fibres (element/tie.h), in double precision.
#pragma once

#include <span>

#include "exec/thread_pool.h"
#include "model/step_problem.h"

namespace sinew {

struct TieTerm {
  double energy;   // [J] phi(C), with what damping dissipates
  Vec3d gradient;  // its derivative by C [N]; of a fibre [J]
};
TieTerm tie_term(const StepProblem& problem, int32_t tie, std::span<const Vec3d> x);

// [J] The sum of phi(C) over all ties, with what the damping of springs dissipates; its gradient [N] is added to g, by
// slot, where there is one. The same bits for any number of threads.
double add_tie_terms(const StepProblem& problem, std::span<const Vec3d> x, ThreadPool& pool, std::span<Vec3d> g);

// [N/m] Adds by slot the largest stiffness that ties may give a vertex, elastic and viscous.
void add_tie_stiffness(const Model& model, double inverse_h2, std::span<double> stiffness);
// [N/m] The 2-norm of these.
double tie_stiffness_norm(const Model& model, double inverse_h2);

// [J] Sum of k l0^2 over all springs and of k over all fibres: the size of the terms that cancel in their energies.
double tie_energy_scale(const Model& model);

}  // namespace sinew
