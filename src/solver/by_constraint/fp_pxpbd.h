// Primal XPBD by first Piola-Kirchhoff stresses (Chen, Han, Chen, Ma, Fedkiw & Teran 2024, "Primal residual reduction
// with extended position based dynamics and hyperelasticity", FP-PXPBD, section 3.3.3), coloured by element. Every tet
// stores a stress P. A step starts with x = y and P = 0, so that
//   g = M (x - y) + h^2 sum_e V P g_i = 0;
// then each tet in turn takes a Newton step for its corners, with the stresses of the others fixed, towards P =
// psi'(F). P becomes the linearised stress of that step, so that g stays 0 up to round-off and P - psi'(F) goes to 0.
// Unlike XPBD, the method therefore converges to the backward Euler solution, and it treats every material. (With the
// stress psi'(F) itself, as in the paper's Algorithm 2, g would drift, and the method would stagnate.) The step is
// damped because of slivers (fp_kernel.h). Convergence is slower for larger E h^2 / (density l^2), where l is the edge
// length.
//
// Quasistatics are found in pseudo-time: each iteration is a step of length p from rest, y = x + p^2 f_ext/m, with one
// sweep. It keeps the stresses and starts where g = 0, x = y - p^2 w sum V P g_i, summed anew each time. So it ends
// where P = psi'(F) balances f_ext, for any p: unlike XPBD-QS, at the true equilibrium. The first pseudo-step starts
// with the stresses of the guess, or with a share of them (pseudo_step.h).
//
// Springs, weak constraints and fibres store a force each, as tets store a stress, and are swept after the tets
// (tie_forces.h).
#pragma once

#include <memory>

#include "solver/by_constraint/pseudo_step.h"
#include "solver/linear_solver.h"
#include "solver/options.h"
#include "solver/solver.h"
#include "solver/sweep_order.h"

namespace sinew {

struct FpPxpbdOptions {
  int local_iterations = 1;
  double pseudo_step = 0;  // [s]
  int sweep_order = sweep_forward;
  int lanes = 0;

  static constexpr const char* name = "fp_pxpbd";
  static constexpr const char* summary =
      "primal XPBD by stresses: an element's Newton step each; converges, unlike XPBD";
  static constexpr const char* color = "#56b4e9";
  static constexpr SolverTraits traits = {.damping = false,
                                          .whole_iterate = true,
                                          .ties = true,
                                          .contact = true,
                                          .stiff_ties = true,
                                          .carried_by_iteration = 0.5,
                                          .bytes_per_tet = 80};
  static constexpr SolveOptions common = {.iterations = 200, .relative_tolerance = 0.01};
};

inline constexpr Parameter<FpPxpbdOptions> fp_pxpbd_parameters[] = {
    {"local_iterations",
     &FpPxpbdOptions::local_iterations,
     "-",
     {1, 5},
     "Newton iterations in each visit to a tet; more than 1 if the first iterations of large steps overshoot"},
    {"pseudo_step", &FpPxpbdOptions::pseudo_step, "s", non_negative, pseudo_step_meaning},
    sweep_order_parameter(&FpPxpbdOptions::sweep_order),
    lanes_parameter(&FpPxpbdOptions::lanes),
};

std::unique_ptr<Solver> make_fp_pxpbd(const SolveOptions& common, const FpPxpbdOptions& options,
                                      LinearSolverFactory = nullptr);

}  // namespace sinew
