// Anderson acceleration (Anderson 1965; Walker & Ni 2011, type II, mixing 1): combines the last iterations so that the
// change, if they were linear, would be smallest.
//   R^k = G(u^k) - u^k,   dR_j = R^(j+1) - R^j,   dG_j = G^(j+1) - G^j,   j = k-m .. k-1
//   gamma = argmin |R^k - dR gamma|,   u^(k+1) = G(u^k) - dG gamma
// G is one iteration of the solver and m the window. For a linear G it is as good as GMRES (Walker & Ni, theorem 2.2).
// Columns are dropped, the oldest first, while they are nearly dependent, and all of them when |R| has doubled.
//
// u must be the whole state of the solver. XPBD iterates on positions and multipliers. Accelerating the positions alone
// violates x = y + M^-1 grad C^T l, so that the multipliers carry too little of the load, and the body becomes stiffer
// than the solution, the more so the more iterations. Hence the three forms:
//   both         u = (x, s l), s a length per unit of multiplier (Iterate::multiplier_scale)
//   multipliers  u = l, and x := y + M^-1 grad C(x)^T l by the solver. Its limit is the true solution, from which plain
//                XPBD drifts away; but like XPBD with the primary residual kept it diverges in stiff bodies, where
//                E h^2 is not small relative to rho L^2, L the size of an element
//   positions    u = x, with unchanged multipliers; the same as `both` for solvers without multipliers
#pragma once

#include <string_view>

#include "accel/accelerator.h"
#include "base/parameters.h"

namespace sinew {

inline constexpr std::string_view anderson_on_names[] = {"both", "multipliers", "positions"};
enum AndersonOn : int { anderson_both, anderson_multipliers, anderson_positions };

inline constexpr int largest_anderson_window = 20;

struct AndersonOptions {
  int window = 5;
  int on = anderson_both;

  static constexpr const char* name = "anderson";
  static constexpr const char* summary = "Anderson acceleration by least squares over the last iterations";
};

inline constexpr Parameter<AndersonOptions> anderson_parameters[] = {
    {"window", &AndersonOptions::window, "-", {1, largest_anderson_window}, "number of iterates that are combined"},
    {"on",
     &AndersonOptions::on,
     "-",
     {},
     "both: positions and, if the solver has them, multipliers; multipliers: those alone, for soft bodies and short "
     "steps; positions: those alone, which makes bodies too stiff under xpbd",
     anderson_on_names},
};

std::unique_ptr<Accelerator> make_anderson(const AndersonOptions& options);

}  // namespace sinew
