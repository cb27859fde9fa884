// From light to display values.
#pragma once

#include <algorithm>

#include "math/vec.h"

namespace sinew {

// After the "PBR Neutral" curve of the Khronos Group (2024): colours below the shoulder are unchanged, so that they
// match the legend; highlights roll off towards white without a change of hue.
inline Vec3f tone_map(Vec3f c) {
  constexpr float start = 0.76f, desaturation = 0.15f;
  const float peak = std::max({c.x, c.y, c.z});
  if (!(peak > start)) return c;
  constexpr float room = 1 - start;
  const float compressed = 1 - room * room / (peak + room - start);
  const float scale = compressed / peak;
  const float whiter = 1 - 1 / (desaturation * (peak - compressed) + 1);
  const auto channel = [&](float x) { return (1 - whiter) * scale * x + whiter * compressed; };
  return {channel(c.x), channel(c.y), channel(c.z)};
}

}  // namespace sinew
