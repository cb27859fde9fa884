#include "solver/by_vertex/gradient_descent.h"

#include "solver/by_vertex/jacobi_descent.h"
#include "solver/solver_info.h"
#include "solver/sweep_solver.h"

namespace sinew {

std::unique_ptr<Solver> make_gradient_descent(const SolveOptions& common, const GradientDescentOptions& options,
                                              LinearSolverFactory) {
  return make_in_precision<JacobiDescent>(
      common, JacobiRule{{.diagonal = true, .jacobi = true, .layout = options.layout, .lanes = options.lanes},
                         common.iterations});
}

SolverInfo gradient_descent_info() {
  return solver_info<GradientDescentOptions, gradient_descent_parameters, make_gradient_descent>();
}

}  // namespace sinew
