// XPBD-QS (Chen et al. 2023, PBNG, section 6.1): quasistatics by XPBD in pseudo-time. Each pseudo-step starts at y = x
// + p^2 f_ext/m with l = 0, and takes some iterations of XPBD with a = 1/(k V p^2); then the next one starts. The body
// comes to rest, but its end state depends on the iterations per pseudo-step and on the length p: state both with any
// result. b_pxpbd works in the same way and reaches the equilibrium.
#pragma once

#include <memory>

#include "solver/by_constraint/pseudo_time.h"
#include "solver/linear_solver.h"
#include "solver/options.h"
#include "solver/solver.h"
#include "solver/sweep_order.h"

namespace sinew {

struct XpbdQsOptions {
  double pseudo_step = 0;
  int local_iterations = 10;
  bool flipped = false;
  int sweep_order = sweep_forward;
  int lanes = 0;

  static constexpr const char* name = "xpbd_qs";
  static constexpr const char* summary = "XPBD in pseudo-time: quasistatics; where it ends depends on its options";
  static constexpr const char* color = "#aa4466";
  static constexpr SolverTraits traits = {.dynamic = false,
                                          .needs_constraints = true,
                                          .strain_constraints = true,
                                          .damping = false,
                                          .accelerates = false,
                                          .ties = true,
                                          .contact = true,
                                          .quadratic = true,
                                          .converges = false,
                                          .shrinks_at_rest = true,
                                          .bytes_per_tet = 60};
  static constexpr SolveOptions common = {.iterations = 1000};  // its residual stagnates, so no test of it ends a step
};

inline constexpr Parameter<XpbdQsOptions> xpbd_qs_parameters[] = {
    {"pseudo_step", &XpbdQsOptions::pseudo_step, "s", non_negative,
     "length of a pseudo-step; the result depends on it. 0: from the model, 3 over the mean angular frequency of a tet "
     "between fixed neighbours"},
    {"local_iterations", &XpbdQsOptions::local_iterations, "-", {1, 1e6}, local_iterations_meaning},
    {"flipped",
     &XpbdQsOptions::flipped,
     "-",
     {},
     "sweep springs and bindings before the tets in each iteration, not after them; the result depends on it"},
    sweep_order_parameter(&XpbdQsOptions::sweep_order),
    lanes_parameter(&XpbdQsOptions::lanes),
};

std::unique_ptr<Solver> make_xpbd_qs(const SolveOptions& common, const XpbdQsOptions& options,
                                     LinearSolverFactory = nullptr);

}  // namespace sinew
