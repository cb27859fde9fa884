// Rotation matrices by axis and angle (Rodrigues 1840), the convention of scenes and shapes.
#pragma once

#include <cmath>

#include "math/sine.h"
#include "math/vec.h"

namespace sinew {

// About an axis of any length, counter-clockwise with the axis pointing at the viewer; exact for angle 0.
inline Mat3<double> rotation(Vec3<double> axis, double degrees) {
  const double length = std::sqrt(dot(axis, axis));
  if (degrees == 0 || length == 0) return diagonal(1.0, 1.0, 1.0);
  const Vec3<double> k = (1 / length) * axis;
  const Mat3<double> cross_k{{0, k.z, -k.y}, {-k.z, 0, k.x}, {k.y, -k.x, 0}};
  const double half = sine_of_degrees(degrees / 2);
  return diagonal(1.0, 1.0, 1.0) + sine_of_degrees(degrees) * cross_k + (2 * half * half) * (cross_k * cross_k);
}

// R - 1 about an axis of length 1 by an angle [rad], precise where that is small.
inline Mat3<double> rotation_minus_identity(Vec3<double> k, double angle) {
  const Mat3<double> cross_k{{0, k.z, -k.y}, {-k.z, 0, k.x}, {k.y, -k.x, 0}};
  const double s = sine(angle), half = sine(angle / 2);
  return s * cross_k + (2 * half * half) * (cross_k * cross_k);
}

}  // namespace sinew
