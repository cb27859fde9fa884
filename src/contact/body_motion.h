// How a body has moved since the start of a step: as a whole, and its points by themselves.
#pragma once

#include <cmath>

#include "math/vec.h"

namespace sinew {

struct BodyMotion {
  Vec3d mean{};     // [m]
  double rest = 0;  // [m] no point has moved from where `mean` takes it by more
};

// [m] The farthest that two points can have moved towards each other, of two bodies or of one.
inline double way_between(const BodyMotion& a, const BodyMotion& b) {
  const Vec3d d = a.mean - b.mean;
  return std::sqrt(dot(d, d)) + a.rest + b.rest;
}

}  // namespace sinew
