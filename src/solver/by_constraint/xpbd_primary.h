// XPBD that keeps the primary residual g = M (x - y) - sum l grad C, which XPBD assumes to be 0, on its right-hand
// side:
//   dl = (-C - a l + sum_j w_j grad_j C . g_j) / (sum_j w_j |grad_j C|^2 + a),   x_j += w_j (grad_j C dl - g_j),
// with g gathered anew for every constraint from all constraints around its corners (Chen et al. 2024, PXPBD, figure
// 3b). An experiment: these are the exact equations, and they are unstable. b_pxpbd is the remedy.
//
// Every projection visits all tets around four vertices, whose gradients must be current. Therefore it processes one
// tet after the other, in the user's order, and is several hundred times slower than XPBD.
#pragma once

#include <memory>
#include <span>

#include "solver/linear_solver.h"
#include "solver/options.h"
#include "solver/solver.h"

namespace sinew {

struct XpbdPrimaryOptions {
  static constexpr const char* name = "xpbd_primary";
  static constexpr const char* summary =
      "an experiment: XPBD with the forces out of balance kept in; slow, does not converge";
  static constexpr const char* color = "#7a5c3a";
  static constexpr SolverTraits traits = {.quasistatic = false,
                                          .needs_constraints = true,
                                          .damping = false,
                                          .accelerates = false,
                                          .single_precision = false,
                                          .converges = false};
  static constexpr SolveOptions common = {.iterations = 20, .precision = double_precision};
};

inline constexpr std::span<const Parameter<XpbdPrimaryOptions>> xpbd_primary_parameters{};  // none

std::unique_ptr<Solver> make_xpbd_primary(const SolveOptions& common, const XpbdPrimaryOptions& options,
                                          LinearSolverFactory = nullptr);

}  // namespace sinew
