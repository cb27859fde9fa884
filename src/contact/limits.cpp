#include "contact/limits.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "base/assert.h"
#include "contact/separation.h"
#include "math/stored.h"

namespace sinew {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Of the way to a plane a point goes at most this part at once.
constexpr double part_of_room = .9;

constexpr Vec3d point_of(const Vec3d& x) {
  return x;
}
template <class Real>
constexpr Vec3d point_of(const Vec4<Real>& x) {
  return {static_cast<double>(x.x), static_cast<double>(x.y), static_cast<double>(x.z)};
}
constexpr Vec3d in_double(Vec3<float> x) {
  return {static_cast<double>(x.x), static_cast<double>(x.y), static_cast<double>(x.z)};
}
constexpr Vec3d in_double(Vec3d x) {
  return x;
}

// x, or if rounding has put it past an end of [low, high] the nearest Real within.
template <class Real>
Real clamped(Real x, double low, double high) {
  if (static_cast<double>(x) < low) {
    x = stored_as<Real>(low);
    if (static_cast<double>(x) < low) x = std::nextafter(x, std::numeric_limits<Real>::infinity());
  } else if (static_cast<double>(x) > high) {
    x = stored_as<Real>(high);
    if (static_cast<double>(x) > high) x = std::nextafter(x, -std::numeric_limits<Real>::infinity());
  }
  return x;
}

// The end of a box of motion: at least as far in as one that is computed in another order, yet never past `from`.
double inward_low(double from, double to, double slack) {
  const double end = std::min(from, to);
  return std::min(end, end - slack + 4 * std::numeric_limits<double>::epsilon() * (std::abs(end) + slack));
}

}  // namespace

void Limits::set_boxes(const ContactSurface& surface, PointPositions from, PointPositions to, double slack,
                       std::span<const ContactPlane> planes, const IgnoredPairs& ignored) {
  PointSet everywhere{};
  everywhere.low = {-infinity, -infinity, -infinity};
  everywhere.high = {infinity, infinity, infinity};
  everywhere.reach_squared = std::numeric_limits<float>::infinity();
  sets_.assign(static_cast<size_t>(surface.point_count()), everywhere);
  renew_boxes(surface, surface.vertices, from, to, slack, planes, ignored);
}

void Limits::renew_boxes(const ContactSurface& surface, std::span<const int32_t> points, PointPositions from,
                         PointPositions to, double slack, std::span<const ContactPlane> planes,
                         const IgnoredPairs& ignored) {
  for (const int32_t v : points) {
    PointSet& set = sets_[static_cast<size_t>(v)];
    const Vec3d a = from[v], b = to[v];
    set.low = {inward_low(a.x, b.x, slack), inward_low(a.y, b.y, slack), inward_low(a.z, b.z, slack)};
    set.high = {-inward_low(-a.x, -b.x, slack), -inward_low(-a.y, -b.y, slack), -inward_low(-a.z, -b.z, slack)};
    set.reach_squared = -1;  // until divided
  }

  vertex_planes_.clear();
  planes_changed_ = true;
  for (const int32_t v : surface.vertices) {
    if (surface.is_collider_point(v)) continue;
    const PointSet& set = sets_[static_cast<size_t>(v)];
    for (size_t k = 0; k < planes.size(); ++k) {
      const ContactPlane& plane = planes[k];
      const int32_t body = surface.body_of[static_cast<size_t>(v)];
      if (!surface.kept_apart(body, plane) || ignored.has_plane(body, k)) continue;
      const Vec3d n = plane.normal;
      const double below = dot_above(n, plane.point);
      const Vec3d lowest{n.x > 0 ? set.low.x : set.high.x, n.y > 0 ? set.low.y : set.high.y,
                         n.z > 0 ? set.low.z : set.high.z};
      if (!(dot_below(n, lowest) > below)) vertex_planes_.push_back({v, static_cast<int32_t>(k), n, below});
    }
  }
}

// How far x is on the right side of a plane, or at least that far [m].
double Limits::room(int32_t side, Vec3d x) const {
  const PairBounds& bounds = bounds_[static_cast<size_t>(side >> 1)];
  return side & 1 ? bounds.below - dot_above(bounds.n, x) : dot_below(bounds.n, x) - bounds.above;
}

bool Limits::inside(int32_t point, Vec3d x) const {
  if (!in_box(point, x)) return false;
  if (in_ball(point, x)) return true;
  for (const int32_t side : sides_of(point))
    if (!(room(side, x) >= 0)) return false;
  return true;
}

double Limits::fraction_inside(int32_t point, Vec3d from, Vec3d to, double rounding, StoppedBy& by) const {
  const PointSet& set = sets_[static_cast<size_t>(point)];
  double t = 1;
  by = StoppedBy::none;
  const auto keep = [&](double fraction, StoppedBy bound) {
    if (by == StoppedBy::none) by = bound;
    if (fraction >= t) return;
    t = fraction > 0 ? fraction : 0;  // also if it is no number
    by = bound;
  };
  for (double Vec3d::*x : {&Vec3d::x, &Vec3d::y, &Vec3d::z}) {
    const double a = from.*x, b = to.*x, low = set.low.*x, high = set.high.*x;
    if (!(b >= low)) keep(a > low ? (low - a) / (b - a) : 0, StoppedBy::box);
    if (!(b <= high)) keep(a < high ? (high - a) / (b - a) : 0, StoppedBy::box);
  }
  for (const int32_t side : sides_of(point)) {
    const double there = room(side, to);
    if (there >= 0) continue;
    if (there >= -rounding) {
      keep(1, StoppedBy::plane);
      continue;
    }
    const double here = room(side, from);
    keep(here > 0 ? part_of_room * (here / (here - there)) : 0, StoppedBy::plane);
  }
  return t;
}

// x, moved off planes that it has missed by rounding only.
Vec3d Limits::raised(int32_t point, Vec3d x, double rounding) const {
  for (const int32_t side : sides_of(point)) {
    const double there = room(side, x);
    if (there < 0 && there >= -2 * rounding) {
      const Vec3d n = bounds_[static_cast<size_t>(side >> 1)].n;
      x += (rounding - there) * (side & 1 ? -n : n);
    }
  }
  return x;
}

template <class Real>
LimitedMove<Real> Limits::shortened(int32_t point, Vec3<Real> from, Vec3<Real> to) const {
  const Vec3d start = in_double(from), end = in_double(to);
  const PointSet& set = sets_[static_cast<size_t>(point)];
  // [m] a unit in the last place of the largest coordinate, or more: what storing may move a point by
  const double rounding =
      static_cast<double>(std::numeric_limits<Real>::epsilon()) * max(max(abs(start.x), abs(start.y)), abs(start.z));
  StoppedBy by;
  double t = fraction_inside(point, start, end, rounding, by);
  if (by == StoppedBy::none) return {to, by};
  constexpr int attempts = 5;
  for (int k = 0; k < attempts && t > 0; ++k, t /= 2) {
    const auto stored = [&](Vec3d x) {
      const Vec3<Real> r = stored_as<Real>(x);
      return Vec3<Real>{clamped(r.x, set.low.x, set.high.x), clamped(r.y, set.low.y, set.high.y),
                        clamped(r.z, set.low.z, set.high.z)};
    };
    Vec3<Real> x = stored(start + t * (end - start));
    if (inside(point, in_double(x))) return {x, by};
    x = stored(raised(point, in_double(x), rounding));
    if (inside(point, in_double(x))) return {x, by};
  }
  return {from, by};
}

template LimitedMove<float> Limits::shortened(int32_t, Vec3<float>, Vec3<float>) const;
template LimitedMove<double> Limits::shortened(int32_t, Vec3<double>, Vec3<double>) const;

// Of `count` ways: number k is that of point(k) from from[k] to to(k).
template <class Point, class PointOf, class To>
LimitCounts Limits::limit_ways(std::span<const Point> from, const PointOf& point, const To& to,
                               ThreadPool& pool) const {
  using Real = decltype(Point::x);
  std::atomic<int64_t> by_box{0}, by_plane{0};
  constexpr int64_t grain = 2048;
  pool.parallel_for(static_cast<int64_t>(from.size()), grain, [&](int64_t first, int64_t last) {
    LimitCounts counts;
    for (auto k = static_cast<size_t>(first); k < static_cast<size_t>(last); ++k) {
      const Point& a = from[k];
      Point& b = to(k);
      const auto move = limited<Real>(point(k), {a.x, a.y, a.z}, {b.x, b.y, b.z});
      if (move.by == StoppedBy::none) continue;
      b.x = move.to.x;
      b.y = move.to.y;
      b.z = move.to.z;
      ++(move.by == StoppedBy::box ? counts.by_box : counts.by_plane);
    }
    by_box += counts.by_box;
    by_plane += counts.by_plane;
  });
  return {by_box, by_plane};
}

template <class Point>
LimitCounts Limits::limit_all(std::span<const Point> from, std::span<Point> to, ThreadPool& pool) const {
  SINEW_ASSERT(from.size() == to.size());
  return limit_ways(
      from, [](size_t k) { return static_cast<int32_t>(k); }, [&](size_t k) -> Point& { return to[k]; }, pool);
}

template <class Point>
LimitCounts Limits::limit_some(std::span<const int32_t> points, std::span<const Point> from, std::span<Point> to,
                               ThreadPool& pool) const {
  SINEW_ASSERT(from.size() == points.size());
  return limit_ways(
      from, [&](size_t k) { return points[k]; }, [&](size_t k) -> Point& { return to[static_cast<size_t>(points[k])]; },
      pool);
}

namespace {

struct Least {
  double t = 1;
  Least& operator+=(const Least& other) {
    t = std::min(t, other.t);
    return *this;
  }
};

}  // namespace

template <class Point>
double Limits::longest_step(std::span<const Point> from, std::span<const Point> to, ThreadPool& pool,
                            int32_t first_point) const {
  SINEW_ASSERT(from.size() == to.size());
  using Real = decltype(Point::x);
  return ordered_sum<Least>(pool, static_cast<int64_t>(from.size()),
                            [&](int64_t k) {
                              const auto point = first_point + static_cast<int32_t>(k);
                              const Vec3d a = point_of(from[static_cast<size_t>(k)]),
                                          b = point_of(to[static_cast<size_t>(k)]);
                              if (in_box(point, b) && in_ball(point, b)) return Least{};
                              const double rounding = static_cast<double>(std::numeric_limits<Real>::epsilon()) *
                                                      max(max(abs(a.x), abs(a.y)), abs(a.z));
                              StoppedBy by;
                              return Least{fraction_inside(point, a, b, rounding, by)};
                            })
      .t;
}

template LimitCounts Limits::limit_all(std::span<const Vec3d>, std::span<Vec3d>, ThreadPool&) const;
template LimitCounts Limits::limit_all(std::span<const Vec4<float>>, std::span<Vec4<float>>, ThreadPool&) const;
template LimitCounts Limits::limit_all(std::span<const Vec4<double>>, std::span<Vec4<double>>, ThreadPool&) const;
template LimitCounts Limits::limit_some(std::span<const int32_t>, std::span<const Vec4<float>>, std::span<Vec4<float>>,
                                        ThreadPool&) const;
template LimitCounts Limits::limit_some(std::span<const int32_t>, std::span<const Vec4<double>>,
                                        std::span<Vec4<double>>, ThreadPool&) const;
template double Limits::longest_step(std::span<const Vec3d>, std::span<const Vec3d>, ThreadPool&, int32_t) const;
template double Limits::longest_step(std::span<const Vec4<float>>, std::span<const Vec4<float>>, ThreadPool&,
                                     int32_t) const;
template double Limits::longest_step(std::span<const Vec4<double>>, std::span<const Vec4<double>>, ThreadPool&,
                                     int32_t) const;

size_t Limits::memory_bytes() const {
  return sets_.capacity() * sizeof(PointSet) + vertex_planes_.capacity() * sizeof(VertexPlane) +
         pairs_.vertex_triangle.capacity() * sizeof(CandidatePairs::VertexTriangle) +
         pairs_.edge_edge.capacity() * sizeof(CandidatePairs::EdgeEdge) +
         corners_.capacity() * sizeof(std::array<int32_t, 4>) +
         (bounds_.capacity() + earlier_bounds_.capacity()) * sizeof(PairBounds) +
         side_begin_.capacity() * sizeof(int64_t) + sides_.capacity() * sizeof(int32_t);
}

}  // namespace sinew
