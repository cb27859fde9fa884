// The length of a vector, and whether its coordinates are numbers.
#pragma once

#include <cmath>

#include "math/vec.h"

namespace sinew {

SINEW_INLINE double length(Vec3d v) {
  return std::sqrt(dot(v, v));
}

SINEW_INLINE bool is_finite(Vec3d v) {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

}  // namespace sinew
