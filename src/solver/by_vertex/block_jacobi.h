// Block Jacobi: x <- x - alpha D^-1 dE/dx for all vertices at once, with the exact 3x3 stiffness blocks D of the
// vertices and alpha chosen as in jacobi_descent.h (Chen et al. 2024, VBD, section 5.4).
#pragma once

#include <memory>

#include "solver/by_vertex/vertex_solver.h"
#include "solver/linear_solver.h"
#include "solver/options.h"
#include "solver/solver.h"

namespace sinew {

struct BlockJacobiOptions {
  int layout = layout_auto;
  int lanes = 0;

  static constexpr const char* name = "block_jacobi";
  static constexpr const char* summary =
      "block Jacobi descent: all vertices at once, with their 3x3 blocks; a baseline";
  static constexpr const char* color = "#332288";
  static constexpr SolverTraits traits = {
      .ties = true, .contact = true, .keeps_apart = true, .quadratic = true, .by_vertex = true};
  static constexpr SolveOptions common = {.iterations = 1000, .relative_tolerance = 0.01, .check_every = 20};
};

inline constexpr Parameter<BlockJacobiOptions> block_jacobi_parameters[] = {
    layout_parameter(&BlockJacobiOptions::layout),
    lanes_parameter(&BlockJacobiOptions::lanes),
};

std::unique_ptr<Solver> make_block_jacobi(const SolveOptions& common, const BlockJacobiOptions& options,
                                          LinearSolverFactory = nullptr);

}  // namespace sinew
