// Chebyshev semi-iteration (Golub & Van Loan; Wang 2015; Chen et al. 2024, VBD, eqs. 18-19; Chen et al. 2023, PBNG,
// eq. 52):
//   x^(n) = w_n (g (x~^(n) - x^(n-1)) + x^(n-1) - x^(n-2)) + x^(n-2),
//   w_n = 1 up to n = S, then 2/(2 - rho^2), then 4/(4 - rho^2 w_(n-1)),
// where x~^(n) is one sweep applied to x^(n-1), g = gamma relaxes every sweep, including the plain ones, and rho
// estimates the convergence rate of sweeps relaxed in this way. S = delay: 1 in Golub & Van Loan and VBD, 2 as PBNG
// prints it, 10 in Wang. Too large a rho slows the iteration down or makes it diverge. With rho = 0 it is measured in
// every step: after some plain sweeps, rho = (|dx_k| / |dx_(k-m)|)^(1/m), and if the changes start to grow the
// acceleration starts over. Multipliers, if any, change with the positions.
#pragma once

#include "accel/accelerator.h"
#include "base/parameters.h"

namespace sinew {

struct ChebyshevOptions {
  double rho = 0;
  double gamma = 1;
  int delay = 1;

  static constexpr const char* name = "chebyshev";
  static constexpr const char* summary = "Chebyshev semi-iteration; rho by hand or measured";
};

inline constexpr Parameter<ChebyshevOptions> chebyshev_parameters[] = {
    {"rho",
     &ChebyshevOptions::rho,
     "-",
     {0, 1, false, true},
     "convergence rate of a plain sweep, 0.75 (soft) to 0.95 (stiff); 0: estimate it in every step"},
    {"gamma",
     &ChebyshevOptions::gamma,
     "-",
     {0, 2, true, true},
     "factor of each sweep's change; above 1 only for sweeps that fall short: 1.7 for PBNG, 1 for vbd"},
    {"delay",
     &ChebyshevOptions::delay,
     "-",
     {1, 1000},
     "plain sweeps before acceleration sets in, if rho is given: 1 as in VBD, 2 as in PBNG, 10 as in Wang 2015"},
};

std::unique_ptr<Accelerator> make_chebyshev(const ChebyshevOptions& options);

}  // namespace sinew
