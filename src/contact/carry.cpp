#include "contact/carry.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sinew {
namespace {

// Bodies that meet on their ways go together from then on, so that others may be in the way: how often that is tried.
constexpr int most_rounds = 4;

double longest_side(Vec3d v) {
  return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
}

// Bodies that go together, and whether they go at all.
class Convoys {
 public:
  explicit Convoys(size_t bodies) : leader_(bodies), stands_(bodies, 0) {
    std::iota(leader_.begin(), leader_.end(), size_t{0});
  }
  size_t leader(size_t body) const {
    while (leader_[body] != body) body = leader_[body];
    return body;
  }
  bool stands(size_t body) const { return stands_[leader(body)] != 0; }
  void stop(size_t body) { stands_[leader(body)] = 1; }
  // Returns whether that is new.
  bool join(size_t a, size_t b) {
    a = leader(a);
    b = leader(b);
    if (a == b) return false;
    leader_[std::max(a, b)] = std::min(a, b);
    stands_[std::min(a, b)] = stands_[a] | stands_[b];
    return true;
  }

 private:
  std::vector<size_t> leader_;
  std::vector<uint8_t> stands_;  // of leaders
};

// The mean way of each convoy's vertices; 0 of what stands.
std::vector<Vec3d> mean_ways(const CarryQuery& q, const Convoys& convoys) {
  const ContactSurface& surface = *q.surface;
  std::vector<Vec3d> sum(surface.bodies.size());
  std::vector<int64_t> count(sum.size(), 0);
  for (const int32_t v : surface.vertices) {
    if (surface.is_collider_point(v)) continue;
    const size_t convoy = convoys.leader(static_cast<size_t>(surface.body_of[static_cast<size_t>(v)]));
    sum[convoy] += q.to[static_cast<size_t>(v)] - q.from[static_cast<size_t>(v)];
    ++count[convoy];
  }
  std::vector<Vec3d> ways(sum.size());
  for (size_t b = 0; b < ways.size(); ++b) {
    const size_t convoy = convoys.leader(b);
    if (convoys.stands(b) || count[convoy] == 0) continue;
    const Vec3d way = (1.0 / static_cast<double>(count[convoy])) * sum[convoy];
    if (std::isfinite(way.x + way.y + way.z) && longest_side(way) >= q.least_way) ways[b] = way;
  }
  return ways;
}

// Stops bodies that would come near a half space, or are near one. Returns whether there are any.
bool stop_at_planes(const CarryQuery& q, const std::vector<Vec3d>& ways, Convoys& convoys) {
  const ContactSurface& surface = *q.surface;
  bool any = false;
  for (const int32_t v : surface.vertices) {
    if (surface.is_collider_point(v)) continue;
    const auto body = static_cast<size_t>(surface.body_of[static_cast<size_t>(v)]);
    if (longest_side(ways[body]) == 0 || convoys.stands(body)) continue;
    const Vec3d x = q.from[static_cast<size_t>(v)], there = x + ways[body];
    for (size_t k = 0; k < q.planes.size(); ++k) {
      const ContactPlane& plane = q.planes[k];
      const int32_t group = surface.bodies[body].group;
      if (!surface.rules[static_cast<size_t>(group * surface.group_count + plane.group)].touches ||
          q.ignored->has_plane(static_cast<int32_t>(body), k))
        continue;
      const double height = std::min(dot(plane.normal, x - plane.point), dot(plane.normal, there - plane.point));
      if (height > 2 * q.margin) continue;
      convoys.stop(body);
      any = true;
    }
  }
  return any;
}

}  // namespace

std::vector<Vec3d> ways_to_carry(const CarryQuery& q, SurfaceTree& tree, ThreadPool& pool) {
  const ContactSurface& surface = *q.surface;
  Convoys convoys(surface.bodies.size());
  for (size_t b = 0; b < surface.bodies.size(); ++b)
    if (surface.bodies[b].collider) convoys.stop(b);
  for (const int32_t v : surface.vertices)
    if (!surface.is_collider_point(v) && q.held[static_cast<size_t>(v)])
      convoys.stop(static_cast<size_t>(surface.body_of[static_cast<size_t>(v)]));
  for (int round = 0; round < most_rounds; ++round) {
    const std::vector<Vec3d> ways = mean_ways(q, convoys);
    if (std::all_of(ways.begin(), ways.end(), [](Vec3d way) { return longest_side(way) == 0; })) return {};
    bool changed = stop_at_planes(q, ways, convoys);
    if (!changed) {
      std::vector<Vec3d> there(q.from.begin(), q.from.end());
      for (const int32_t v : surface.vertices)
        if (!surface.is_collider_point(v))
          there[static_cast<size_t>(v)] += ways[static_cast<size_t>(surface.body_of[static_cast<size_t>(v)])];
      for (const auto& [a, b] :
           tree.meeting_bodies(surface, {q.from, q.colliders}, {there, q.colliders}, q.margin, pool))
        changed = convoys.join(static_cast<size_t>(a), static_cast<size_t>(b)) || changed;
    }
    if (!changed) return ways;
  }
  return {};
}

}  // namespace sinew
