#include "render/kernels.h"

#include <algorithm>

#include "exec/kernel_choice.h"

namespace sinew {

#define SINEW_KERNELS(W) extern const PictureKernels picture_kernels_##W;
SINEW_EACH_VECTOR_WIDTH(SINEW_KERNELS)
#undef SINEW_KERNELS

const PictureKernels* picture_kernels(int floats) {
  switch (width_for(floats == 0 ? std::max(lanes_in_use(), 4) : floats)) {
#define SINEW_KERNELS(W) \
  case W:                \
    return &picture_kernels_##W;
    SINEW_EACH_VECTOR_WIDTH(SINEW_KERNELS)
#undef SINEW_KERNELS
    default:
      return nullptr;
  }
}

}  // namespace sinew
