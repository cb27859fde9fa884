// Limits of picture sizes.
#pragma once

#include <cstdint>
#include <string>

#include "base/format.h"

namespace sinew {

inline constexpr int least_side = 16, most_side = 8192;         // [px]
inline constexpr int64_t most_pixels = int64_t{4096} * 4096;    // about 130 bytes of memory per pixel
inline constexpr double least_aspect = 0.05, most_aspect = 20;  // width / height, both excluded

// The fault of a size, as "must ..."; empty if there is none.
inline std::string size_fault(int width, int height) {
  if (width < least_side || width > most_side || height < least_side || height > most_side)
    return format("must have %d to %d pixels along each side", least_side, most_side);
  if (int64_t{width} * height > most_pixels) return "must not have more pixels than 4096 x 4096";
  const double aspect = static_cast<double>(width) / height;
  if (!(aspect > least_aspect && aspect < most_aspect))
    return "must be less than 20 times as long one way as the other";
  return {};
}

}  // namespace sinew
