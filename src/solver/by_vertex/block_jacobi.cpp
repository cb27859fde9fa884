#include "solver/by_vertex/block_jacobi.h"

#include "solver/by_vertex/jacobi_descent.h"
#include "solver/solver_info.h"
#include "solver/sweep_solver.h"

namespace sinew {

std::unique_ptr<Solver> make_block_jacobi(const SolveOptions& common, const BlockJacobiOptions& options,
                                          LinearSolverFactory) {
  return make_in_precision<JacobiDescent>(
      common, JacobiRule{{.diagonal = false, .jacobi = true, .layout = options.layout, .lanes = options.lanes},
                         common.iterations});
}

SolverInfo block_jacobi_info() {
  return solver_info<BlockJacobiOptions, block_jacobi_parameters, make_block_jacobi>();
}

}  // namespace sinew
