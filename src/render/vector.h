// Vector functions that only rendering needs, in single precision.
#pragma once

#include <cmath>

#include "math/vec.h"

namespace sinew {

SINEW_INLINE Vec3f multiply(Vec3f a, Vec3f b) {
  return {a.x * b.x, a.y * b.y, a.z * b.z};
}
SINEW_INLINE Vec3f mix(Vec3f a, Vec3f b, float t) {
  return a + t * (b - a);
}
SINEW_INLINE float length(Vec3f a) {
  return std::sqrt(dot(a, a));
}
// Keeps the zero vector.
SINEW_INLINE Vec3f normalised(Vec3f a) {
  const float squared = dot(a, a);
  return squared > 0 ? (1 / std::sqrt(squared)) * a : a;
}
SINEW_INLINE Vec3f narrow(Vec3d a) {
  return {static_cast<float>(a.x), static_cast<float>(a.y), static_cast<float>(a.z)};
}
SINEW_INLINE float smoothstep(float low, float high, float x) {
  float t = (x - low) / (high - low);
  t = t < 0 ? 0 : t > 1 ? 1 : t;
  return t * t * (3 - 2 * t);
}

// An orthonormal basis around a unit normal: T. Duff et al., "Building an Orthonormal Basis, Revisited", JCGT 2017.
struct Basis {
  Vec3f t, b, n;
};
SINEW_INLINE Basis basis_around(Vec3f n) {
  const float sign = n.z < 0 ? -1.0f : 1.0f;
  const float a = -1 / (sign + n.z), b = n.x * n.y * a;
  return {{1 + sign * n.x * n.x * a, sign * b, -sign * n.x}, {b, sign + n.y * n.y * a, -n.y}, n};
}
SINEW_INLINE Vec3f to_world(const Basis& basis, Vec3f v) {
  return v.x * basis.t + v.y * basis.b + v.z * basis.n;
}

}  // namespace sinew
