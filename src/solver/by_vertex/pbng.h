// Position-Based Nonlinear Gauss-Seidel (Chen, Han, Chen & Teran 2023). Each vertex in turn takes one step towards the
// root of its own equation, with all other vertices fixed,
//   A dx = f(x) + f_ext              quasistatic
//   A dx = f(x) + m (y - x)/h^2      backward Euler,   A = sum_e V (2 mu |g|^2 1 + lambda c c^T) [+ m/h^2 1]
// (their eqs. 41-46, 50), colour by colour. The force is the material's own. The block A has the same form for every
// material (their eq. 49, corrected to the cofactor; material/material.h), is always positive definite, and is stiffer
// than the exact one. The method differs from VBD in this block and in over-relaxation: by omega within the sweep, or
// by an accelerator (their section 7.2: chebyshev with rho = 0.95, gamma = 1.7, or sor with omega = 1.7).
#pragma once

#include <memory>

#include "solver/by_vertex/vertex_solver.h"
#include "solver/linear_solver.h"
#include "solver/options.h"
#include "solver/solver.h"
#include "solver/sweep_order.h"

namespace sinew {

struct PbngOptions {
  double omega = 1;
  int sweep_order = sweep_forward;
  int recolor = recolor_none;
  bool multipliers = true;
  int layout = layout_auto;
  int lanes = 0;

  static constexpr const char* name = "pbng";
  static constexpr const char* summary =
      "Position-Based Nonlinear Gauss-Seidel: sweeps by vertex with a stiffer block; made for quasistatics";
  static constexpr const char* color = "#009e73";
  static constexpr SolverTraits traits = {
      .ties = true, .contact = true, .keeps_apart = true, .quadratic = true, .by_vertex = true};
  static constexpr SolveOptions common = {.iterations = 500, .relative_tolerance = 0.01};
};

inline constexpr Parameter<PbngOptions> pbng_parameters[] = {
    {"omega",
     &PbngOptions::omega,
     "-",
     {0, 2, true, true},
     "over-relaxation of each vertex's step within the sweep; 1.7 is fast for Gauss-Seidel on soft bodies, 1 is none"},
    sweep_order_parameter(&PbngOptions::sweep_order),
    recolor_parameter(&PbngOptions::recolor),
    multipliers_parameter(&PbngOptions::multipliers),
    layout_parameter(&PbngOptions::layout),
    lanes_parameter(&PbngOptions::lanes),
};

std::unique_ptr<Solver> make_pbng(const SolveOptions& common, const PbngOptions& options,
                                  LinearSolverFactory = nullptr);

}  // namespace sinew
