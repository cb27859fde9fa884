#include "solver/xpbd_root.h"

#include "solver/compliant_solver.h"

namespace sinew {

std::unique_ptr<Solver> make_xpbd_root(const SolveOptions& common, const XpbdRootOptions& options,
                                       LinearSolverFactory) {
  return make_compliant<ConstraintForm::energy_root>(common, options.lanes);
}

}  // namespace sinew
