#include "solver/by_constraint/xpbd.h"

#include "solver/by_constraint/compliant_solver.h"
#include "solver/solver_info.h"

namespace sinew {

std::unique_ptr<Solver> make_xpbd(const SolveOptions& common, const XpbdOptions& options, LinearSolverFactory) {
  return make_compliant(
      common, options.lanes, options.sweep_order,
      ConstraintOrder{.kind = options.order, .groups = options.groups, .scale = options.jacobi_scale});
}

SolverInfo xpbd_info() {
  return solver_info<XpbdOptions, xpbd_parameters, make_xpbd>();
}

}  // namespace sinew
