#include "contact/separation.h"

#include <algorithm>

#include "contact/distance.h"

namespace sinew {
namespace {

// What is no number stays none, unlike with min and max.
double lower(double a, double b) {
  return a < b || a != a ? a : b;
}
double higher(double a, double b) {
  return a > b || a != a ? a : b;
}

double largest_of(Vec3d v) {
  return std::max({abs(v.x), abs(v.y), abs(v.z)});
}

// Zero, or not finite, if v is. Scaled first: squares of small numbers vanish.
Vec3d direction_of(Vec3d v) {
  const double scale = largest_of(v);
  if (!(scale > 0)) return {};
  const Vec3d u{v.x / scale, v.y / scale, v.z / scale};
  return (1 / sqrt(dot(u, u))) * u;
}

Vec3d between_closest(const std::array<Vec3d, 4>& x, int first_side) {
  if (first_side == 1) {
    const TriangleFoot<double> foot = closest_on_triangle(x[0], x[1], x[2], x[3]);
    return x[0] - (x[1] + foot.weights[1] * (x[2] - x[1]) + foot.weights[2] * (x[3] - x[1]));
  }
  const SegmentFeet<double> feet = closest_on_segments(x[0], x[1], x[2], x[3]);
  return x[0] - x[2] + feet.p * (x[1] - x[0]) - feet.q * (x[3] - x[2]);
}

}  // namespace

Separation separation_along(Vec3d n, const std::array<Vec3d, 4>& x, int first_side) {
  Separation s{n, dot_below(n, x[0]), higher(dot_above(n, x[2]), dot_above(n, x[3]))};
  if (first_side == 2) {
    s.low = lower(s.low, dot_below(n, x[1]));
  } else {
    s.high = higher(s.high, dot_above(n, x[1]));
  }
  return s;
}

Vec3d across(Vec3d v, Vec3d u) {
  const double square = dot(u, u);
  if (!(square > 0)) return v;
  // The second time removes what rounding left of the first, where v is much longer.
  v = v - (dot(v, u) / square) * u;
  return v - (dot(v, u) / square) * u;
}

Vec3d flat_normal(const std::array<Vec3d, 4>& x, int first_side) {
  return first_side == 1 ? cross(x[2] - x[1], x[3] - x[1]) : cross(x[1] - x[0], x[3] - x[2]);
}

Separation separate_along(Vec3d axis, const std::array<Vec3d, 4>& x, int first_side) {
  const Vec3d n = direction_of(axis);
  const Separation up = separation_along(n, x, first_side), down = separation_along(-n, x, first_side);
  return down.gap() > up.gap() ? down : up;
}

Separation separate(const std::array<Vec3d, 4>& x, int first_side) {
  const Vec3d closest = between_closest(x, first_side);
  const double distance = sqrt(dot(closest, closest));
  const Separation first = separation_along((1 / distance) * closest, x, first_side);
  // Across the shortest way between them the gap is as wide as it is long, except for rounding.
  if (first.gap() > .99 * distance) return first;

  // Very near, or without length or area. Then normals of faces and edges are more precise than differences of near
  // points, and where all is precise they are all that can separate.
  Separation widest = first;
  const auto try_axis = [&](Vec3d axis) {
    const Separation s = separate_along(axis, x, first_side);
    if (s.gap() > widest.gap() || !(widest.gap() <= 0 || widest.gap() > 0)) widest = s;
  };
  const Vec3d flat = flat_normal(x, first_side);
  try_axis(closest);
  try_axis(flat);
  if (first_side == 1) {
    for (size_t k = 1; k < 4; ++k) {
      const Vec3d edge = x[k % 3 + 1] - x[k];
      try_axis(across(x[0] - x[k], edge));
      try_axis(cross(edge, flat));
      try_axis(x[0] - x[k]);
      try_axis(edge);
    }
  } else {
    for (const Vec3d edge : {x[1] - x[0], x[3] - x[2]}) {
      for (size_t a = 0; a < 2; ++a)
        for (size_t b = 2; b < 4; ++b) try_axis(across(x[a] - x[b], edge));
      try_axis(cross(edge, flat));
      try_axis(edge);
    }
    for (size_t a = 0; a < 2; ++a)
      for (size_t b = 2; b < 4; ++b) try_axis(x[a] - x[b]);
  }
  return widest;
}

}  // namespace sinew
