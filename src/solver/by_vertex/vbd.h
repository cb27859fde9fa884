// Vertex Block Descent (Chen, Liu, Yang & Yuksel 2024). Each vertex in turn takes one Newton step on the objective with
// all other vertices fixed:  (m/h^2 1 + sum_e K_e) dx = m (y - x)/h^2 - sum_e V P g + damping   (their eqs. 5-11), with
// the exact 3x3 block, colour by colour (Gauss-Seidel). The block may be indefinite: the step is taken anyway, unless
// the optional line search is on. A vertex whose block is singular to round-off is skipped (their section 3.2).
#pragma once

#include <memory>

#include "solver/by_vertex/vertex_solver.h"
#include "solver/linear_solver.h"
#include "solver/options.h"
#include "solver/solver.h"
#include "solver/sweep_order.h"

namespace sinew {

struct VbdOptions {
  bool line_search = false;
  int sweep_order = sweep_forward;
  int recolor = recolor_none;
  bool multipliers = true;
  int layout = layout_auto;
  int lanes = 0;

  static constexpr const char* name = "vbd";
  static constexpr const char* summary = "Vertex Block Descent: fast sweeps by vertex; converges to the true solution";
  static constexpr const char* color = "#0072b2";
  static constexpr SolverTraits traits = {
      .ties = true, .contact = true, .keeps_apart = true, .quadratic = true, .by_vertex = true};
  static constexpr SolveOptions common = {.iterations = 400, .relative_tolerance = 0.01};
};

inline constexpr Parameter<VbdOptions> vbd_parameters[] = {
    {"line_search",
     &VbdOptions::line_search,
     "-",
     {},
     "shorten a vertex's step until its local energy does not grow; slower, but the energy never increases"},
    sweep_order_parameter(&VbdOptions::sweep_order),
    recolor_parameter(&VbdOptions::recolor),
    multipliers_parameter(&VbdOptions::multipliers),
    layout_parameter(&VbdOptions::layout),
    lanes_parameter(&VbdOptions::lanes),
};

std::unique_ptr<Solver> make_vbd(const SolveOptions& common, const VbdOptions& options, LinearSolverFactory = nullptr);

}  // namespace sinew
