// B-PXPBD (Chen et al. 2024, PXPBD, section 3.3): XPBD that also keeps the forces in balance. Each constraint stores,
// beside its multiplier l, the impulses t_j that it has applied to its corners, x_j = y_j + w_j sum t. A visit updates
// l as XPBD does,
//   dl = (-C - a l) / (sum_j w_j |grad_j C|^2 + a),  l += dl,   a = 1/(k V h^2),
// and moves the corners by a blend of that step with the change that makes the impulses consistent with l and the
// current gradient,
//   dt_j = zeta dl grad_j C + (1 - zeta) (l grad_j C - t_j),  t_j += dt_j,  x_j += w_j dt_j.
// At a fixed point t = l grad C and C + a l = 0: the backward Euler solution, which XPBD (zeta = 1) does not reach. Too
// small a zeta is unstable, the more so the larger E h^2/(density edge^2) is; a large one is slow. By default each tet
// uses the zeta that is stable for it (blended_rule.h), and the whole solve is monitored (caution.h).
//
// Neo-Hookean's two constraints exert stresses at rest that balance each other. With automatic zeta a step starts with
// their multipliers at rest instead of 0: the first sweeps would have to find them, and tear stiff bodies apart on the
// way.
//
// Quasistatics go through pseudo-steps (pseudo_time.h) and keep l and t from one to the next. The equilibrium that they
// reach is therefore that of the forces, whatever the length of the pseudo-steps. They start with the multipliers and
// impulses of the guess, or with a share of them (pseudo_step.h).
//
// Springs, weak constraints and fibres store a force each, as in FP-PXPBD (tie_forces.h), and are swept after the tets:
// a tie has one vector, and its Newton step needs no zeta.
#pragma once

#include <memory>

#include "solver/by_constraint/pseudo_time.h"
#include "solver/linear_solver.h"
#include "solver/options.h"
#include "solver/solver.h"
#include "solver/sweep_order.h"

namespace sinew {

struct BPxpbdOptions {
  double zeta = 0;
  double pseudo_step = 0;
  int local_iterations = 1;
  int sweep_order = sweep_forward;
  int lanes = 0;

  static constexpr const char* name = "b_pxpbd";
  static constexpr const char* summary = "blended primary and XPBD: XPBD's sweep that reaches the solution of the step";
  static constexpr const char* color = "#cc79a7";
  static constexpr SolverTraits traits = {.needs_constraints = true,
                                          .damping = false,
                                          .accelerates = false,
                                          .ties = true,
                                          .contact = true,
                                          .grid = true,
                                          .stiff_ties = true,
                                          .carried_by_iteration = 0.5,
                                          .bytes_per_tet = 132};
  static constexpr SolveOptions common = {.iterations = 20};
};

inline constexpr Parameter<BPxpbdOptions> b_pxpbd_parameters[] = {
    {"zeta",
     &BPxpbdOptions::zeta,
     "-",
     {0, 1},
     "weight of XPBD's step: 1 is XPBD; less keeps the forces in balance but may be unstable; 0: for each tet the "
     "smallest weight that is stable"},
    {"pseudo_step", &BPxpbdOptions::pseudo_step, "s", non_negative, pseudo_step_meaning},
    {"local_iterations",
     &BPxpbdOptions::local_iterations,
     "-",
     {1, 1e6},
     "quasistatics: iterations in a pseudo-step; pairs of iterations if sweep_order = symmetric"},
    sweep_order_parameter(&BPxpbdOptions::sweep_order),
    lanes_parameter(&BPxpbdOptions::lanes),
};

std::unique_ptr<Solver> make_b_pxpbd(const SolveOptions& common, const BPxpbdOptions& options,
                                     LinearSolverFactory = nullptr);

}  // namespace sinew
