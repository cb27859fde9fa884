#include "solver/sweep.h"

#include "exec/kernel_choice.h"

namespace sinew {

#define SINEW_KERNELS(W) extern const Kernels kernels_##W;
SINEW_EACH_WIDTH(SINEW_KERNELS)
#undef SINEW_KERNELS

const Kernels* kernels_with_lanes(int float_lanes) {
  switch (width_for(float_lanes)) {
#define SINEW_KERNELS(W) \
  case W:                \
    return &kernels_##W;
    SINEW_EACH_WIDTH(SINEW_KERNELS)
#undef SINEW_KERNELS
    default:
      return nullptr;
  }
}

}  // namespace sinew
