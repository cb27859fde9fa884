#include "render/kernels.h"

#include <algorithm>

#include "exec/instruction_set.h"

namespace sinew {

extern const PictureKernels picture_kernels_4;
#if defined(SINEW_KERNELS_8)
extern const PictureKernels picture_kernels_8;
#endif
#if defined(SINEW_KERNELS_16)
extern const PictureKernels picture_kernels_16;
#endif

const PictureKernels* picture_kernels(int floats) {
  if (floats == 0) floats = std::max(lanes_in_use(), 4);
  if (!has_float_lanes(floats)) return nullptr;
  switch (floats) {
#if defined(SINEW_KERNELS_16)
    case 16:
      return &picture_kernels_16;
#endif
#if defined(SINEW_KERNELS_8)
    case 8:
      return &picture_kernels_8;
#endif
    case 4:
      return &picture_kernels_4;
    default:
      return nullptr;
  }
}

}  // namespace sinew
