#include "solver/gradient_descent.h"

#include "solver/jacobi_descent.h"
#include "solver/sweep_solver.h"

namespace sinew {

std::unique_ptr<Solver> make_gradient_descent(const SolveOptions& common, const GradientDescentOptions& options,
                                              LinearSolverFactory) {
  return make_in_precision<JacobiDescent>(
      common, VertexRule{.diagonal = true, .jacobi = true, .layout = options.layout, .lanes = options.lanes});
}

}  // namespace sinew
