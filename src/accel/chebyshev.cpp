#include "accel/chebyshev.h"

#include "accel/accelerator_info.h"
#include "accel/chebyshev_rule.h"

namespace sinew {

std::unique_ptr<Accelerator> make_chebyshev(const ChebyshevOptions& options) {
  return std::make_unique<AcceleratorByRule<ChebyshevRule, ChebyshevOptions>>(options);
}

AcceleratorInfo chebyshev_info() {
  return accelerator_info<ChebyshevOptions, chebyshev_parameters, make_chebyshev>();
}

}  // namespace sinew
