// Position Based Dynamics (Mueller et al. 2007) for elastic solids: XPBD without compliance and without multipliers,
//   x_j += -k' C / (sum_j w_j |grad_j C|^2) w_j grad_j C,   k' = 1 - (1 - k)^(1/iterations).
// How stiff a body appears depends on the iterations and the time step, not on its moduli. External forces only move
// the start of a step: the constraints pull the body back to a nearby state without strain, and its equilibrium under
// the forces is lost (Chen et al. 2023, PBNG, section 6).
//
// After the tets, springs and bindings are projected by the same share, whatever their moduli (eqs. 9-11 there):
//   spring            C = |x_1 - x_2| - l0
//   weak constraint   the vector C = sum_j s_j x_j; of its parts along and across the normal those with a stiffness
// Fibres are not projected, as they have no length to preserve.
//
// Only for materials whose constraints vanish at rest: Neo-Hookean's |F| does not, and PBD would pull a mesh to a
// point.
#pragma once

#include <memory>

#include "solver/by_constraint/pseudo_time.h"
#include "solver/linear_solver.h"
#include "solver/options.h"
#include "solver/solver.h"
#include "solver/sweep_order.h"

namespace sinew {

struct PbdOptions {
  double stiffness = 1;
  double pseudo_step = 0.01;
  int local_iterations = 10;
  int sweep_order = sweep_forward;
  int lanes = 0;

  static constexpr const char* name = "pbd";
  static constexpr const char* summary =
      "Position Based Dynamics: rigid constraints, whatever the moduli; fixed corotated, springs";
  static constexpr const char* color = "#e69f00";
  static constexpr SolverTraits traits = {.needs_constraints = true,
                                          .needs_zero_at_rest = true,
                                          .damping = false,
                                          .accelerates = false,
                                          .ties = true,
                                          .fibres = false,
                                          .contact = true,
                                          .converges = false,
                                          .bytes_per_tet = 60};
  static constexpr SolveOptions common = {.iterations = 20};  // it solves no equation of the step
};

inline constexpr Parameter<PbdOptions> pbd_parameters[] = {
    {"stiffness",
     &PbdOptions::stiffness,
     "-",
     {0, 1, true},
     "share of an isolated constraint that the iterations of a step, or of a pseudo-step, resolve"},
    {"pseudo_step", &PbdOptions::pseudo_step, "s", positive,
     "quasistatics: length of a pseudo-step, during which external forces act; the result depends on it"},
    {"local_iterations", &PbdOptions::local_iterations, "-", {1, 1e6}, local_iterations_meaning},
    sweep_order_parameter(&PbdOptions::sweep_order),
    lanes_parameter(&PbdOptions::lanes),
};

std::unique_ptr<Solver> make_pbd(const SolveOptions& common, const PbdOptions& options, LinearSolverFactory = nullptr);

}  // namespace sinew
