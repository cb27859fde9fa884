#include "contact/limits.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>

#include "base/assert.h"
#include "base/byte_lists.h"
#include "contact/separation.h"
#include "exec/counting_sort.h"
#include "math/stored.h"

namespace sinew {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Of the way to a plane a point goes at most this part at once.
constexpr double part_of_room = .9;
// Both sides get at least this part of the room that there is.
constexpr double least_share = .05;
// The part of the gap that stays between the planes of a pair.
constexpr double part_between = .1;

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

// What must stay of a gap until the next division: of wide ones a tenth, of near ones nearly all.
double gap_kept(double gap, double least_gap) {
  if (gap > 2 * least_gap) return part_between * gap;
  return gap - std::max(0., std::min(.1 * (gap - narrowest_gap(least_gap)), .02 * gap));
}

// Whether bodies of the surface touch half spaces of a group.
bool touches(const ContactSurface& surface, int32_t vertex, const ContactPlane& plane) {
  const auto body = static_cast<size_t>(surface.body_of[static_cast<size_t>(vertex)]);
  return surface.rules[static_cast<size_t>(surface.bodies[body].group * surface.group_count + plane.group)].touches;
}

// A plane between the sides of a pair, and how far these would like to come along its normal.
struct Cut {
  Separation plane;
  double first = 0, second = 0;  // [m]
  double room;                   // [m] that they may come, in all

  Cut(const Separation& s, const std::array<Vec3d, 4>& wish, int first_side, double least_gap)
      : plane(s), room(s.gap() - gap_kept(s.gap(), least_gap)) {
    for (int c = 0; c < 4; ++c) {
      const double along = dot(s.n, wish[static_cast<size_t>(c)]);
      if (c < first_side) {
        first = max(first, -along);
      } else {
        second = max(second, along);
      }
    }
  }
  // The part of the wish that it grants, if both sides go on together.
  double allowed() const { return first + second > room ? room / (first + second) : 1; }

  // Both sides get what they would like and half of the rest, or if that is too much in proportion to it.
  template <class B>
  B bounds() const {
    const double both = first + second, rest = max(0., room - both) / 2;
    double share = (second + rest) / (both + 2 * rest);  // of side 2
    share = share >= 0 ? std::clamp(share, least_share, 1 - least_share) : .5;
    const B b{plane.n, min(plane.low, plane.low - (1 - share) * room), max(plane.high, plane.high + share * room)};
    return b.above > b.below ? b : B{plane.n, plane.low, plane.high};
  }
};

bool before(const CandidatePairs::VertexTriangle& a, const CandidatePairs::VertexTriangle& b) {
  return a.vertex != b.vertex ? a.vertex < b.vertex : a.triangle < b.triangle;
}
bool before(const CandidatePairs::EdgeEdge& a, const CandidatePairs::EdgeEdge& b) {
  return a.a != b.a ? a.a < b.a : a.b < b.b;
}

// Calls match(index in `now`, index in `earlier`) for pairs in both of two ascending lists.
template <class Pair, class Match>
void for_each_common(const std::vector<Pair>& now, const std::vector<Pair>& earlier, ThreadPool& pool,
                     const Match& match) {
  constexpr int64_t grain = 4096;
  pool.parallel_for(static_cast<int64_t>(now.size()), grain, [&](int64_t first, int64_t last) {
    const auto less = [](const Pair& a, const Pair& b) { return before(a, b); };
    auto at = std::lower_bound(earlier.begin(), earlier.end(), now[static_cast<size_t>(first)], less);
    for (int64_t k = first; k < last; ++k) {
      const Pair& pair = now[static_cast<size_t>(k)];
      while (at != earlier.end() && before(*at, pair)) ++at;
      if (at == earlier.end()) return;
      if (*at == pair) match(static_cast<size_t>(k), static_cast<size_t>(at - earlier.begin()));
    }
  });
}

}  // namespace

struct LimitTally {
  int64_t divided = 0, kept = 0, undivided = 0;
  double smallest_gap = infinity;

  LimitTally& operator+=(const LimitTally& other) {
    divided += other.divided;
    kept += other.kept;
    undivided += other.undivided;
    smallest_gap = std::min(smallest_gap, other.smallest_gap);
    return *this;
  }
};

double least_gap(double radius, double size, bool single) {
  const double half_ulp = single ? 0x1p-24 : 0x1p-53;
  return std::max(1e-3 * radius, 64 * half_ulp * size);
}

double narrowest_gap(double least_gap) {
  return 2 * part_between * least_gap;
}

std::vector<ContactPlane> moved_planes(const ContactSurface& surface, std::span<const ContactPlane> now,
                                       std::span<const ContactPlane> wanted, size_t first, PointPositions x,
                                       double least_gap, const IgnoredPairs& ignored) {
  // Blends of the two, n . x = b with n and b linear in t, in which heights of points are linear too.
  const auto at = [&](size_t k, double t) {
    if (t >= 1) return wanted[k];
    const double start = dot(now[k].normal, now[k].point), end = dot(wanted[k].normal, wanted[k].point);
    ContactPlane plane = now[k];
    const Vec3d n = (1 - t) * now[k].normal + t * wanted[k].normal;
    const double square = dot(n, n);
    plane.normal = (1 / sqrt(square)) * n;
    plane.point = now[k].point + t * (wanted[k].point - now[k].point);
    plane.point += (((1 - t) * start + t * end - dot(n, plane.point)) / square) * n;
    const Vec3d along = (1 - t) * now[k].along + t * wanted[k].along;
    const Vec3d level = along - dot(along, plane.normal) * plane.normal;
    if (const double size = dot(level, level); size > 0) plane.along = (1 / sqrt(size)) * level;
    return plane;
  };
  const auto height = [&](const ContactPlane& plane, int32_t v) {
    return dot_below(plane.normal, x[v]) - dot_above(plane.normal, plane.point);
  };
  std::vector<std::vector<int32_t>> above(now.size());  // each plane
  double t = 1;
  for (const int32_t v : surface.vertices) {
    if (surface.is_collider_point(v)) continue;
    const int32_t body = surface.body_of[static_cast<size_t>(v)];
    for (size_t k = 0; k < now.size(); ++k) {
      if (!touches(surface, v, now[k]) || ignored.has_plane(body, first + k)) continue;
      const double here = height(now[k], v);
      if (!(here > 0)) continue;
      above[k].push_back(v);
      const double kept = gap_kept(here, least_gap), there = height(wanted[k], v);
      if (!(there >= kept)) t = std::min(t, (here - kept) / (here - there));
    }
  }
  std::vector<ContactPlane> moved(now.size());
  for (int attempt = 0; attempt < 5 && t > 0; ++attempt, t /= 2) {
    bool holds = true;
    for (size_t k = 0; k < now.size() && holds; ++k) {
      moved[k] = at(k, t);
      holds = std::all_of(above[k].begin(), above[k].end(), [&](int32_t v) { return height(moved[k], v) > 0; });
    }
    if (holds) return moved;
  }
  return {now.begin(), now.end()};
}

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
      if (!touches(surface, v, plane) || ignored.has_plane(surface.body_of[static_cast<size_t>(v)], k)) continue;
      const Vec3d n = plane.normal;
      const double below = dot_above(n, plane.point);
      const Vec3d lowest{n.x > 0 ? set.low.x : set.high.x, n.y > 0 ? set.low.y : set.high.y,
                         n.z > 0 ? set.low.z : set.high.z};
      if (!(dot_below(n, lowest) > below)) vertex_planes_.push_back({v, static_cast<int32_t>(k), n, below});
    }
  }
}

// Takes over a list of candidates, and for pairs that were in the last one their bounds.
void Limits::adopt(const ContactSurface& surface, const CandidatePairs& pairs, ThreadPool& pool) {
  const size_t faces = pairs.vertex_triangle.size(), count = faces + pairs.edge_edge.size();
  const auto at = [](const auto& list, int32_t k) -> const auto& {
    return list[static_cast<size_t>(k)];
  };
  std::vector<PairBounds> bounds(count + vertex_planes_.size(), undivided);
  for_each_common(pairs.vertex_triangle, pairs_.vertex_triangle, pool,
                  [&](size_t now, size_t earlier) { bounds[now] = bounds_[earlier]; });
  const size_t earlier_faces = pairs_.vertex_triangle.size();
  for_each_common(pairs.edge_edge, pairs_.edge_edge, pool,
                  [&](size_t now, size_t earlier) { bounds[faces + now] = bounds_[earlier_faces + earlier]; });
  bounds_ = std::move(bounds);

  corners_.resize(count);
  pool.for_each(static_cast<int64_t>(count), [&](size_t k) {
    if (k < faces) {
      const Triangle& t = at(surface.triangles, pairs.vertex_triangle[k].triangle);
      corners_[k] = {pairs.vertex_triangle[k].vertex, t[0], t[1], t[2]};
    } else {
      const Edge &a = at(surface.edges, pairs.edge_edge[k - faces].a),
                 &b = at(surface.edges, pairs.edge_edge[k - faces].b);
      corners_[k] = {a[0], a[1], b[0], b[1]};
    }
  });
  counting_sort(
      pool, static_cast<int64_t>(4 * count + vertex_planes_.size()), sets_.size(),
      [&](int64_t side) {
        const auto k = static_cast<size_t>(side);
        return static_cast<size_t>(k < 4 * count ? corners_[k / 4][k % 4] : vertex_planes_[k - 4 * count].vertex);
      },
      side_begin_, sides_);
  pool.for_each(static_cast<int64_t>(sides_.size()), [&](size_t k) {
    const auto number = static_cast<size_t>(sides_[k]), pair = number < 4 * count ? number / 4 : number - 3 * count;
    const size_t first_side = pair < faces ? 1 : 2;
    sides_[k] = static_cast<int32_t>(2 * pair + (pair < count && number % 4 >= first_side));
  });
  pairs_ = pairs;
  planes_changed_ = false;
}

Division Limits::divide(const ContactSurface& surface, const CandidatePairs& pairs, PointPositions x,
                        PointPositions goal, double least_gap, ThreadPool& pool) {
  SINEW_ASSERT(sets_.size() == static_cast<size_t>(surface.point_count()));
  if (planes_changed_ || pairs.vertex_triangle != pairs_.vertex_triangle || pairs.edge_edge != pairs_.edge_edge)
    adopt(surface, pairs, pool);

  // Points that keep well away from all their planes, even going twice as far as they would like to. Pairs of such
  // points keep their planes.
  const auto far_wish = [&](int32_t v) { return x[v] + 2. * (goal[v] - x[v]); };
  std::vector<uint8_t> calm(sets_.size(), 0);
  constexpr int64_t grain = 1024;
  const auto vertex_count = static_cast<int64_t>(surface.vertices.size());
  pool.parallel_for(vertex_count, grain, [&](int64_t first, int64_t last) {
    for (int64_t k = first; k < last; ++k) {
      const int32_t v = surface.vertices[static_cast<size_t>(k)];
      calm[static_cast<size_t>(v)] = in_ball(v, x[v]) && in_ball(v, far_wish(v));
    }
  });
  const auto may_stay = [&](size_t k) {
    if (!std::isfinite(bounds_[k].above)) return false;
    const std::array<int32_t, 4>& p = corners_[k];
    if (calm[p[0]] & calm[p[1]] & calm[p[2]] & calm[p[3]]) return true;
    return hold(k, {x[p[0]], x[p[1]], x[p[2]], x[p[3]]}) &&
           hold(k, {far_wish(p[0]), far_wish(p[1]), far_wish(p[2]), far_wish(p[3])});
  };
  const size_t faces = pairs_.vertex_triangle.size(), count = corners_.size();
  Flags changed(sets_.size());  // points that have a new plane
  const LimitTally tally = ordered_sum<LimitTally>(pool, static_cast<int64_t>(bounds_.size()), [&](int64_t index) {
    const auto k = static_cast<size_t>(index);
    if (k < count) return may_stay(k) ? LimitTally{} : divide_pair(k, x, goal, least_gap, changed);
    return divide_from_plane(k, x, least_gap, changed);
  });

  Division division;
  division.divided = tally.divided;
  division.kept = tally.kept;
  division.smallest_gap = tally.smallest_gap;
  if (tally.undivided > 0) {
    for (size_t k = 0; k < bounds_.size(); ++k) {
      if (std::isfinite(bounds_[k].above)) continue;
      if (k >= count) {
        division.vertex_plane.push_back({vertex_planes_[k - count].vertex, vertex_planes_[k - count].plane});
      } else if (k < faces) {
        division.vertex_triangle.push_back(static_cast<int32_t>(k));
      } else {
        division.edge_edge.push_back(static_cast<int32_t>(k - faces));
      }
    }
  }

  // The balls in which a move needs no look at the planes. n is of unit length but for some half ulps.
  std::atomic<int64_t> outside{0};
  pool.parallel_for(vertex_count, grain, [&](int64_t first, int64_t last) {
    int64_t out = 0;
    for (int64_t k = first; k < last; ++k) {
      const int32_t v = surface.vertices[static_cast<size_t>(k)];
      PointSet& set = sets_[static_cast<size_t>(v)];
      const Vec3d here = x[v];
      out += !in_box(v, here);
      if (calm[static_cast<size_t>(v)] && !changed[static_cast<size_t>(v)].load(std::memory_order_relaxed)) continue;
      const Vec3<float> centre = stored_as<float>(here);
      double reach = infinity;
      for (const int32_t side : sides_of(v)) reach = min(reach, room(side, in_double(centre)));
      set.centre[0] = centre.x;
      set.centre[1] = centre.y;
      set.centre[2] = centre.z;
      set.reach_squared = reach > 0 ? static_cast<float>(.99999 * reach * reach) : -1;
    }
    outside += out;
  });
  division.outside = outside;
  return division;
}

// Whether all corners, there, are on their sides.
bool Limits::hold(size_t pair, const std::array<Vec3d, 4>& x) const {
  const PairBounds& bounds = bounds_[pair];
  const auto above = [&](Vec3d p) { return dot_below(bounds.n, p) >= bounds.above; };
  const auto below = [&](Vec3d p) { return dot_above(bounds.n, p) <= bounds.below; };
  return above(x[0]) && (pair < pairs_.vertex_triangle.size() ? below(x[1]) : above(x[1])) && below(x[2]) &&
         below(x[3]);
}

// The half space does not give way.
LimitTally Limits::divide_from_plane(size_t k, PointPositions x, double least_gap, Flags& changed) {
  const VertexPlane& pair = vertex_planes_[k - corners_.size()];
  changed[static_cast<size_t>(pair.vertex)].store(1, std::memory_order_relaxed);
  PairBounds& bounds = bounds_[k];
  const double low = dot_below(pair.n, x[pair.vertex]), gap = low - pair.below;
  bounds = {pair.n, min(low, pair.below + gap_kept(gap, least_gap)), pair.below};
  if (bounds.above > bounds.below) return {.divided = 1, .smallest_gap = gap};
  bounds = undivided;
  return {.undivided = 1, .smallest_gap = gap};
}

LimitTally Limits::divide_pair(size_t k, PointPositions x, PointPositions goal, double least_gap, Flags& changed) {
  std::array<Vec3d, 4> at, wish;
  for (size_t c = 0; c < 4; ++c) {
    const int32_t p = corners_[k][c];
    at[c] = x[p];
    wish[c] = goal[p] - at[c];
    changed[static_cast<size_t>(p)].store(1, std::memory_order_relaxed);
  }
  const int first_side = k < pairs_.vertex_triangle.size() ? 1 : 2;
  PairBounds& bounds = bounds_[k];
  Cut cut(separate(at, first_side), wish, first_side, least_gap);
  const double gap = cut.plane.gap();
  if (!(gap > 0)) {
    // That of an earlier division, if nothing was moved past it.
    if (std::isfinite(bounds.above) && hold(k, at))
      return {.kept = 1, .smallest_gap = separation_along(bounds.n, at, first_side).gap()};
    bounds = undivided;
    return {.undivided = 1, .smallest_gap = 0};
  }
  if (cut.allowed() < 1) {
    // Where the shortest way between the two is in the way of sliding, another plane may not be.
    const Vec3d way = first_side == 1 ? wish[0] - (1. / 3) * (wish[1] + wish[2] + wish[3])
                                      : .5 * (wish[0] + wish[1]) - .5 * (wish[2] + wish[3]);
    for (const Vec3d axis : {across(cut.plane.n, way), flat_normal(at, first_side)}) {
      const Cut other(separate_along(axis, at, first_side), wish, first_side, least_gap);
      if (other.plane.gap() > narrowest_gap(least_gap) && other.allowed() > cut.allowed()) cut = other;
    }
  }
  bounds = cut.bounds<PairBounds>();
  return {.divided = 1, .smallest_gap = gap};
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

template <class Point>
LimitCounts Limits::limit_all(std::span<const Point> from, std::span<Point> to, ThreadPool& pool,
                              int32_t first_point) const {
  SINEW_ASSERT(from.size() == to.size());
  using Real = decltype(Point::x);
  std::atomic<int64_t> by_box{0}, by_plane{0};
  constexpr int64_t grain = 2048;
  pool.parallel_for(static_cast<int64_t>(from.size()), grain, [&](int64_t first, int64_t last) {
    LimitCounts counts;
    for (int64_t k = first; k < last; ++k) {
      const Point& a = from[static_cast<size_t>(k)];
      Point& b = to[static_cast<size_t>(k)];
      const auto move = limited<Real>(first_point + static_cast<int32_t>(k), {a.x, a.y, a.z}, {b.x, b.y, b.z});
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

template LimitCounts Limits::limit_all(std::span<const Vec3d>, std::span<Vec3d>, ThreadPool&, int32_t) const;
template LimitCounts Limits::limit_all(std::span<const Vec4<float>>, std::span<Vec4<float>>, ThreadPool&,
                                       int32_t) const;
template LimitCounts Limits::limit_all(std::span<const Vec4<double>>, std::span<Vec4<double>>, ThreadPool&,
                                       int32_t) const;
template double Limits::longest_step(std::span<const Vec3d>, std::span<const Vec3d>, ThreadPool&, int32_t) const;
template double Limits::longest_step(std::span<const Vec4<float>>, std::span<const Vec4<float>>, ThreadPool&,
                                     int32_t) const;
template double Limits::longest_step(std::span<const Vec4<double>>, std::span<const Vec4<double>>, ThreadPool&,
                                     int32_t) const;

std::string Limits::save() const {
  // Those of half spaces are found anew by every division.
  const auto count = static_cast<std::ptrdiff_t>(pairs_.vertex_triangle.size() + pairs_.edge_edge.size());
  const std::vector<PairBounds> bounds(bounds_.begin(), bounds_.begin() + count);
  return ByteListWriter().add(pairs_.vertex_triangle).add(pairs_.edge_edge).add(bounds).take();
}

bool Limits::restore(const ContactSurface& surface, std::string_view bytes) {
  ByteListReader reader(bytes);
  CandidatePairs pairs;
  std::vector<PairBounds> bounds;
  if (!reader.take(pairs.vertex_triangle) || !reader.take(pairs.edge_edge) || !reader.take(bounds) ||
      !reader.at_end() || bounds.size() != pairs.vertex_triangle.size() + pairs.edge_edge.size())
    return false;
  const auto exists = [](int32_t k, size_t count) { return k >= 0 && static_cast<size_t>(k) < count; };
  for (const CandidatePairs::VertexTriangle& p : pairs.vertex_triangle)
    if (!exists(p.vertex, surface.rest.size()) || !exists(p.triangle, surface.triangles.size())) return false;
  for (const CandidatePairs::EdgeEdge& p : pairs.edge_edge)
    if (!exists(p.a, surface.edges.size()) || !exists(p.b, surface.edges.size())) return false;
  start_from(std::move(pairs), std::move(bounds));
  return true;
}

void Limits::take_of(const Limits& earlier, const SurfaceMap& map) {
  const auto in = [](const std::vector<int32_t>& list, int32_t k) { return list[static_cast<size_t>(k)]; };
  std::vector<std::pair<CandidatePairs::VertexTriangle, PairBounds>> faces;
  std::vector<std::pair<CandidatePairs::EdgeEdge, PairBounds>> edges;
  for (size_t k = 0; k < earlier.pairs_.vertex_triangle.size(); ++k) {
    const CandidatePairs::VertexTriangle& p = earlier.pairs_.vertex_triangle[k];
    const CandidatePairs::VertexTriangle now{in(map.points, p.vertex), in(map.triangles, p.triangle)};
    if (now.vertex >= 0 && now.triangle >= 0) faces.emplace_back(now, earlier.bounds_[k]);
  }
  for (size_t k = 0; k < earlier.pairs_.edge_edge.size(); ++k) {
    const CandidatePairs::EdgeEdge& p = earlier.pairs_.edge_edge[k];
    CandidatePairs::EdgeEdge now{in(map.edges, p.a), in(map.edges, p.b)};
    PairBounds bounds = earlier.bounds_[earlier.pairs_.vertex_triangle.size() + k];
    if (now.a < 0 || now.b < 0) continue;
    if (now.a > now.b) {  // the other one is side 1 now
      std::swap(now.a, now.b);
      bounds = {-bounds.n, -bounds.below, -bounds.above};
    }
    edges.emplace_back(now, bounds);
  }
  const auto by_pair = [](const auto& a, const auto& b) { return before(a.first, b.first); };
  std::sort(faces.begin(), faces.end(), by_pair);
  std::sort(edges.begin(), edges.end(), by_pair);
  CandidatePairs pairs;
  std::vector<PairBounds> bounds;
  for (const auto& [pair, of] : faces) {
    pairs.vertex_triangle.push_back(pair);
    bounds.push_back(of);
  }
  for (const auto& [pair, of] : edges) {
    pairs.edge_edge.push_back(pair);
    bounds.push_back(of);
  }
  start_from(std::move(pairs), std::move(bounds));
}

// What else there is follows from pairs, and is set up by the next division.
void Limits::start_from(CandidatePairs pairs, std::vector<PairBounds> bounds) {
  pairs_ = std::move(pairs);
  bounds_ = std::move(bounds);
  planes_changed_ = true;
  corners_.clear();
  side_begin_.clear();
  sides_.clear();
  vertex_planes_.clear();
}

size_t Limits::memory_bytes() const {
  return sets_.capacity() * sizeof(PointSet) + vertex_planes_.capacity() * sizeof(VertexPlane) +
         pairs_.vertex_triangle.capacity() * sizeof(CandidatePairs::VertexTriangle) +
         pairs_.edge_edge.capacity() * sizeof(CandidatePairs::EdgeEdge) +
         corners_.capacity() * sizeof(std::array<int32_t, 4>) + bounds_.capacity() * sizeof(PairBounds) +
         side_begin_.capacity() * sizeof(int64_t) + sides_.capacity() * sizeof(int32_t);
}

}  // namespace sinew
