#include "solver/by_constraint/xpbd_root.h"

#include "solver/by_constraint/compliant_solver.h"
#include "solver/solver_info.h"

namespace sinew {

std::unique_ptr<Solver> make_xpbd_root(const SolveOptions& common, const XpbdRootOptions& options,
                                       LinearSolverFactory) {
  return make_compliant<ConstraintForm::energy_root>(common, options.lanes, options.sweep_order);
}

SolverInfo xpbd_root_info() {
  return solver_info<XpbdRootOptions, xpbd_root_parameters, make_xpbd_root>();
}

}  // namespace sinew
