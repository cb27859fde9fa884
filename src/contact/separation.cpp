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

// The intervals that the two sides cover along a normal, and a bound on their rounding: that of a point whose
// coordinates are as large as any. It is no less than that of each (dot_below), for rounding keeps order.
struct Shadows {
  double first_low, first_high, second_low, second_high, rounding;

  Shadows(Vec3d n, const std::array<Vec3d, 4>& x, int first_side) {
    const double a = dot(n, x[0]), b = dot(n, x[1]), c = dot(n, x[2]), d = dot(n, x[3]);
    second_low = lower(c, d);
    second_high = higher(c, d);
    first_low = first_high = a;
    if (first_side == 2) {
      first_low = lower(a, b);
      first_high = higher(a, b);
    } else {
      second_low = lower(b, second_low);
      second_high = higher(b, second_high);
    }
    const auto largest = [&](double Vec3d::*c0) {
      return max(max(abs(x[0].*c0), abs(x[1].*c0)), max(abs(x[2].*c0), abs(x[3].*c0)));
    };
    rounding = rounding_of_dot(n, {largest(&Vec3d::x), largest(&Vec3d::y), largest(&Vec3d::z)});
  }
};

}  // namespace

Separation separation_along(Vec3d n, const std::array<Vec3d, 4>& x, int first_side) {
  const Shadows s(n, x, first_side);
  return {n, s.first_low - s.rounding, s.second_high + s.rounding};
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
  const Shadows s(n, x, first_side);
  if (s.first_low - s.second_high >= s.second_low - s.first_high)
    return {n, s.first_low - s.rounding, s.second_high + s.rounding};
  return {-n, -s.first_high - s.rounding, s.rounding - s.second_low};
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
