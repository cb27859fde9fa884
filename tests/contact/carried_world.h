// Surfaces whose points are moved all at once (contact/carry.h), and whose intersections on the way are counted.
#pragma once

#include <type_traits>
#include <vector>

#include "contact/carry.h"
#include "contact/limited_world.h"

namespace sinew::limits_support {

constexpr double carried_radius = 0.02;

template <class Real>
struct CarriedWorld : World<Real> {
  using World<Real>::surface;
  using World<Real>::x;
  using World<Real>::at;

  SurfaceTree tree;
  IgnoredPairs ignored;

  explicit CarriedWorld(const std::vector<SurfaceMesh>& bodies, const std::vector<SurfaceMesh>& colliders = {})
      : World<Real>(bodies, colliders) {
    surface.rules[0].radius = carried_radius;
    tree.build(surface, ThreadPool::caller());
  }
  int32_t body_of(size_t point) const { return surface.body_of[point]; }
  // Where points would be, each body moved by a way of its own.
  Points shifted(const std::vector<Vec3d>& ways) const {
    Points to = x;
    for (size_t p = 0; p < to.size(); ++p) to[p] += ways[static_cast<size_t>(body_of(p))];
    return to;
  }
  // Bodies that are ignored together are left out; nothing is moved if it is empty.
  Points carried(const Points& goal, ThreadPool& pool = ThreadPool::caller()) {
    const auto slots = static_cast<size_t>(surface.slot_count);
    return carry({.surface = &surface,
                  .from = std::span(x).first(slots),
                  .to = std::span(goal).first(slots),
                  .single = std::is_same_v<Real, float>,
                  .colliders = std::span(x).subspan(slots),
                  .planes = surface.planes,
                  .ignored = &ignored,
                  .leave_out = [this](CandidatePairs& pairs) { leave_out(pairs); },
                  .radius = carried_radius,
                  .least_gap = 1e-6},
                 tree, pool);
  }
  void leave_out(CandidatePairs& pairs) const {
    const auto are = [&](int32_t p, int32_t q) {
      return ignored.has(body_of(static_cast<size_t>(p)), body_of(static_cast<size_t>(q)));
    };
    std::erase_if(pairs.vertex_triangle, [&](const CandidatePairs::VertexTriangle& p) {
      return are(p.vertex, surface.triangles[static_cast<size_t>(p.triangle)][0]);
    });
    std::erase_if(pairs.edge_edge, [&](const CandidatePairs::EdgeEdge& p) {
      return are(surface.edges[static_cast<size_t>(p.a)][0], surface.edges[static_cast<size_t>(p.b)][0]);
    });
  }
  // Pairs of triangles that meet at a part of the way, but for those of bodies that are ignored together.
  int64_t intersections_at(const Points& there, double t) const {
    Points points = x;
    for (size_t s = 0; s < there.size(); ++s) points[s] = x[s] + t * (there[s] - x[s]);
    int64_t count = 0;
    for (const auto& [a, b] : meeting_triangles(points, surface.triangles, ThreadPool::caller())) {
      const auto body = [&](int32_t k) {
        return body_of(static_cast<size_t>(surface.triangles[static_cast<size_t>(k)][0]));
      };
      count += !ignored.has(body(a), body(b));
    }
    return count;
  }
};

}  // namespace sinew::limits_support
