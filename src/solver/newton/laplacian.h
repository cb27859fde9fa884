// The matrix of quasi-Newton methods (Liu, Bouaziz & Kavan 2017), in which a Laplacian that acts on each coordinate
// separately stands for elasticity,
//   A_ij = m_i/h^2 d_ij + sum_e V k (1 + k_d/h) g_i.g_j,   k = w (2 mu + lambda),
// and each tie adds s_i s_j (1 + k_d/h) times its larger stiffness (element/tie.h), each grab s_i s_j k'
// (model/grab.h). k_d is the damping and w a weight. The matrix does not depend on positions: one factorization serves
// all steps with the same h, the same held vertices and the same grabs, wherever these pull. With w = 1 it bounds
// linear elasticity from above.
#pragma once

#include <span>

#include "model/step_problem.h"
#include "solver/linear_solver.h"
#include "solver/vertex_pattern.h"

namespace sinew {

class Laplacian {
 public:
  // Takes time linear in the size of the mesh.
  void prepare(const Model& model);
  // Writes the lower triangle by slot; rows and columns of held vertices (and of padding) are those of the identity. In
  // quasistatics the matrix is singular if nothing holds a body; therefore `share` of the diagonal is added.
  void assemble(const StepProblem& problem, double weight, double share);

  const SparseSymmetric& matrix() const { return matrix_; }
  // The same matrix with three rows per vertex, 3 slot + axis, for vertices that glide (model/glide.h), which couples
  // the coordinates: blocks A_ij P_i P_j, and A_ii 1 on the diagonal, so that a free force has a free solution.
  SparseSymmetric gliding_matrix(std::span<const Glide> glides) const;
  // [N] The effect of rounding the positions on the residual: the norm of epsilon sum_j |A_ij| |x_j|.
  double force_resolution(std::span<const Vec3d> x) const;
  size_t memory_bytes() const;

 private:
  double& at(int32_t a, int32_t b);

  SparseSymmetric matrix_;
  std::vector<uint8_t> held_;
};

}  // namespace sinew
