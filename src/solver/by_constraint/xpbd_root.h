// XPBD with one constraint per tet, C = sqrt(psi) (Chen et al. 2024, PXPBD, section 5.3): an experiment that shows why
// energies are split into constraints (energy_root.h). Even with few iterations it becomes noise.
#pragma once

#include <memory>

#include "solver/linear_solver.h"
#include "solver/options.h"
#include "solver/solver.h"
#include "solver/sweep_order.h"

namespace sinew {

struct XpbdRootOptions {
  int sweep_order = sweep_forward;
  int lanes = 0;

  static constexpr const char* name = "xpbd_root";
  static constexpr const char* summary =
      "an experiment: XPBD with the root of the energy for its only constraint; noisy";
  static constexpr const char* color = "#999933";
  static constexpr SolverTraits traits = {.quasistatic = false,
                                          .needs_zero_at_rest = true,
                                          .damping = false,
                                          .ties = true,
                                          .contact = true,
                                          .converges = false,
                                          .bytes_per_tet = 60};
  static constexpr SolveOptions common = {.iterations = 20};
};

inline constexpr Parameter<XpbdRootOptions> xpbd_root_parameters[] = {
    sweep_order_parameter(&XpbdRootOptions::sweep_order),
    lanes_parameter(&XpbdRootOptions::lanes),
};

std::unique_ptr<Solver> make_xpbd_root(const SolveOptions& common, const XpbdRootOptions& options,
                                       LinearSolverFactory = nullptr);

}  // namespace sinew
