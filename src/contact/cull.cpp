#include "contact/cull.h"

#include "exec/instruction_set.h"

namespace sinew {

extern const CullKernels cull_kernels_scalar, cull_kernels_4;
#if defined(SINEW_KERNELS_8)
extern const CullKernels cull_kernels_8;
#endif
#if defined(SINEW_KERNELS_16)
extern const CullKernels cull_kernels_16;
#endif

const CullKernels* cull_kernels_with_lanes(int float_lanes) {
  if (float_lanes == 0) float_lanes = lanes_in_use();
  if (!has_float_lanes(float_lanes)) return nullptr;
  switch (float_lanes) {
#if defined(SINEW_KERNELS_16)
    case 16:
      return &cull_kernels_16;
#endif
#if defined(SINEW_KERNELS_8)
    case 8:
      return &cull_kernels_8;
#endif
    case 4:
      return &cull_kernels_4;
    default:
      return &cull_kernels_scalar;
  }
}

}  // namespace sinew
