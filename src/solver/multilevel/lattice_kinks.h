// What the cells of a lattice leave out where quadratic tets cross their faces. A tet that belongs to cell c by a share
// resists the functions of c alone, extended beyond it (lattice_moments.h); but its nodes i in other cells move by
// those of their own, and the difference
//   d_i = N_own(X_i) u - N_c(X_i) u
// is of order 1 for rough u. A sliver resists it by far more than the share resists u: corrections overshot. Affine u,
// and any without a kink between the cells, have d = 0. So each pair of cells gets
//   1/2 sum_i k_i |d_i|^2,   k_i = share (the mean stiffness of node i in the tet over all directions),
// isotropic, and so the same at any state; but only where that exceeds half of what a node has from its cells already.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "exec/thread_pool.h"
#include "model/model.h"
#include "solver/multilevel/lattice_cells.h"
#include "solver/multilevel/lattice_cycle.h"
#include "solver/multilevel/lattice_moments.h"

namespace sinew {

// Of the quadratic tets; `held`: by slot.
std::vector<NodePair> lattice_kinks(const Model& model, const LatticeCells& cells, const LatticeMoments& moments,
                                    std::span<const uint8_t> held, ThreadPool& pool);

}  // namespace sinew
