#include "contact/cull.h"

#include "exec/kernel_choice.h"

namespace sinew {

#define SINEW_KERNELS(W) extern const CullKernels cull_kernels_##W;
SINEW_EACH_WIDTH(SINEW_KERNELS)
#undef SINEW_KERNELS

const CullKernels* cull_kernels_with_lanes(int float_lanes) {
  switch (width_for(float_lanes)) {
#define SINEW_KERNELS(W) \
  case W:                \
    return &cull_kernels_##W;
    SINEW_EACH_WIDTH(SINEW_KERNELS)
#undef SINEW_KERNELS
    default:
      return nullptr;
  }
}

}  // namespace sinew
