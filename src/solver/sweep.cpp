#include "solver/sweep.h"

namespace sinew {

extern const Kernels kernels_scalar, kernels_4;
#if defined(SINEW_X86_KERNELS)
extern const Kernels kernels_8, kernels_16;
#endif

const Kernels* kernels_with_lanes(int float_lanes) {
#if defined(SINEW_X86_KERNELS)
  const bool has_16 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
  const bool has_8 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (has_16 && (float_lanes == 0 || float_lanes == 16)) return &kernels_16;
  if (has_8 && (float_lanes == 0 || float_lanes == 8)) return &kernels_8;
#endif
  if (float_lanes == 0 || float_lanes == 4) return &kernels_4;
  if (float_lanes == 1) return &kernels_scalar;
  return nullptr;
}

}  // namespace sinew
