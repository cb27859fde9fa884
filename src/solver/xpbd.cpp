#include "solver/xpbd.h"

#include "solver/compliant_solver.h"

namespace sinew {

std::unique_ptr<Solver> make_xpbd(const SolveOptions& common, const XpbdOptions& options, LinearSolverFactory) {
  return make_compliant(
      common, options.lanes,
      ConstraintOrder{.kind = options.order, .groups = options.groups, .scale = options.jacobi_scale});
}

}  // namespace sinew
