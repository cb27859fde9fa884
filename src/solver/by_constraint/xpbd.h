// Extended Position Based Dynamics (Macklin, Mueller & Chentanez 2016) for elastic solids, with two constraints per tet
// (shear or deviatoric, and volume; Macklin & Mueller 2021 for Neo-Hookean) or, for St. Venant-Kirchhoff, one of six
// numbers, the Green strain (solver/by_constraint/strain_constraint.h); coloured by element. A step starts with x = y
// and l = 0; then for each constraint of each tet
//   dl = (-C - a l) / (sum_j w_j |grad_j C|^2 + a),  l += dl,  x_j += w_j grad_j C dl,   a = 1/(k V h^2).
// Quadratic tets have the constraints of their material at four points, and one of their mean J
// (quadratic_constraint_kernel.h). Springs and weak constraints are swept after the tets (solver/ties/tie_sweep.h).
// The method solves the constraint equations C + a l = 0 but lets M (x - y) - sum grad C l drift, so it does NOT
// converge to the backward Euler solution: its residual stagnates (Chen et al. 2024, PXPBD; b_pxpbd and fp_pxpbd do
// converge).
#pragma once

#include <memory>

#include "solver/by_constraint/constraint_order.h"
#include "solver/linear_solver.h"
#include "solver/options.h"
#include "solver/solver.h"
#include "solver/sweep_order.h"

namespace sinew {

struct XpbdOptions {
  int order = order_colors;
  int groups = 8;
  double jacobi_scale = 0;  // [-]
  int sweep_order = sweep_forward;
  int lanes = 0;

  static constexpr const char* name = "xpbd";
  static constexpr const char* summary =
      "Extended Position Based Dynamics: two constraints per tet, or its strain; stagnates";
  static constexpr const char* color = "#d55e00";
  static constexpr SolverTraits traits = {.quasistatic = false,
                                          .needs_constraints = true,
                                          .strain_constraints = true,
                                          .damping = false,
                                          .multipliers = true,
                                          .ties = true,
                                          .contact = true,
                                          .grid = true,
                                          .quadratic = true,
                                          .converges = false,
                                          .shrinks_at_rest = true,
                                          .bytes_per_tet = 60};
  static constexpr SolveOptions common = {.iterations = 20};  // its residual stagnates, so no test of it ends a step
};

inline constexpr Parameter<XpbdOptions> xpbd_parameters[] = {
    {"order",
     &XpbdOptions::order,
     "-",
     {},
     "order of the tets. colors: tets without common vertices in parallel, colour by colour; jacobi: all in parallel; "
     "cliques: in between, by groups of colours. Springs and bindings always go by colours",
     constraint_order_names},
    {"groups",
     &XpbdOptions::groups,
     "-",
     {1, 1000},
     "for order = cliques: number of groups of colours; 1 equals jacobi, the number of colours equals colors"},
    {"jacobi_scale",
     &XpbdOptions::jacobi_scale,
     "-",
     {0, 1},
     "for order = cliques and jacobi: factor of each change, so that the changes at a vertex do not add up to too "
     "much; 0: 2 over the largest number of tets at a vertex in a group, at most 1"},
    sweep_order_parameter(&XpbdOptions::sweep_order),
    lanes_parameter(&XpbdOptions::lanes),
};

std::unique_ptr<Solver> make_xpbd(const SolveOptions& common, const XpbdOptions& options,
                                  LinearSolverFactory = nullptr);

}  // namespace sinew
