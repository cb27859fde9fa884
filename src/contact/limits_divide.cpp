// Puts planes between the sides of pairs.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>

#include "base/assert.h"
#include "contact/limits.h"
#include "contact/separation.h"
#include "exec/counting_sort.h"
#include "math/stored.h"

namespace sinew {
namespace {

// Both sides get at least this part of the room that there is.
constexpr double least_share = .05;

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

// Calls visit(index in `now`, index in `earlier` or -1) for all pairs of the first of two ascending lists.
template <class Pair, class Visit>
void for_each_pair(const std::vector<Pair>& now, const std::vector<Pair>& earlier, ThreadPool& pool,
                   const Visit& visit) {
  constexpr int64_t grain = 4096;
  pool.parallel_for(static_cast<int64_t>(now.size()), grain, [&](int64_t first, int64_t last) {
    auto at = std::lower_bound(earlier.begin(), earlier.end(), now[static_cast<size_t>(first)]);
    for (int64_t k = first; k < last; ++k) {
      const Pair& pair = now[static_cast<size_t>(k)];
      while (at != earlier.end() && *at < pair) ++at;
      visit(static_cast<size_t>(k), at != earlier.end() && *at == pair ? at - earlier.begin() : -1);
    }
  });
}

}  // namespace

struct LimitTally {
  int64_t divided = 0, kept = 0, undivided = 0;
  double smallest_gap = std::numeric_limits<double>::infinity();

  LimitTally& operator+=(const LimitTally& other) {
    divided += other.divided;
    kept += other.kept;
    undivided += other.undivided;
    smallest_gap = std::min(smallest_gap, other.smallest_gap);
    return *this;
  }
};

// Takes over a list of candidates, and for pairs that were in the last one their bounds.
void Limits::adopt(const ContactSurface& surface, const CandidatePairs& pairs, ThreadPool& pool) {
  const size_t faces = pairs.vertex_triangle.size(), count = faces + pairs.edge_edge.size();
  const auto at = [](const auto& list, int32_t k) -> const auto& {
    return list[static_cast<size_t>(k)];
  };
  std::swap(bounds_, earlier_bounds_);
  bounds_.resize(count + vertex_planes_.size());
  corners_.resize(count);
  for_each_pair(pairs.vertex_triangle, pairs_.vertex_triangle, pool, [&](size_t k, std::ptrdiff_t earlier) {
    bounds_[k] = earlier < 0 ? undivided : earlier_bounds_[static_cast<size_t>(earlier)];
    const Triangle& t = at(surface.triangles, pairs.vertex_triangle[k].triangle);
    corners_[k] = {pairs.vertex_triangle[k].vertex, t[0], t[1], t[2]};
  });
  const size_t earlier_faces = pairs_.vertex_triangle.size();
  for_each_pair(pairs.edge_edge, pairs_.edge_edge, pool, [&](size_t k, std::ptrdiff_t earlier) {
    bounds_[faces + k] = earlier < 0 ? undivided : earlier_bounds_[earlier_faces + static_cast<size_t>(earlier)];
    const Edge &a = at(surface.edges, pairs.edge_edge[k].a), &b = at(surface.edges, pairs.edge_edge[k].b);
    corners_[faces + k] = {a[0], a[1], b[0], b[1]};
  });
  std::fill(bounds_.begin() + static_cast<std::ptrdiff_t>(count), bounds_.end(), undivided);
  counting_sort(
      pool, static_cast<int64_t>(4 * count + vertex_planes_.size()), sets_.size(),
      [&](int64_t side) {
        const auto k = static_cast<size_t>(side);
        return static_cast<size_t>(k < 4 * count ? corners_[k / 4][k % 4] : vertex_planes_[k - 4 * count].vertex);
      },
      side_begin_, sides_,
      [&](int64_t side) {
        const auto k = static_cast<size_t>(side), pair = k < 4 * count ? k / 4 : k - 3 * count;
        const size_t first_side = pair < faces ? 1 : 2;
        return static_cast<int32_t>(2 * pair + (pair < count && k % 4 >= first_side));
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
      double reach = std::numeric_limits<double>::infinity();
      for (const int32_t side : sides_of(v)) reach = min(reach, room(side, {centre.x, centre.y, centre.z}));
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

}  // namespace sinew
