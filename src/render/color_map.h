// Colours with a meaning: maps from numbers, and a palette that distinguishes objects.
#pragma once

#include <array>

#include "math/vec.h"

namespace sinew {

// Built in Oklab (B. Ottosson, 2020) with evenly increasing lightness, so that equal steps look equal, also in black
// and white.
enum class ColorMap {
  viridis,  // dark violet, blue, green, yellow
  magma,    // dark violet, red, pale yellow
  balance,  // blue, pale grey, red: for signed values; lightness is symmetric
};

// t in [0, 1] is clamped; linear light, in gamut.
Vec3f map_color(ColorMap map, float t);

// 257 evenly spaced entries, for interpolation.
std::array<Vec3f, 257> color_table(ColorMap map);

// A palette for objects and materials in the spirit of Okabe and Ito (2008), toned down for lit surfaces: distinct
// under the common forms of colour blindness. Repeats after eight.
Vec3f object_color(int object);

float srgb_from_linear(float x);
float linear_from_srgb(float x);
inline float luminance(Vec3f c) {
  return 0.2126f * c.x + 0.7152f * c.y + 0.0722f * c.z;
}

}  // namespace sinew
