// What a cell of the lattice keeps of the tets in it, so that its matrix can be made anew at any state without visiting
// them. With N_a the trilinear functions of the cell, dN_a = sum over a tet's free corners of N_a(X_c) g_c, and
//   G_ab = sum_e V_e dN_a dN_b^T   weighed by mu and by lambda + mu (stiffness factors in V),
// the tangent at rest, which is linear elasticity for every material, is
//   K_ab = mu tr(G_ab) 1 + mu (G_ab^T - G_ab) + (lambda + mu) G_ab,
// a number, an axial vector w_ab ([w]x = mu (G^T - G)) and a matrix for each pair of corners; and beside them the
// inertia, sum_i m_i N_a N_b / h^2 over the free vertices. Of what is damped by the rate of strain there are moments
// weighed by k_d/h too, without inertia. What gliding vertices take part in is left out: it does not have this form
// (lattice_glides.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "exec/buffer.h"
#include "model/step_problem.h"
#include "solver/multilevel/lattice_cells.h"

namespace sinew {

// Cells are worked on so many at once, whatever the lanes.
inline constexpr int cell_group = 16;
// Numbers of a pair of corners: the number, w, the matrix by columns, and the inertia.
inline constexpr int moment_numbers = 14;

class LatticeMoments {
 public:
  void prepare(const Model& model, const LatticeCells& cells, ThreadPool& pool);
  // For who is held in this step and for its inertia. Visits the cells for which something has changed.
  void update(const StepProblem& problem, ThreadPool& pool);
  // [N/m] m/h^2 of a vertex and what own-block damping adds to it.
  double inertia_of(int32_t slot, const StepProblem& problem) const;

  // By groups of cells: pairs x moment_numbers x cell_group.
  const float* data() const { return numbers_.data(); }
  // Those of damping, by groups as `data`; null: there is none.
  const float* damping() const { return damping_.empty() ? nullptr : damping_.data(); }
  // The least lambda / mu in each cell, by groups; 0 of cells without elements.
  const float* ratios() const { return ratios_.data(); }
  size_t memory_bytes() const;

 private:
  struct Sums;
  bool changed(int32_t cell, std::span<const uint8_t> before) const;
  void update_cell(int32_t cell, const StepProblem& problem);
  template <class Factor>
  Sums sum_tets(int32_t cell, const StepProblem& problem, const Factor& factor) const;

  const Model* model_ = nullptr;
  const LatticeCells* cells_ = nullptr;
  std::vector<int64_t> member_begin_;  // of each cell
  std::vector<int32_t> members_;
  std::vector<double>
      own_damping_;  // [N/m], by slot: the rest stiffness of a vertex that own-block damping takes, or empty
  Buffer<float> numbers_, ratios_, damping_;
  std::vector<uint8_t> held_;  // by slot; 2: glides
  double inverse_h2_ = -1;
};

}  // namespace sinew
