#include "solver/by_constraint/xpbd_qs.h"

#include "solver/by_constraint/compliant_solver.h"
#include "solver/solver_info.h"

namespace sinew {

std::unique_ptr<Solver> make_xpbd_qs(const SolveOptions& common, const XpbdQsOptions& options, LinearSolverFactory) {
  return make_compliant(common, options.lanes, options.sweep_order, options.pseudo_step, options.local_iterations,
                        options.flipped ? TieOrder::before_tets : TieOrder::after_tets);
}

SolverInfo xpbd_qs_info() {
  return solver_info<XpbdQsOptions, xpbd_qs_parameters, make_xpbd_qs>();
}

}  // namespace sinew
