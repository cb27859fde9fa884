// Over-relaxation of whole sweeps with a constant factor w; x~^(n) is one sweep applied to x^(n-1):
//   richardson  x^(n) = w (x~^(n) - x^(n-2)) + x^(n-2) from n = 2 on (Chen et al. 2023, PBNG, eq. 53, as printed): the
//               second-order Richardson iteration, which is Chebyshev's with a constant w (accel/chebyshev.h)
//   sweep       x^(n) = w (x~^(n) - x^(n-1)) + x^(n-1)
// For sweeps with eigenvalues in [0, t], t < 1, both converge for 0 < w < 2. richardson is fastest at w = 2/(1 + sqrt(1
// - t^2)), above which its convergence rate is sqrt(w - 1) per sweep; it is behind plain sweeps in the first dozen.
// sweep is fastest at 2/(2 - t). If sweeps rotate, as those of FP-PXPBD do between positions and stresses, their
// eigenvalues a + i b are complex: richardson converges for a^2 + (b w/(2 - w))^2 < 1, so |b| < 2/3 at w = 1.2 and 1/3
// at 1.5; sweep for (1 - w + w a)^2 + (w b)^2 < 1. Multipliers, if any, change with the positions.
#pragma once

#include <string_view>

#include "accel/accelerator.h"
#include "base/parameters.h"

namespace sinew {

inline constexpr std::string_view sor_form_names[] = {"richardson", "sweep"};
enum SorForm : int { sor_richardson, sor_sweep };

struct SorOptions {
  double omega = 1.2;
  int form = sor_richardson;

  static constexpr const char* name = "sor";
  static constexpr const char* summary = "over-relaxation of whole sweeps by a constant factor";
};

inline constexpr Parameter<SorOptions> sor_parameters[] = {
    {"omega",
     &SorOptions::omega,
     "-",
     {0, 2, true, true},
     "factor of the changes; 1: plain sweeps, above 1: over-relaxed. For a sweep of rate t richardson is fastest at "
     "2/(1 + sqrt(1 - t^2)): 1.4 for 0.9, 1.75 for 0.99; PBNG uses 1.7. The default is no loss under any solver that "
     "converges; with fp_pxpbd, "
     "whose sweeps turn, richardson diverges from 1.3 on, sweep does not up to 1.5"},
    {"form",
     &SorOptions::form,
     "-",
     {},
     "richardson: multiply the change since the last but one iterate, faster in the end and slower at first; sweep: "
     "multiply the change of the sweep",
     sor_form_names},
};

std::unique_ptr<Accelerator> make_sor(const SorOptions& options);

}  // namespace sinew
