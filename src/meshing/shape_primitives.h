// Distances to the primitive shapes, exact inside and outside, and their support functions (the extent in a direction,
// for boxes that stay tight under rotation). The formulas are those of the plane figures from which the shapes are
// revolved or extruded; most are collected by Quilez ("Distance functions", 2D and 3D).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "math/lane.h"

namespace sinew::primitive {

template <class T>
SINEW_INLINE T length(T x, T y) {
  return sqrt(x * x + y * y);
}
template <class T>
SINEW_INLINE T length(Vec3<T> x) {
  return sqrt(dot(x, x));
}
inline double radial(Vec3d u) {
  return std::sqrt(u.x * u.x + u.z * u.z);
}

struct Ball {
  double radius;

  template <class T>
  T distance(Vec3<T> x) const {
    return length(x) - splat<T>(radius);
  }
  double reach(Vec3d) const { return radius; }
};

// A box of these half lengths, expanded by a radius.
struct Box {
  Vec3d half;
  double grown;

  template <class T>
  T distance(Vec3<T> x) const {
    const T zero = splat<T>(0);
    const Vec3<T> q{abs(x.x) - splat<T>(half.x), abs(x.y) - splat<T>(half.y), abs(x.z) - splat<T>(half.z)};
    const Vec3<T> out{max(q.x, zero), max(q.y, zero), max(q.z, zero)};
    return length(out) + min(max(q.x, max(q.y, q.z)), zero) - splat<T>(grown);
  }
  double reach(Vec3d u) const {
    return std::abs(u.x) * half.x + std::abs(u.y) * half.y + std::abs(u.z) * half.z + grown;
  }
};

struct Torus {
  double radius, tube_radius;

  template <class T>
  T distance(Vec3<T> x) const {
    return length(length(x.x, x.z) - splat<T>(radius), x.y) - splat<T>(tube_radius);
  }
  double reach(Vec3d u) const { return radius * radial(u) + tube_radius; }
};

// The convex hull of two balls, neither inside the other. In the plane of the axis (y from the first centre) and the
// distance r from it, the straight side has the normal (cos, sin), sin = (r1 - r2) / length; points whose foot lies
// beyond its ends are nearest to a ball.
struct RoundedCone {
  Vec3d from, axis;  // axis of length 1
  double axis_length, from_radius, to_radius, sine, cosine;

  RoundedCone(Vec3d a, Vec3d b, double a_radius, double b_radius)
      : from(a), from_radius(a_radius), to_radius(b_radius) {
    const Vec3d ab = b - a;
    axis_length = std::sqrt(dot(ab, ab));
    axis = (1 / axis_length) * ab;
    sine = (a_radius - b_radius) / axis_length;
    cosine = std::sqrt(1 - sine * sine);
  }
  template <class T>
  T distance(Vec3<T> x) const {
    const Vec3<T> u{splat<T>(axis.x), splat<T>(axis.y), splat<T>(axis.z)};
    const Vec3<T> p = x - Vec3<T>{splat<T>(from.x), splat<T>(from.y), splat<T>(from.z)};
    const T y = dot(p, u), whole = splat<T>(axis_length), s = splat<T>(sine), c = splat<T>(cosine);
    const T r = length(p - y * u);
    const T foot = y * c - r * s;
    const T side = r * c + y * s - splat<T>(from_radius);
    const T first = length(r, y) - splat<T>(from_radius), second = length(r, y - whole) - splat<T>(to_radius);
    return select(foot < splat<T>(0), first, select(foot > whole * c, second, side));
  }
  double reach(Vec3d u) const {
    return std::max(dot(u, from) + from_radius, dot(u, from + axis_length * axis) + to_radius);
  }
};

struct Cylinder {
  double radius, half;

  template <class T>
  T distance(Vec3<T> x) const {
    const T zero = splat<T>(0);
    const T r = length(x.x, x.z) - splat<T>(radius), y = abs(x.y) - splat<T>(half);
    return length(max(r, zero), max(y, zero)) + min(max(r, y), zero);
  }
  double reach(Vec3d u) const { return std::abs(u.y) * half + radius * radial(u); }
};

// The nearest of the two end disks and the straight side.
struct Cone {
  double radius, top_radius, half;

  template <class T>
  T distance(Vec3<T> x) const {
    const T zero = splat<T>(0), one = splat<T>(1), h = splat<T>(half), r1 = splat<T>(radius), r2 = splat<T>(top_radius);
    const T r = length(x.x, x.z);
    const T end_r = max(r - select(x.y < zero, r1, r2), zero), end_y = abs(x.y) - h;
    const T slope = r2 - r1, rise = h + h;
    const T along = ((r2 - r) * slope + (h - x.y) * rise) / (slope * slope + rise * rise);
    const T back = max(zero, min(along, one));  // from the top
    const T side_r = r - r2 + slope * back, side_y = x.y - h + rise * back;
    const auto inside = (side_r < zero) & (end_y < zero);
    const T square = min(end_r * end_r + end_y * end_y, side_r * side_r + side_y * side_y);
    return select(inside, -sqrt(square), sqrt(square));
  }
  double reach(Vec3d u) const {
    return std::max(u.y * half + top_radius * radial(u), -u.y * half + radius * radial(u));
  }
};

// The foot f of x on the ellipsoid has f_i = a_i^2 x_i / (t + a_i^2), where t solves |p(t)| = 1, p_i = a_i x_i / (t +
// a_i^2); t > -(least a)^2, and t is negative inside (Eberly, "Distance from a Point to an Ellipse, an Ellipsoid, or a
// Hyperellipsoid"). 1 / |p| is nearly linear in t: Newton's method for 1 / |p| = 1 rises to the root from any t below
// it (as in More and Sorensen 1983, "Computing a Trust Region Step"), in a fixed number of steps. The code's s is t +
// (least a)^2, without cancellation.
struct Ellipsoid {
  Vec3d radii;

  template <class T>
  T distance(Vec3<T> x) const {
    const double least = std::min({radii.x, radii.y, radii.z});
    const std::array<double, 3> a{radii.x, radii.y, radii.z};
    // Moves points off the planes of symmetry, where the equation may have no root, by a negligible distance.
    const T tiny = splat<T>(1e-30 * least);
    const std::array<T, 3> at{max(abs(x.x), tiny), max(abs(x.y), tiny), max(abs(x.z), tiny)};
    const auto below = [&](T s, size_t k) { return s + splat<T>((a[k] - least) * (a[k] + least)); };
    T s = splat<T>(0);
    for (size_t k = 0; k < 3; ++k) s = max(s, splat<T>(a[k]) * at[k] - splat<T>((a[k] - least) * (a[k] + least)));
    for (int count = 0; count < 100; ++count) {
      T square = splat<T>(0), slope = splat<T>(0);
      for (size_t k = 0; k < 3; ++k) {
        const T p = splat<T>(a[k]) * at[k] / below(s, k);
        square += p * p;
        slope += p * p / below(s, k);
      }
      // A converged lane does not change, so its result does not depend on the others.
      const T step = (square / slope) * (sqrt(square) - splat<T>(1));
      const auto arrived = step <= splat<T>(1e-15) * s;
      s = select(arrived, s, s + step);
      if (every_lane(arrived)) break;
    }
    std::array<T, 3> to_foot;
    T inside = splat<T>(-1);
    for (size_t k = 0; k < 3; ++k) {
      to_foot[k] = at[k] - splat<T>(a[k] * a[k]) * at[k] / below(s, k);
      const T share = at[k] * splat<T>(1 / a[k]);
      inside += share * share;
    }
    const T distance = length(Vec3<T>{to_foot[0], to_foot[1], to_foot[2]});
    return select(inside < splat<T>(0), -distance, distance);
  }
  double reach(Vec3d u) const {
    return std::sqrt(u.x * u.x * radii.x * radii.x + u.y * u.y * radii.y * radii.y + u.z * u.z * radii.z * radii.z);
  }
};

struct HalfSpace {
  Vec3d normal;  // of length 1
  double offset;

  template <class T>
  T distance(Vec3<T> x) const {
    return splat<T>(normal.x) * x.x + splat<T>(normal.y) * x.y + splat<T>(normal.z) * x.z - splat<T>(offset);
  }
  double reach(Vec3d u) const {
    const Vec3d off = u - normal;
    return dot(off, off) < 1e-24 ? offset : std::numeric_limits<double>::infinity();
  }
};

// An arc revolved about its chord, expanded by a radius: tips at y = +-half, the arc's centre at r = -behind.
struct Spindle {
  double half, arc_radius, behind, grown;

  Spindle(double whole_length, double radius, double end_radius)
      : half(whole_length / 2 - end_radius), grown(end_radius) {
    const double belly = radius - end_radius;
    arc_radius = (half * half + belly * belly) / (2 * belly);
    behind = arc_radius - belly;
  }
  template <class T>
  T distance(Vec3<T> x) const {
    const T r = length(x.x, x.z), y = abs(x.y), c = splat<T>(behind), tip = splat<T>(half);
    const auto beyond = y * c > (r + c) * tip;
    return select(beyond, length(r, y - tip), length(r + c, y) - splat<T>(arc_radius)) - splat<T>(grown);
  }
  double reach(Vec3d u) const {
    const double y = std::abs(u.y);
    return (arc_radius * y <= half ? arc_radius - behind * radial(u) : half * y) + grown;
  }
};

// The part of a sphere below y = rim, with a wall thickness: the middle of its wall, expanded by half of that.
struct Bowl {
  double middle_radius, rim, rim_radius, grown;

  Bowl(double radius, double depth, double thickness)
      : middle_radius(radius - thickness / 2), rim(depth - thickness / 2 - radius), grown(thickness / 2) {
    rim_radius = std::sqrt(std::max(0.0, middle_radius * middle_radius - rim * rim));
  }
  template <class T>
  T distance(Vec3<T> x) const {
    const T r = length(x.x, x.z), w = splat<T>(rim_radius), h = splat<T>(rim);
    const T to_wall = abs(length(r, x.y) - splat<T>(middle_radius));
    return select(w * x.y > h * r, length(r - w, x.y - h), to_wall) - splat<T>(grown);
  }
  double reach(Vec3d u) const {
    return (u.y * middle_radius <= rim ? middle_radius : rim_radius * radial(u) + rim * u.y) + grown;
  }
};

}  // namespace sinew::primitive
