// Chebyshev semi-iteration (Golub & Van Loan; Wang 2015; Chen et al. 2024, eqs. 18-19):
//   x^(n) = w_n (x~^(n) - x^(n-2)) + x^(n-2),   w_1 = 1, w_2 = 2/(2 - rho^2), w_n = 4/(4 - rho^2 w_(n-1)),
// where x~^(n) is one sweep applied to x^(n-1) and rho estimates the sweep's convergence rate. Too large a rho slows
// the iteration down or makes it diverge. With rho = 0 it is measured anew in every step: after some plain sweeps, rho
// = (|dx_k| / |dx_(k-m)|)^(1/m), and if the changes start to grow the acceleration starts over. Multipliers, where
// there are any, move with the positions.
#pragma once

#include "accel/accelerator.h"
#include "base/parameters.h"

namespace sinew {

struct ChebyshevOptions {
  double rho = 0;
  int delay = 1;

  static constexpr const char* name = "chebyshev";
  static constexpr const char* summary = "Chebyshev semi-iteration; rho by hand or measured";
};

inline constexpr Parameter<ChebyshevOptions> chebyshev_parameters[] = {
    {"rho",
     &ChebyshevOptions::rho,
     "-",
     {0, 1, false, true},
     "estimate of the convergence rate of a plain sweep, 0.75 (soft) to 0.95 (stiff); 0: measure it in every step"},
    {"delay", &ChebyshevOptions::delay, "-", {1, 1000}, "plain sweeps before acceleration sets in (rho given by hand)"},
};

std::unique_ptr<Accelerator> make_chebyshev(const ChebyshevOptions& options);

}  // namespace sinew
