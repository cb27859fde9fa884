#include "exec/instruction_set.h"

#include <algorithm>
#include <atomic>
#include <iterator>

namespace sinew {
namespace {

std::atomic<int> chosen{0};  // 0: the widest available

bool cpu_has(int float_lanes) {
#if defined(__x86_64__)
  if (float_lanes == 16 && !(__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                             __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw")))
    return false;
  if (float_lanes >= 8) return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#endif
  return float_lanes <= 4;
}

bool is_compiled(int float_lanes) {
  switch (float_lanes) {
#if defined(SINEW_KERNELS_16)
    case 16:
      return true;
#endif
#if defined(SINEW_KERNELS_8)
    case 8:
      return true;
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

constexpr int widths[] = {1, 4, 8, 16};

}  // namespace

bool has_float_lanes(int float_lanes) {
  return is_compiled(float_lanes) && cpu_has(float_lanes);
}

Error no_such_lanes(const std::string& where, int lanes) {
  std::string offered;
  for (const int width : available_lanes()) offered += (offered.empty() ? "" : ", ") + std::to_string(width);
  const bool is_width = std::find(std::begin(widths), std::end(widths), lanes) != std::end(widths);
  const char* const why = !is_width        ? "there is no such width"
                          : cpu_has(lanes) ? "this program was built without that width"
                                           : "this CPU does not have that width";
  return {where, "= " + std::to_string(lanes) + " [-]: " + why, "use one of " + offered + ", or 0 for the widest"};
}

std::vector<int> available_lanes() {
  std::vector<int> available;
  for (const int lanes : widths) {
    if (has_float_lanes(lanes)) available.push_back(lanes);
  }
  return available;
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
