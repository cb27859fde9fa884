// Continuous collision detection: how far a vertex and a triangle, or two edges, may move before they touch.
//
// Points move straight and uniformly from `from` (t = 0) to `to` (t = 1). Let d(t) be the distance of the two, gap(t) =
// d(t) - min_distance, and T(s) the first time at which gap(t) = s gap(0), 1 if there is none: T(0) is the first
// contact. The result t is
//   never late: gap > 0 on [0, t], exactly, for the numbers given;
//   1 if gap(t) > .001 gap(0) for all t;
//   else .92 T(0) > t >= .92 T(.001), so never more than 10 % early, unless the last .1 % of the gap takes long.
// The rest of the way to contact is left to whoever moves next: who approaches head-on still has 8 % of the gap.
//
// Rounding is counted as distance: below 64 eps of the largest difference of coordinates a gap is none. It is 0 too
// where a coordinate is not finite. A start without a gap has t = 0, even if the two part.
//
// Method: additive advancement (Li et al. 2021, "Codimensional Incremental Potential Contact", section 5.3), with a
// bound of the motion along the normal instead of the length of all motion. See ccd.cpp.
#pragma once

#include "math/vec.h"

namespace sinew {

struct MovingPoint {
  Vec3d from, to;
};

// Between the point p and the triangle abc [same unit as coordinates: min_distance >= 0].
double safe_time_vertex_triangle(const MovingPoint& p, const MovingPoint& a, const MovingPoint& b, const MovingPoint& c,
                                 double min_distance);
// Between the edges ab and cd.
double safe_time_edge_edge(const MovingPoint& a, const MovingPoint& b, const MovingPoint& c, const MovingPoint& d,
                           double min_distance);

}  // namespace sinew
