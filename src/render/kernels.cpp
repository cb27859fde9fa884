#include "render/kernels.h"

namespace sinew {

extern const PictureKernels picture_kernels_4;
#if defined(SINEW_X86_KERNELS)
extern const PictureKernels picture_kernels_8, picture_kernels_16;
#endif

const PictureKernels& picture_kernels() {
#if defined(SINEW_X86_KERNELS)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512bw"))
    return picture_kernels_16;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return picture_kernels_8;
#endif
  return picture_kernels_4;
}

}  // namespace sinew
