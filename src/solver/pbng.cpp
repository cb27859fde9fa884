#include "solver/pbng.h"

#include "solver/sweep_solver.h"

namespace sinew {

std::unique_ptr<Solver> make_pbng(const SolveOptions& common, const PbngOptions& options, LinearSolverFactory) {
  return make_in_precision<VertexSolver>(common, VertexRule{.stiffness = NodalStiffness::stiffer,
                                                            .relaxation = options.omega,
                                                            .layout = options.layout,
                                                            .lanes = options.lanes});
}

}  // namespace sinew
