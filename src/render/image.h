// A finished picture: 8 bits a channel, sRGB, row 0 on top.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sinew {

struct Image {
  int width = 0;
  int height = 0;
  std::vector<uint8_t> rgb;  // 3 x width x height

  uint8_t* pixel(int x, int y) { return &rgb[3 * (static_cast<size_t>(y) * width + x)]; }
  const uint8_t* pixel(int x, int y) const { return &rgb[3 * (static_cast<size_t>(y) * width + x)]; }
};

}  // namespace sinew
