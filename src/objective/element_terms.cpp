#include "objective/element_terms.h"

#include "exec/kernel_choice.h"

namespace sinew {

#define SINEW_KERNELS(W) extern ElementKernel* const element_kernel_##W;
SINEW_EACH_WIDTH(SINEW_KERNELS)
#undef SINEW_KERNELS

ElementKernel* element_kernel_with_lanes(int float_lanes) {
  switch (width_for(float_lanes)) {
#define SINEW_KERNELS(W) \
  case W:                \
    return element_kernel_##W;
    SINEW_EACH_WIDTH(SINEW_KERNELS)
#undef SINEW_KERNELS
    default:
      return nullptr;
  }
}

}  // namespace sinew
