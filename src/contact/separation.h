// Planes between the two sides of a pair: a point and a triangle, or two segments. Certified: what is said of n . x
// holds exactly, for a normal and points as stored.
#pragma once

#include <array>
#include <limits>

#include "contact/contact_surface.h"
#include "math/lane.h"
#include "math/vec.h"

namespace sinew {

// Bounds of n . x. Three products and two sums, each rounded once: less than 3 half ulps of the sum of absolute values.
// The rest is for the rounding of that sum and of the bound itself. Products that underflow lose less than the least
// normal number.
inline double rounding_of_dot(Vec3d n, Vec3d x) {
  constexpr double bound = 3 * std::numeric_limits<double>::epsilon();
  return bound * (abs(n.x * x.x) + abs(n.y * x.y) + abs(n.z * x.z)) + std::numeric_limits<double>::min();
}
inline double dot_below(Vec3d n, Vec3d x) {
  return dot(n, x) - rounding_of_dot(n, x);
}
inline double dot_above(Vec3d n, Vec3d x) {
  return dot(n, x) + rounding_of_dot(n, x);
}

// [m] A point is above a half space by at least this.
inline double least_height(const ContactPlane& plane, Vec3d x) {
  return dot_below(plane.normal, x) - dot_above(plane.normal, plane.point);
}

// Side 1 of a pair are its first 1 (a point and a triangle) or 2 corners (segments).
struct Separation {
  Vec3d n{};        // |n| = 1 but for rounding, towards side 1
  double low = 0;   // n . x >= low of all corners of side 1
  double high = 0;  // n . x <= high of all corners of side 2

  double gap() const { return low - high; }  // [m]
};

Separation separation_along(Vec3d n, const std::array<Vec3d, 4>& x, int first_side);

// v without its part along u, precise also where little is left of it.
Vec3d across(Vec3d v, Vec3d u);
// The normal of a pair's triangle, or of both its edges; of any length.
Vec3d flat_normal(const std::array<Vec3d, 4>& x, int first_side);
// Along an axis of any length, either way, whichever has the wider gap; without a gap if the axis has no length.
Separation separate_along(Vec3d axis, const std::array<Vec3d, 4>& x, int first_side);

// The one with the widest gap, or nearly. gap() > 0 means that the two sides are apart; else no plane was found: they
// touch, or are nearer than rounding can tell (1e-8 of their size where an end of an edge is involved, else 1e-15).
Separation separate(const std::array<Vec3d, 4>& x, int first_side);

}  // namespace sinew
