#include "solver/block_jacobi.h"

#include "solver/jacobi_descent.h"
#include "solver/sweep_solver.h"

namespace sinew {

std::unique_ptr<Solver> make_block_jacobi(const SolveOptions& common, const BlockJacobiOptions& options,
                                          LinearSolverFactory) {
  return make_in_precision<JacobiDescent>(
      common, VertexRule{.diagonal = false, .jacobi = true, .layout = options.layout, .lanes = options.lanes});
}

}  // namespace sinew
