// Closest points of a point and a triangle, and of two segments, over any lane type.
#pragma once

#include "math/lane.h"
#include "math/vec.h"

namespace sinew {

// The part of a triangle that is closest to a point.
enum TriangleFeature : int {
  corner_0,
  corner_1,
  corner_2,
  edge_01,
  edge_12,
  edge_20,
  face_inside,
};

// Of a scalar T: the point of the triangle closest to p is b[0] a + b[1] b + b[2] c (Ericson 2005, "Real-Time Collision
// Detection", section 5.1.5). A triangle without area has the closest point of its edges.
template <class T>
struct TriangleFoot {
  T weights[3];
  TriangleFeature feature;
};
template <class T>
TriangleFoot<T> closest_on_triangle(Vec3<T> p, Vec3<T> a, Vec3<T> b, Vec3<T> c) {
  const Vec3<T> ab = b - a, ac = c - a, ap = p - a;
  const T d1 = dot(ab, ap), d2 = dot(ac, ap);
  if (d1 <= 0 && d2 <= 0) return {{1, 0, 0}, corner_0};
  const Vec3<T> bp = p - b;
  const T d3 = dot(ab, bp), d4 = dot(ac, bp);
  if (d3 >= 0 && d4 <= d3) return {{0, 1, 0}, corner_1};
  const T vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) {
    const T v = d1 / (d1 - d3);
    return {{1 - v, v, 0}, edge_01};
  }
  const Vec3<T> cp = p - c;
  const T d5 = dot(ab, cp), d6 = dot(ac, cp);
  if (d6 >= 0 && d5 <= d6) return {{0, 0, 1}, corner_2};
  const T vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) {
    const T w = d2 / (d2 - d6);
    return {{1 - w, 0, w}, edge_20};
  }
  const T va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    const T w = (d4 - d3) / ((d4 - d3) + (d5 - d6));
    return {{0, 1 - w, w}, edge_12};
  }
  const T sum = va + vb + vc, v = vb / sum, w = vc / sum;
  return {{1 - v - w, v, w}, face_inside};
}

// Of a scalar T: a + t (b - a) closest to p, 0 <= t <= 1; a segment without length has t = 0.
template <class T>
T closest_on_segment(Vec3<T> p, Vec3<T> a, Vec3<T> b) {
  const Vec3<T> ab = b - a;
  const T square = dot(ab, ab), along = dot(p - a, ab);
  if (!(along > 0) || !(square > 0)) return 0;
  return along >= square ? T(1) : along / square;
}

// Of a scalar T: the closest points a + p (b - a) and c + q (d - c) of two segments (Ericson 2005, section 5.1.9). Of
// parallel segments one of the closest pairs.
template <class T>
struct SegmentFeet {
  T p, q;
};
template <class T>
SegmentFeet<T> closest_on_segments(Vec3<T> a, Vec3<T> b, Vec3<T> c, Vec3<T> d) {
  const Vec3<T> u = b - a, v = d - c, r = a - c;
  const T uu = dot(u, u), vv = dot(v, v), uv = dot(u, v), ur = dot(u, r), vr = dot(v, r);
  const auto clamped = [](T t) { return t < 0 ? T(0) : t > 1 ? T(1) : t; };
  if (!(uu > 0)) return {0, vv > 0 ? clamped(vr / vv) : T(0)};
  if (!(vv > 0)) return {clamped(-ur / uu), 0};
  const T determinant = uu * vv - uv * uv;
  T p = determinant > 0 ? clamped((uv * vr - ur * vv) / determinant) : T(0);
  T q = (uv * p + vr) / vv;
  if (q < 0) {
    q = 0;
    p = clamped(-ur / uu);
  } else if (q > 1) {
    q = 1;
    p = clamped((uv - ur) / uu);
  }
  return {p, q};
}

}  // namespace sinew
