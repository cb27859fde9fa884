// Keeps surfaces free of intersections: every point keeps to a convex set of its own, whatever moves it, in whatever
// order and on whatever thread (planar truncation, arXiv 2604.15513).
//
// The set of a point is its box of motion, cut by a half space for each candidate pair that it is a corner of. A pair
// is a vertex and a triangle, or two edges; of side 1 (the vertex, the first edge) and side 2 it stores a normal and
// two bounds,
//
//   side 1:  n . x >= above      side 2:  n . x <= below      above > below.
//
// Why no intersection arises:
//   1. A pair with bounds is apart: its corners are in two half spaces without a common point, so are their hulls.
//   2. A pair that is no candidate is apart: detection found the boxes of its corners apart (set_boxes).
//   3. Both hold all along a move, since a point's way from one place in its convex set to another lies in the set;
//      and they hold for any order of moves, since no set depends on where other points are.
//   4. Triangles that do not meet can begin to only where a vertex touches a triangle, or an edge an edge. Pairs that
//      share a point need no bounds: neighbours that fold onto each other or cross do so in a pair that shares none.
// All of this is meant exactly, for the numbers that are stored: bounds are doubles, n . x is computed with a bound on
// its rounding, and what is not certain to be inside is outside.
//
// Divisions change sets while no point moves. New bounds hold where the points are then (or they are not taken), so
// step 3 begins anew from each division.
//
// A half space that is a collider is side 2 of pairs with all vertices.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "contact/candidates.h"
#include "contact/contact_surface.h"
#include "contact/gaps.h"
#include "contact/ignored_pairs.h"
#include "contact/surface_map.h"
#include "exec/buffer.h"
#include "exec/thread_pool.h"
#include "math/lane.h"
#include "math/vec.h"

namespace sinew {

// What a point was stopped by.
enum class StoppedBy : uint8_t { none, box, plane };

template <class Real>
struct LimitedMove {
  Vec3<Real> to;
  StoppedBy by = StoppedBy::none;
};

struct LimitCounts {
  int64_t by_box = 0, by_plane = 0;

  int64_t sum() const { return by_box + by_plane; }
  void operator+=(const LimitCounts& o) {
    by_box += o.by_box;
    by_plane += o.by_plane;
  }
};

struct Division {
  // Pairs between which no plane is found, for instance since they intersect: indices of CandidatePairs' two lists,
  // ascending. Their points stay where they are until a later division finds one. Pairs that may intersect must be no
  // candidates, nor may others of the same two bodies, which would keep them from getting apart.
  std::vector<int32_t> vertex_triangle, edge_edge;
  std::vector<std::array<int32_t, 2>> vertex_plane;  // vertices not above a half space: (point, half space), ascending
  int64_t divided = 0;  // pairs that have a new plane; others have one that is in nobody's way
  int64_t kept = 0;     // pairs between which only the plane of an earlier division was found
  int64_t outside = 0;  // points that are not in their box: something moved them past the limits
  double smallest_gap = std::numeric_limits<double>::infinity();  // [m] of the pairs divided now

  int64_t undivided() const {
    return static_cast<int64_t>(vertex_triangle.size() + edge_edge.size() + vertex_plane.size());
  }
  bool complete() const { return vertex_triangle.empty() && edge_edge.empty() && vertex_plane.empty(); }
};

struct LimitTally;

class Limits {
 public:
  // After detection: points keep to the boxes of motion that it used, box(from, to) + slack [m], in which pairs that
  // are no candidates are apart. `from` is where the points are. A box here is never larger than the same one computed
  // in doubles and rounded outwards. `planes`: where surface.planes are now, and stay until the next call. Divide
  // before anything moves. Bodies pass half spaces that they are ignored with.
  void set_boxes(const ContactSurface& surface, PointPositions from, PointPositions to, double slack,
                 std::span<const ContactPlane> planes = {}, const IgnoredPairs& ignored = {});

  // The same for some points only, of a detection that has added candidates of these.
  void renew_boxes(const ContactSurface& surface, std::span<const int32_t> points, PointPositions from,
                   PointPositions to, double slack, std::span<const ContactPlane> planes, const IgnoredPairs& ignored);

  // Puts a plane between the two sides of each candidate pair where the points are now, x, exactly as they are stored.
  // `pairs`: all candidates of the detection that the boxes are from. `goal` is where points would like to go: it says
  // how the two sides share the gap, and which way the plane lies where the shortest gap is in the way of sliding.
  // Pairs at twice the least gap [m] or less may slide and part, but approach no further. Where no new plane is found,
  // an earlier one is kept if it holds. The result does not depend on the number of threads.
  Division divide(const ContactSurface& surface, const CandidatePairs& pairs, PointPositions x, PointPositions goal,
                  double least_gap, ThreadPool& pool);

  // The way of a point from where it is, `from`, to `to`, shortened to what its set allows: on the segment between
  // them, except for rounding. Both are as stored. Reads only; depends on no other point.
  template <class Real>
  LimitedMove<Real> limited(int32_t point, Vec3<Real> from, Vec3<Real> to) const {
    const Vec3d x{to.x, to.y, to.z};
    if (in_box(point, x) && in_ball(point, x)) return {to, StoppedBy::none};
    return shortened(point, from, to);
  }

  // The same of all slots. Point: Vec4<float>, Vec4<double> (w of `to` is kept) or Vec3d.
  template <class Point>
  LimitCounts limit_all(std::span<const Point> from, std::span<Point> to, ThreadPool& pool) const;

  // The same of some points: of points[k] from from[k]; `to` is by point.
  template <class Point>
  LimitCounts limit_some(std::span<const int32_t> points, std::span<const Point> from, std::span<Point> to,
                         ThreadPool& pool) const;

  // The largest t in [0, 1], less a margin, for which all points at from + t (to - from) are in their sets. How these
  // are rounded is the caller's affair, so pass the result to limit_all.
  template <class Point>
  double longest_step(std::span<const Point> from, std::span<const Point> to, ThreadPool& pool,
                      int32_t first_point = 0) const;

  // Whether a point there is certain to be in its set.
  bool inside(int32_t point, Vec3d x) const;

  // What the next division goes on from: the planes of the last one, as bytes. A restored one must be of the same
  // surface; false: the bytes are not such, and nothing is changed.
  std::string save() const;
  bool restore(const ContactSurface& surface, std::string_view bytes);
  // The planes of another surface's limits, between pairs that are still there.
  void take_of(const Limits& earlier, const SurfaceMap& map);

  int64_t pair_count() const { return static_cast<int64_t>(bounds_.size()); }
  size_t memory_bytes() const;

 private:
  // Of a pair. Undivided: n = 0, and bounds that hold nowhere.
  struct PairBounds {
    Vec3d n;
    double above, below;  // [m]
  };
  static constexpr PairBounds undivided{
      {0, 0, 0}, std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  // Of a point, in one cache line: its box [m], and a ball, which lies in all its half spaces.
  struct alignas(64) PointSet {
    Vec3d low, high;
    float centre[3];
    float reach_squared;  // [m^2]; negative: no ball
  };
  struct VertexPlane {
    int32_t vertex, plane;
    Vec3d n;
    double below;  // [m] n . x of the half space is not above
  };

  using Flags = std::vector<std::atomic<uint8_t>>;  // by point

  bool in_box(int32_t point, Vec3d x) const {
    const PointSet& set = sets_[static_cast<size_t>(point)];
    return x.x >= set.low.x && x.y >= set.low.y && x.z >= set.low.z && x.x <= set.high.x && x.y <= set.high.y &&
           x.z <= set.high.z;
  }
  bool in_ball(int32_t point, Vec3d x) const {
    const PointSet& set = sets_[static_cast<size_t>(point)];
    const Vec3d off{x.x - static_cast<double>(set.centre[0]), x.y - static_cast<double>(set.centre[1]),
                    x.z - static_cast<double>(set.centre[2])};
    return dot(off, off) <= static_cast<double>(set.reach_squared);
  }
  template <class Real>
  LimitedMove<Real> shortened(int32_t point, Vec3<Real> from, Vec3<Real> to) const;
  // The part of the way inside, less a margin, and what ends it: none if `to` is inside. `rounding` [m]: planes that
  // are missed by less do not end it.
  double fraction_inside(int32_t point, Vec3d from, Vec3d to, double rounding, StoppedBy& by) const;
  Vec3d raised(int32_t point, Vec3d x, double rounding) const;
  double room(int32_t side, Vec3d x) const;
  template <class Point, class PointOf, class To>
  LimitCounts limit_ways(std::span<const Point> from, const PointOf& point, const To& to, ThreadPool& pool) const;
  bool hold(size_t pair, const std::array<Vec3d, 4>& x) const;
  std::span<const int32_t> sides_of(int32_t point) const {
    const auto p = static_cast<size_t>(point);
    if (p + 1 >= side_begin_.size()) return {};
    return {sides_.data() + side_begin_[p], static_cast<size_t>(side_begin_[p + 1] - side_begin_[p])};
  }

  LimitTally divide_pair(size_t pair, PointPositions x, PointPositions goal, double least_gap, Flags& changed);
  LimitTally divide_from_plane(size_t pair, PointPositions x, double least_gap, Flags& changed);
  void adopt(const ContactSurface& surface, const CandidatePairs& pairs, ThreadPool& pool);
  void start_from(CandidatePairs pairs, std::vector<PairBounds> bounds);

  Buffer<PointSet> sets_;  // by point
  CandidatePairs pairs_;   // of the last division
  std::vector<VertexPlane> vertex_planes_;
  bool planes_changed_ = true;
  std::vector<std::array<int32_t, 4>> corners_;  // of vertex-triangle, then edge-edge pairs
  std::vector<PairBounds> bounds_;               // of these, then of vertex_planes_
  std::vector<PairBounds> earlier_bounds_;       // while bounds_ are made; kept for the next time
  // The sides of pairs that a point is on: 2 pair, or 2 pair + 1 for side 2.
  std::vector<int64_t> side_begin_;
  std::vector<int32_t> sides_;
};

}  // namespace sinew
