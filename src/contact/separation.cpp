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

// What is left of v across u, to the rounding of what is left: v may be much longer.
Vec3d across(Vec3d v, Vec3d u) {
  const double square = dot(u, u);
  if (!(square > 0)) return v;
  v = v - (dot(v, u) / square) * u;
  return v - (dot(v, u) / square) * u;
}

// Widens the best separation by those along an axis, either way.
class Widest {
 public:
  Widest(const std::array<Vec3d, 4>& x, int first_side, const Separation& first)
      : x_(x), first_side_(first_side), best_(first) {}

  void try_axis(Vec3d axis) {
    const Vec3d n = direction_of(axis);
    if (!(largest_of(n) > 0)) return;
    take(separation_along(n, x_, first_side_));
    take(separation_along(-n, x_, first_side_));
  }
  const Separation& best() const { return best_; }

 private:
  void take(const Separation& s) {
    if (s.gap() > best_.gap() || !(best_.gap() == best_.gap())) best_ = s;
  }

  const std::array<Vec3d, 4>& x_;
  int first_side_;
  Separation best_;
};

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

Separation separate(const std::array<Vec3d, 4>& x, int first_side) {
  const Vec3d closest = between_closest(x, first_side);
  const double distance = sqrt(dot(closest, closest));
  const Separation first = separation_along((1 / distance) * closest, x, first_side);
  // Across the shortest way between them the gap is as wide as it is long, except for rounding.
  if (first.gap() > .99 * distance) return first;

  // Very near, or without length or area. Then normals of faces and edges are more precise than differences of near
  // points, and where all is precise they are all that can separate.
  Widest widest(x, first_side, first);
  widest.try_axis(closest);
  if (first_side == 1) {
    const Vec3d face = cross(x[2] - x[1], x[3] - x[1]);
    widest.try_axis(face);
    for (size_t k = 1; k < 4; ++k) {
      const Vec3d edge = x[k % 3 + 1] - x[k];
      widest.try_axis(across(x[0] - x[k], edge));
      widest.try_axis(cross(edge, face));
      widest.try_axis(x[0] - x[k]);
      widest.try_axis(edge);
    }
  } else {
    const Vec3d u = x[1] - x[0], v = x[3] - x[2], face = cross(u, v);
    widest.try_axis(face);
    for (size_t a = 0; a < 2; ++a) {
      for (size_t b = 2; b < 4; ++b) {
        widest.try_axis(across(x[a] - x[b], v));
        widest.try_axis(across(x[a] - x[b], u));
        widest.try_axis(x[a] - x[b]);
      }
    }
    widest.try_axis(cross(u, face));
    widest.try_axis(cross(v, face));
    widest.try_axis(u);
    widest.try_axis(v);
  }
  return widest.best();
}

}  // namespace sinew
