#include "solver/by_vertex/pbng.h"

#include "solver/solver_info.h"
#include "solver/sweep_solver.h"

namespace sinew {

std::unique_ptr<Solver> make_pbng(const SolveOptions& common, const PbngOptions& options, LinearSolverFactory) {
  return make_in_precision<VertexSolver>(common, VertexRule{.stiffness = NodalStiffness::stiffer,
                                                            .relaxation = options.omega,
                                                            .sweep_order = options.sweep_order,
                                                            .recolors = options.recolor == recolor_incremental,
                                                            .shares_penalties = true,
                                                            .multipliers = options.multipliers,
                                                            .layout = options.layout,
                                                            .lanes = options.lanes});
}

SolverInfo pbng_info() {
  return solver_info<PbngOptions, pbng_parameters, make_pbng>();
}

}  // namespace sinew
