#include "solver/sweep.h"

#include "exec/instruction_set.h"

namespace sinew {

extern const Kernels kernels_scalar, kernels_4;
#if defined(SINEW_KERNELS_8)
extern const Kernels kernels_8;
#endif
#if defined(SINEW_KERNELS_16)
extern const Kernels kernels_16;
#endif

const Kernels* kernels_with_lanes(int float_lanes) {
  if (float_lanes == 0) float_lanes = lanes_in_use();
  if (!has_float_lanes(float_lanes)) return nullptr;
  switch (float_lanes) {
#if defined(SINEW_KERNELS_16)
    case 16:
      return &kernels_16;
#endif
#if defined(SINEW_KERNELS_8)
    case 8:
      return &kernels_8;
#endif
    case 4:
      return &kernels_4;
    default:
      return &kernels_scalar;
  }
}

}  // namespace sinew
