// Closest points of a point and a triangle, of a point and a segment, and of two segments, of a scalar T.
//
// The distance to the points returned exceeds the smallest one by a few roundings of the differences of coordinates,
// for primitives of any shape: thin, without area or length, parallel, identical, far from the origin. Where many pairs
// of points are equally close (parallel segments) or nearly so, one of them is returned. Finite coordinates whose
// fourth powers neither overflow nor vanish.
#pragma once

#include "math/vec.h"

namespace sinew {

// Of a scalar T: a + t (b - a) closest to p, 0 <= t <= 1; a segment without length has t = 0.
template <class T>
SINEW_INLINE T closest_on_segment(Vec3<T> p, Vec3<T> a, Vec3<T> b) {
  const Vec3<T> ab = b - a;
  const T square = dot(ab, ab), along = dot(p - a, ab);
  if (!(along > 0) || !(square > 0)) return 0;
  return along >= square ? T(1) : along / square;
}

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

// Of a scalar T: the point of the triangle closest to p is b[0] a + b[1] b + b[2] c, where b are `weights`: none is
// negative, and their sum is 1.
//
// A point q of an edge is closest iff the angle at q between p and the third corner is not acute (the condition of a
// convex program). Unlike signs of areas (Ericson 2005, "Real-Time Collision Detection", section 5.1.5) this is as
// reliable for triangles without area as for others. If no edge passes, the foot is inside.
template <class T>
struct TriangleFoot {
  T weights[3];
  TriangleFeature feature;
};
template <class T>
SINEW_INLINE TriangleFoot<T> closest_on_triangle(Vec3<T> p, Vec3<T> a, Vec3<T> b, Vec3<T> c) {
  // From p: the coordinates that follow are as small as they can be, and so are their roundings.
  a = a - p;
  b = b - p;
  c = c - p;
  const Vec3<T> ab = b - a, bc = c - b, ca = a - c;
  // Along the edge from `start`: where it is closest.
  const auto along = [](Vec3<T> start, Vec3<T> edge) SINEW_INLINE_LAMBDA {
    const T t = -dot(start, edge), square = dot(edge, edge);
    return !(t > 0) || !(square > 0) ? T(0) : t >= square ? T(1) : t / square;
  };

  const T s = along(a, ab);
  const Vec3<T> on_ab = a + s * ab;
  if (dot(on_ab, c - on_ab) >= 0) return {{1 - s, s, 0}, s == 0 ? corner_0 : s == 1 ? corner_1 : edge_01};
  const T t = along(b, bc);
  const Vec3<T> on_bc = b + t * bc;
  if (dot(on_bc, a - on_bc) >= 0) return {{0, 1 - t, t}, t == 0 ? corner_1 : t == 1 ? corner_2 : edge_12};
  const T u = along(c, ca);
  const Vec3<T> on_ca = c + u * ca;
  if (dot(on_ca, b - on_ca) >= 0) return {{u, 0, 1 - u}, u == 0 ? corner_2 : u == 1 ? corner_0 : edge_20};

  // Inside, starting from the closest point of the edges: in a thin triangle it is near.
  const T square_ab = dot(on_ab, on_ab), square_bc = dot(on_bc, on_bc), square_ca = dot(on_ca, on_ca);
  TriangleFoot<T> foot = {{1 - s, s, 0}, s == 0 ? corner_0 : s == 1 ? corner_1 : edge_01};
  Vec3<T> r = on_ab;
  T square = square_ab;
  if (square_bc < square) {
    foot = {{0, 1 - t, t}, t == 0 ? corner_1 : t == 1 ? corner_2 : edge_12};
    r = on_bc;
    square = square_bc;
  }
  if (square_ca < square) {
    foot = {{u, 0, 1 - u}, u == 0 ? corner_2 : u == 1 ? corner_0 : edge_20};
    r = on_ca;
    square = square_ca;
  }
  const Vec3<T> n = cross(ab, -ca);
  const T nn = dot(n, n);
  if (!(nn > 0)) return foot;
  const T v = foot.weights[1] + dot(n, cross(r, ca)) / nn, w = foot.weights[2] - dot(n, cross(ab, r)) / nn;
  const T rest = 1 - v - w;
  if (!(v > 0 && w > 0 && rest > 0)) return foot;
  const Vec3<T> inside = rest * a + v * b + w * c;
  if (dot(inside, inside) < square) foot = {{rest, v, w}, face_inside};
  return foot;
}

// Of a scalar T: the closest points a + p (b - a) and c + q (d - c) of two segments (Ericson 2005, section 5.1.9). Of
// parallel segments one of the closest pairs.
template <class T>
struct SegmentFeet {
  T p, q;
};
template <class T>
SINEW_INLINE SegmentFeet<T> closest_on_segments(Vec3<T> a, Vec3<T> b, Vec3<T> c, Vec3<T> d) {
  const Vec3<T> u = b - a, v = d - c, r = a - c;
  const T uu = dot(u, u), vv = dot(v, v);
  if (!(uu > 0)) return {0, closest_on_segment(a, c, d)};
  if (!(vv > 0)) return {closest_on_segment(c, a, b), 0};
  const auto clamped = [](T t) { return t > 0 ? (t < 1 ? t : T(1)) : T(0); };
  const Vec3<T> n = cross(u, v);
  const T nn = dot(n, n);
  // From feet (p, q): the closest points of the two lines, then the best q for that p, and if q is an end the best p.
  const auto improved = [&](SegmentFeet<T> f) {
    const Vec3<T> gap = r + f.p * u - f.q * v;
    const T p = clamped(f.p + dot(cross(v, gap), n) / nn);
    const Vec3<T> moved = gap + (p - f.p) * u;
    const T q = f.q + dot(v, moved) / vv;
    if (q >= 0 && q <= 1) return SegmentFeet<T>{p, q};
    const T end = clamped(q);
    return SegmentFeet<T>{clamped(p - dot(u, moved + (f.q - end) * v) / uu), end};
  };

  // Where the angle is small, the closest points of the lines say little: they are improved once more, and compete with
  // the four ends.
  constexpr T small = T(.1);  // sine of the angle
  if (nn > small * small * uu * vv) return improved({0, 0});
  const auto square = [&](SegmentFeet<T> f) {
    const Vec3<T> gap = r + f.p * u - f.q * v;
    return dot(gap, gap);
  };
  SegmentFeet<T> best = {0, closest_on_segment(a, c, d)};
  T least = square(best);
  const auto compete = [&](SegmentFeet<T> f) {
    const T s = square(f);
    if (s < least) {
      least = s;
      best = f;
    }
  };
  compete({1, closest_on_segment(b, c, d)});
  compete({closest_on_segment(c, a, b), 0});
  compete({closest_on_segment(d, a, b), 1});
  if (nn > 0) compete(improved(improved(best)));
  return best;
}

}  // namespace sinew
