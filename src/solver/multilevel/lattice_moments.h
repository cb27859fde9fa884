// The moments of the tets in a cell of the lattice, from which its matrix can be computed at any state without visiting
// the tets. With N_a the trilinear functions of the cell, dN_a = sum over a tet's free corners of N_a(X_c) g_c, and
//   G_ab = sum_e V_e dN_a dN_b^T   weighted by mu and by lambda + mu (stiffness factors in V),
// the tangent at rest, which is linear elasticity for every material, is
//   K_ab = mu tr(G_ab) 1 + mu (G_ab^T - G_ab) + (lambda + mu) G_ab:
// a number, an axial vector w_ab ([w]x = mu (G^T - G)) and a matrix for each pair of corners. The inertia, sum_i m_i
// N_a N_b / h^2 over the free vertices, is stored with them. To it grabs add the row sums of their matrix k' s s^T,
// which do the same where the vertices of a grab move alike, as they nearly do in a cell. Damping by the rate of strain
// has its own moments, also weighted by k_d/h and without inertia. Tets with gliding vertices are left out, because
// theirs do not have this form (lattice_glides.h).
//
// Each point of a quadratic tet counts like a tet, with the gradients of all its nodes; and to the lambda + mu part the
// mean J adds V k dM_a dM_b^T, with dM the mean of dN over the points, k the stiffness that the sweeps have: that of
// the multipliers (by_vertex/quadratic_kernel.h), with which the lattice has nothing else to do.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "exec/buffer.h"
#include "model/step_problem.h"
#include "solver/multilevel/lattice_cells.h"

namespace sinew {

// This many cells are processed at once, for any lane width.
inline constexpr int cell_group = 16;
// Numbers per pair of corners: the number, w, the matrix by columns, and the inertia.
inline constexpr int moment_numbers = 14;

class LatticeMoments {
 public:
  // `multipliers`: whether the sweeps have those of quadratic tets.
  void prepare(const Model& model, const LatticeCells& cells, bool multipliers, ThreadPool& pool);
  // Updates the moments for the held vertices, the inertia and the grabs of this step. Visits only cells with changes.
  void update(const StepProblem& problem, ThreadPool& pool);
  // [N/m] m/h^2 of a vertex, plus the additions of damping by own blocks and of grabs.
  double inertia_of(int32_t slot, const StepProblem& problem) const;

  // [Pa] Of the blocks of the model: mu, lambda at the points of elements, and that of the mean J.
  struct Moduli {
    double mu, lambda, mean;
  };
  std::span<const Moduli> moduli() const { return moduli_; }

  // By groups of cells: pairs x moment_numbers x cell_group.
  const float* data() const { return numbers_.data(); }
  // The moments of damping, stored like `data`; null: nothing is damped by the rate of strain.
  const float* damping() const { return damping_.empty() ? nullptr : damping_.data(); }
  // The least lambda / mu in each cell, by groups; 0 for cells without elements.
  const float* ratios() const { return ratios_.data(); }
  // The count of numbers in each of them, and of the updates that changed any.
  size_t size() const { return numbers_.size(); }
  int64_t revision() const { return revision_; }
  size_t memory_bytes() const;

 private:
  struct FreeNodes;
  struct Sums;
  bool changed(int32_t cell, std::span<const uint8_t> before) const;
  void update_cell(int32_t cell, const StepProblem& problem);
  bool find_free(int32_t cell, int32_t tet, const StepProblem& problem, FreeNodes& free) const;
  template <class Factor>
  Sums sum_tets(int32_t cell, const StepProblem& problem, bool with_mean, const Factor& factor) const;

  const Model* model_ = nullptr;
  const LatticeCells* cells_ = nullptr;
  std::vector<Moduli> moduli_;
  std::vector<int64_t> member_begin_;  // for each cell
  std::vector<int32_t> members_;
  std::vector<double>
      own_damping_;  // [N/m] by slot: the rest stiffness of a vertex that damping by own blocks uses; or empty
  Buffer<float> numbers_, ratios_, damping_;
  std::vector<uint8_t> held_;                        // by slot; 2: it glides
  std::vector<std::pair<int32_t, double>> grabbed_;  // slots with what grabs resist [N/m], ascending
  double inverse_h2_ = -1;
  int64_t revision_ = 0;
};

}  // namespace sinew
