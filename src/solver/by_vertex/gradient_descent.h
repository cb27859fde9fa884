// Gradient descent preconditioned by the diagonal: x <- x - alpha D^-1 dE/dx, where D are the 3N diagonal entries of
// the stiffness matrix and alpha is chosen as in jacobi_descent.h (Wang & Yang 2016).
#pragma once

#include <memory>

#include "solver/by_vertex/vertex_solver.h"
#include "solver/linear_solver.h"
#include "solver/options.h"
#include "solver/solver.h"

namespace sinew {

struct GradientDescentOptions {
  int layout = layout_auto;
  int lanes = 0;

  static constexpr const char* name = "gradient_descent";
  static constexpr const char* summary =
      "gradient descent, preconditioned by the stiffness matrix's diagonal; a baseline";
  static constexpr const char* color = "#882255";
  static constexpr SolverTraits traits = {
      .ties = true, .contact = true, .keeps_apart = true, .quadratic = true, .by_vertex = true};
  static constexpr SolveOptions common = {.iterations = 1000, .relative_tolerance = 0.01, .check_every = 20};
};

inline constexpr Parameter<GradientDescentOptions> gradient_descent_parameters[] = {
    layout_parameter(&GradientDescentOptions::layout),
    lanes_parameter(&GradientDescentOptions::lanes),
};

std::unique_ptr<Solver> make_gradient_descent(const SolveOptions& common, const GradientDescentOptions& options,
                                              LinearSolverFactory = nullptr);

}  // namespace sinew
