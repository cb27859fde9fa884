// The residuals of a constraint method (Chen et al. 2024, PXPBD, section 3.1), from its own positions and multipliers:
//   primary    g = M (x - y) - sum_c l_c grad C_c; |g|/h^2 [N] over the free vertices is comparable with the residual
//              of the step, and equal to it where the secondary residual is 0
//   secondary  h_c = C_c + l_c / (stiffness_c V h^2); for strains C + K^-1 l / (V h^2); for springs and weak
//              constraints in [m]
// Ties count as the method treats them: by multipliers (tie_sweep.h) or by forces (tie_forces.h), contacts by forces.
// C is evaluated as in the solver, in its own precision; sums are in double precision.
#pragma once

#include <cmath>
#include <vector>

#include "solver/by_constraint/constraint_blocks.h"
#include "solver/by_constraint/pseudo_time.h"
#include "solver/by_constraint/quadratic_constraints.h"
#include "solver/solver.h"
#include "solver/ties/contact_forces.h"

namespace sinew {

// Of the constraints of tets: subtracts l_c grad C_c from g and adds h_c^2 to `squares`.
template <class Real, ConstraintForm form>
void add_residuals_of_tets(const ConstraintBlocks<Real, form>& blocks, const Iterate<Real>& iterate,
                           const PseudoTime<Real>& time, std::vector<Vec3d>& g, double& squares);

// The same of quadratic tets, whose multipliers are those of the iterate from `first_multiplier` on.
template <class Real>
void add_residuals_of_quadratic_tets(const QuadraticConstraints<Real>& quadratic, size_t first_multiplier,
                                     const Iterate<Real>& iterate, const PseudoTime<Real>& time, ThreadPool& pool,
                                     std::vector<Vec3d>& g, double& squares);

template <class Real, ConstraintForm form, class TieMethod>
ConstraintResiduals residuals_of(const ConstraintBlocks<Real, form>& blocks, const TieMethod& ties,
                                 const ContactForces<Real>& contacts, const Iterate<Real>& iterate,
                                 const PseudoTime<Real>& time, const QuadraticConstraints<Real>* quadratic = nullptr) {
  const StepProblem& problem = time.problem();
  const Model& model = *problem.model;
  ThreadPool& pool = blocks.pool();
  std::vector<Vec3d> g(static_cast<size_t>(model.slot_count()));
  pool.for_each(model.slot_count(), [&](size_t s) {
    const Vec4<Real>& p = iterate.x[s];
    if (!problem.held[s]) g[s] = model.mass[s] * (Vec3d{p.x, p.y, p.z} - time.target(s));
  });
  const size_t of_tets = blocks.constraint_count(), of_quadratic = quadratic ? quadratic->multiplier_count() : 0;
  double squares = ties.add_residuals(iterate.x.data(), iterate.multipliers.data() + of_tets + of_quadratic, time.h2(),
                                      problem.held, g) +
                   contacts.add_residuals(time.h2(), problem.held, g);
  add_residuals_of_tets(blocks, iterate, time, g, squares);
  if (quadratic) add_residuals_of_quadratic_tets(*quadratic, of_tets, iterate, time, pool, g, squares);
  keep_free_parts(problem.glides, g);
  const double primary = ordered_sum<double>(
      pool, model.slot_count(), [&](int64_t s) { return dot(g[static_cast<size_t>(s)], g[static_cast<size_t>(s)]); });
  return {std::sqrt(primary) / static_cast<double>(time.h2()), std::sqrt(squares)};
}

}  // namespace sinew
