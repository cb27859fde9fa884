#include "solver/by_vertex/vbd.h"

#include "solver/solver_info.h"
#include "solver/sweep_solver.h"

namespace sinew {

std::unique_ptr<Solver> make_vbd(const SolveOptions& common, const VbdOptions& options, LinearSolverFactory) {
  return make_in_precision<VertexSolver>(common, VertexRule{.line_search = options.line_search,
                                                            .sweep_order = options.sweep_order,
                                                            .recolors = options.recolor == recolor_incremental,
                                                            .multipliers = options.multipliers,
                                                            .layout = options.layout,
                                                            .lanes = options.lanes});
}

SolverInfo vbd_info() {
  return solver_info<VbdOptions, vbd_parameters, make_vbd>();
}

}  // namespace sinew
