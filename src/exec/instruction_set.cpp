#include "exec/instruction_set.h"

namespace sinew {

bool has_float_lanes(int float_lanes) {
  switch (float_lanes) {
#if defined(SINEW_X86_KERNELS)
    case 16:
      return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
             __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") && has_float_lanes(8);
    case 8:
      return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#endif
    case 4:
    case 1:
      return true;
    default:
      return false;
  }
}

int widest_float_lanes() {
  if (has_float_lanes(16)) return 16;
  return has_float_lanes(8) ? 8 : 4;
}

}  // namespace sinew
