#include "render/kernels.h"

namespace sinew {

extern const PictureKernels picture_kernels_4;
#if defined(SINEW_X86_KERNELS)
extern const PictureKernels picture_kernels_8, picture_kernels_16;
#endif

const PictureKernels* picture_kernels(int floats) {
#if defined(SINEW_X86_KERNELS)
  const bool has_16 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
  const bool has_8 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (has_16 && (floats == 0 || floats == 16)) return &picture_kernels_16;
  if (has_8 && (floats == 0 || floats == 8)) return &picture_kernels_8;
#endif
  return floats == 0 || floats == 4 ? &picture_kernels_4 : nullptr;
}

}  // namespace sinew
