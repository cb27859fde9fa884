#include "solver/xpbd_qs.h"

#include "solver/compliant_solver.h"

namespace sinew {

std::unique_ptr<Solver> make_xpbd_qs(const SolveOptions& common, const XpbdQsOptions& options, LinearSolverFactory) {
  return make_compliant(common, options.lanes, options.pseudo_step, options.local_iterations,
                        options.flipped ? TieOrder::before_tets : TieOrder::after_tets);
}

}  // namespace sinew
