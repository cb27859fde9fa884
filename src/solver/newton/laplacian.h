// The matrix of quasi-Newton methods (Liu, Bouaziz & Kavan 2017): elasticity by a Laplacian that acts on each
// coordinate alone,
//   A_ij = m_i/h^2 d_ij + sum_e V k (1 + k_d/h) g_i.g_j,   k = w (2 mu + lambda),
// and of each tie s_i s_j (1 + k_d/h) times its larger stiffness (element/tie.h),
// with k_d the damping and w a weight. It does not depend on positions: one factorization serves all steps in which h
// and the held vertices stay. With w = 1 it bounds linear elasticity from above.
#pragma once

#include <span>

#include "model/step_problem.h"
#include "solver/linear_solver.h"
#include "solver/vertex_pattern.h"

namespace sinew {

class Laplacian {
 public:
  // Linear in the size of the mesh.
  void prepare(const Model& model);
  // The lower triangle by slot; rows and columns of held vertices (and of padding) are those of the identity. Where
  // nothing holds a body in quasistatics it is singular: `share` of the diagonal is added.
  void assemble(const StepProblem& problem, double weight, double share);

  const SparseSymmetric& matrix() const { return matrix_; }
  // The same with three rows a vertex, 3 slot + axis, where vertices glide (model/glide.h) and coordinates depend on
  // each other: blocks A_ij P_i P_j, and A_ii 1 on the diagonal, so that of a free force the solution is free.
  SparseSymmetric gliding_matrix(std::span<const Glide> glides) const;
  // [N] What rounding the positions does to the residual: the norm of epsilon sum_j |A_ij| |x_j|.
  double force_resolution(std::span<const Vec3d> x) const;
  size_t memory_bytes() const;

 private:
  double& at(int32_t a, int32_t b);

  SparseSymmetric matrix_;
  std::vector<uint8_t> held_;
};

}  // namespace sinew
