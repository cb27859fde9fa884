#include "objective/element_terms.h"

#include "exec/instruction_set.h"

namespace sinew {

extern ElementKernel *const element_kernel_scalar, *const element_kernel_4;
#if defined(SINEW_KERNELS_8)
extern ElementKernel* const element_kernel_8;
#endif
#if defined(SINEW_KERNELS_16)
extern ElementKernel* const element_kernel_16;
#endif

ElementKernel* element_kernel_with_lanes(int float_lanes) {
  if (float_lanes == 0) float_lanes = lanes_in_use();
  if (!has_float_lanes(float_lanes)) return nullptr;
  switch (float_lanes) {
#if defined(SINEW_KERNELS_16)
    case 16:
      return element_kernel_16;
#endif
#if defined(SINEW_KERNELS_8)
    case 8:
      return element_kernel_8;
#endif
    case 4:
      return element_kernel_4;
    default:
      return element_kernel_scalar;
  }
}

}  // namespace sinew
