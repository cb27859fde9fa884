#pragma once

#include <cmath>

#include "math/length.h"

namespace sinew {

// [sr] Of a triangle seen from the origin (van Oosterom and Strackee
// 1983). The sum over a closed surface is 4 pi times how often it encloses the origin.
inline double solid_angle(Vec3d a, Vec3d b, Vec3d c) {
  const double la = length(a), lb = length(b), lc = length(c);
  return 2 * std::atan2(dot(a, cross(b, c)), la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
}

}  // namespace sinew
