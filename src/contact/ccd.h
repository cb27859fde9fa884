// Continuous collision detection: how far a vertex and a triangle, or two edges, may move before they touch.
//
// Points move straight and uniformly from `from` (t = 0) to `to` (t = 1). Let d(t) be the distance of the two, gap(t) =
// d(t) - min_distance, and T(s) the first time at which gap(t) = s gap(0), infinite if there is none; T(0) is the first
// contact. The result is
//   never late: gap > 0 on all of [0, result], for the numbers given, not rounded ones;
//   1, if gap > 1e-6 gap(0) on [0, 1];
//   else 1, or from .92 T(1e-6) to .92 T(0): at most 10 % early, if the last millionth of the gap takes less than 2 %
//   of the time. What approaches head-on keeps 8 % of its gap, for whoever moves next.
// Two limits. Rounding counts as distance: what is nearer than 64 eps times the largest difference of coordinates
// touches. And the steps are bounded: after the last of them the result is .92 of the time reached (ccd.cpp).
//
// A start without a gap has the result 0, even if the two part. So have numbers that are not finite, or beyond 1e75.
//
// Method: additive advancement (Li et al. 2021, "Codimensional Incremental Potential Contact", section 5.3), but with
// the approach along directions that separate the two, instead of the length of all motion.
#pragma once

#include "math/vec.h"

namespace sinew {

struct MovingPoint {
  Vec3d from, to;
};

// Of the point p and the triangle abc. min_distance >= 0, in the unit of the coordinates.
double safe_time_vertex_triangle(const MovingPoint& p, const MovingPoint& a, const MovingPoint& b, const MovingPoint& c,
                                 double min_distance);
// Of the edges ab and cd.
double safe_time_edge_edge(const MovingPoint& a, const MovingPoint& b, const MovingPoint& c, const MovingPoint& d,
                           double min_distance);

}  // namespace sinew
