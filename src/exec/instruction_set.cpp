#include "exec/instruction_set.h"

#include <atomic>

namespace sinew {
namespace {

std::atomic<int> chosen{0};  // 0: the widest available

}  // namespace

bool has_float_lanes(int float_lanes) {
  switch (float_lanes) {
#if defined(SINEW_KERNELS_16)
    case 16:
      return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
             __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
             __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#endif
#if defined(SINEW_KERNELS_8)
    case 8:
      return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#endif
    case 4:
      return true;
#if defined(SINEW_KERNELS_1)
    case 1:
      return true;
#endif
    default:
      return false;
  }
}

Error no_such_lanes(const std::string& where, int lanes) {
  std::string widths;
  for (const int width : available_lanes()) widths += (widths.empty() ? "" : ", ") + std::to_string(width);
  return {where, "= " + std::to_string(lanes) + " [-]: this CPU or program has no such width",
          "use one of " + widths + ", or 0 for the widest"};
}

std::vector<int> available_lanes() {
  std::vector<int> widths;
  for (const int lanes : {1, 4, 8, 16}) {
    if (has_float_lanes(lanes)) widths.push_back(lanes);
  }
  return widths;
}

int lanes_in_use() {
  const int lanes = chosen;
  return lanes > 0 ? lanes : available_lanes().back();
}

Status set_lanes(int lanes) {
  if (lanes != 0 && !has_float_lanes(lanes)) return no_such_lanes("lanes", lanes);
  chosen = lanes;
  return {};
}

}  // namespace sinew
