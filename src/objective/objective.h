// The only definition of energy, gradient and residual. Every curve in every plot comes from here, in double precision.
//   E(x) = sum m |x - y|^2 / (2 h^2)  [backward Euler]  or  - sum f_ext . x  [quasistatic]   + sum_e V psi(F)
//         + sum_t phi(C)  over springs, weak constraints and fibres (element/tie.h)
//         + sum k'/2 |C - b|^2  over grabs (model/grab.h), up to a constant of the step
//         + sum share phi(d) over contacts (contact/find_contacts.h)
//         + D(x)  of damping by the rate of strain (element/strain_rate.h)
//   g(x) = dE/dx; the residual is |g| over free vertices [N].
// With a grid (grid/grid_embedding.h) the positions of its nodes follow those of the slots, and are unknowns in place
// of the vertices that they carry: the sums are of vertices as before, and of inertia over nodes. Damping by own blocks
// (Chen et al. 2024, eqs. 10-11), (k_d/h) K_ii (x_i - x_i_prev), has no potential: it is part of the gradient but not
// of the energy; and so is friction.
#pragma once

#include <span>
#include <vector>

#include "exec/thread_pool.h"
#include "model/model.h"
#include "model/step_problem.h"
#include "sinew/report.h"

namespace sinew {

class Objective {
 public:
  // With a grid, positions and gradients are by slot, then by node. Those of slots alone may be given too: the nodes
  // are then where the last solve left them, and the gradients of nodes are not written.
  Objective(const StepProblem& problem, ThreadPool& pool) : problem_(&problem), pool_(&pool) {}

  const StepProblem& problem() const { return *problem_; }
  const Model& model() const { return *problem_->model; }
  ThreadPool& pool() const { return *pool_; }

  // [J] `contacts`, unless null, receives the part of contacts.
  double energy(std::span<const Vec3d> x, double* contacts = nullptr) const;
  // Writes dE/dx, with damping, by slot [N]; zero at held vertices, and only the free part for those that glide.
  void gradient(std::span<const Vec3d> x, std::span<Vec3d> g) const;
  // The same without zeroing: at held vertices it is the negative reaction, the force that holds them in place [N]; for
  // those that glide, the fixed part is.
  void gradient_unconstrained(std::span<const Vec3d> x, std::span<Vec3d> g) const;
  // `unconstrained`, unless empty, receives the gradient without zeroing.
  Evaluation evaluate(std::span<const Vec3d> x, std::span<Vec3d> unconstrained = {}) const;

 private:
  const StepProblem* problem_;
  ThreadPool* pool_;
};

// [N] What inertia, or in quasistatics the external forces, add to the gradient at a slot; x: where it is [m].
inline Vec3d vertex_gradient(const StepProblem& problem, int32_t slot, Vec3d x) {
  if (problem.quasistatic) return -problem.external_force(slot);
  return (problem.mass(static_cast<size_t>(slot)) * problem.inverse_h2()) * (x - problem.x_target[slot]);
}

// [N/m] Approximate 2-norm of the vertices' stiffness at rest, elastic, viscous and inertia/h^2. Times a rounding error
// of the positions it is the residual that this error leaves, except for ties (tie_terms.h).
double stiffness_norm(const Model& model, double inverse_h2, ThreadPool& pool);

// [m^2] What `stiffness_norm` takes of each block's mesh, without inertia and damping: of a block of modulus
// M = 2 mu + lambda [Pa], M^2 times this is its part of the square.
std::vector<double> stiffness_squares(const Model& model, ThreadPool& pool);

// [J] Sum of V (2 mu + lambda) over all tets and of k l0^2 over all springs: the size of the terms that cancel in the
// energy, whose rounding error is relative to it.
double energy_scale(const Model& model, ThreadPool& pool);

// [J/m^3] The elastic energy density of the tets [first, last) of a block.
void energy_densities(const Model& model, const ElasticBlock& block, int32_t first, int32_t last,
                      std::span<const Vec3d> x, std::span<double> density);

// Writes det F of every tet, and the elastic energy density [J/m^3] if requested, for pictures and statistics.
void deformation_measures(const Model& model, std::span<const Vec3d> x, ThreadPool& pool, std::span<double> det_f,
                          std::span<double> energy_density);

}  // namespace sinew
