#include "solver/xpbd.h"

#include "solver/compliant_solver.h"

namespace sinew {

std::unique_ptr<Solver> make_xpbd(const SolveOptions& common, const XpbdOptions& options, LinearSolverFactory) {
  return make_compliant(common, options.lanes);
}

}  // namespace sinew
