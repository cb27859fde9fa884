#include "accel/sor.h"

#include "accel/accelerator_info.h"
#include "accel/sor_rule.h"

namespace sinew {

std::unique_ptr<Accelerator> make_sor(const SorOptions& options) {
  return std::make_unique<AcceleratorByRule<SorRule, SorOptions>>(options);
}

AcceleratorInfo sor_info() {
  return accelerator_info<SorOptions, sor_parameters, make_sor>();
}

}  // namespace sinew
