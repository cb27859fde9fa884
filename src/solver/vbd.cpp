#include "solver/vbd.h"

#include "solver/sweep_solver.h"

namespace sinew {

std::unique_ptr<Solver> make_vbd(const SolveOptions& common, const VbdOptions& options, LinearSolverFactory) {
  return make_in_precision<VertexSolver>(
      common, VertexRule{.line_search = options.line_search, .layout = options.layout, .lanes = options.lanes});
}

}  // namespace sinew
