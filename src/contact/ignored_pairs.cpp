#include "contact/ignored_pairs.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "contact/distance.h"
#include "contact/solid_angle.h"
#include "mesh/crossing_triangles.h"

namespace sinew {
namespace {

// [m] Signs are exact for coordinates that are 0 or not below this (mesh/exact_sign.h).
constexpr double smallest = 1e-90;

IgnoredPair in_order(int32_t a, int32_t b) {
  return b >= 0 && b < a ? IgnoredPair{b, a} : IgnoredPair{a, b};
}

double gap_of(const ContactSurface& surface, PointPositions x, const CandidatePairs::VertexTriangle& pair) {
  const Triangle& t = surface.triangles[static_cast<size_t>(pair.triangle)];
  const Vec3d p = x[pair.vertex], a = x[t[0]], b = x[t[1]], c = x[t[2]];
  const TriangleFoot<double> foot = closest_on_triangle(p, a, b, c);
  return length(p - (foot.weights[0] * a + foot.weights[1] * b + foot.weights[2] * c));
}
double gap_of(const ContactSurface& surface, PointPositions x, const CandidatePairs::EdgeEdge& pair) {
  const Edge &e = surface.edges[static_cast<size_t>(pair.a)], &f = surface.edges[static_cast<size_t>(pair.b)];
  const Vec3d a = x[e[0]], b = x[e[1]], c = x[f[0]], d = x[f[1]];
  const SegmentFeet<double> feet = closest_on_segments(a, b, c, d);
  return length(a + feet.p * (b - a) - (c + feet.q * (d - c)));
}

// The triangles of a body, and whether a place lies inside.
struct Solid {
  std::vector<Triangle> triangles;
  double volume = 0;  // [m^3] below 0: it faces inwards, and what is outside is solid

  Solid(const ContactSurface& surface, PointPositions x, int32_t body) {
    for (const Triangle& t : surface.triangles)
      if (surface.body_of[static_cast<size_t>(t[0])] == body) triangles.push_back(t);
    const Vec3d o = x[triangles[0][0]];
    for (const Triangle& t : triangles) volume += dot(x[t[0]] - o, cross(x[t[1]] - o, x[t[2]] - o)) / 6;
  }
  bool encloses(PointPositions x, Vec3d place) const {
    double angle = 0;
    for (const Triangle& t : triangles) angle += solid_angle(x[t[0]] - place, x[t[1]] - place, x[t[2]] - place);
    const bool inside = std::abs(angle) > 2 * std::numbers::pi;
    return volume < 0 ? !inside : inside;
  }
};

bool meet(const ContactSurface& surface, PointPositions x, IgnoredPair pair, ThreadPool& pool) {
  const Solid a(surface, x, pair.first), b(surface, x, pair.second);
  std::vector<Triangle> triangles = a.triangles;
  const auto first_of_b = static_cast<int32_t>(triangles.size());
  if (pair.first != pair.second) triangles.insert(triangles.end(), b.triangles.begin(), b.triangles.end());
  std::vector<Vec3d> points(surface.rest.size());
  for (const int32_t v : surface.vertices) {
    Vec3d& p = points[static_cast<size_t>(v)];
    p = x[v];
    for (double* const c : {&p.x, &p.y, &p.z})
      if (std::abs(*c) < smallest) *c = 0;
  }
  for (const auto& [t, u] : meeting_triangles(points, triangles, pool))
    if (pair.first == pair.second || (t < first_of_b && u >= first_of_b)) return true;
  const auto closed = [&](int32_t body) { return surface.bodies[static_cast<size_t>(body)].closed; };
  return pair.first != pair.second && ((closed(pair.second) && b.encloses(x, x[a.triangles[0][0]])) ||
                                       (closed(pair.first) && a.encloses(x, x[b.triangles[0][0]])));
}

// Whether a vertex of the body is below the plane, or nearer than their radius.
bool is_near(const ContactSurface& surface, PointPositions x, int32_t body, const ContactPlane& plane) {
  const double radius = surface.rule(body, plane).radius;
  return std::any_of(surface.vertices.begin(), surface.vertices.end(), [&](int32_t v) {
    return surface.body_of[static_cast<size_t>(v)] == body && !(dot(plane.normal, x[v] - plane.point) >= radius);
  });
}

}  // namespace

bool IgnoredPairs::has(int32_t body, int32_t other) const {
  return std::binary_search(pairs_.begin(), pairs_.end(), in_order(body, other));
}

void IgnoredPairs::add(std::span<const IgnoredPair> pairs) {
  for (const IgnoredPair& pair : pairs) pairs_.push_back(in_order(pair.first, pair.second));
  std::sort(pairs_.begin(), pairs_.end());
  pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
}

void IgnoredPairs::add_of(const IgnoredPairs& earlier, const SurfaceMap& map) {
  std::vector<IgnoredPair> kept;
  for (const IgnoredPair& pair : earlier.pairs_) {
    const int32_t first = map.bodies[static_cast<size_t>(pair.first)];
    if (pair.second >= 0) {
      const int32_t second = map.bodies[static_cast<size_t>(pair.second)];
      if (first >= 0 && second >= 0) kept.push_back({first, second});
    } else {
      const int32_t plane = map.planes[static_cast<size_t>(-1 - pair.second)];
      if (first >= 0 && plane >= 0) kept.push_back({first, -1 - plane});
    }
  }
  add(kept);
}

bool IgnoredPairs::fit(const ContactSurface& surface) const {
  const auto bodies = static_cast<int32_t>(surface.bodies.size()), planes = static_cast<int32_t>(surface.planes.size());
  return std::all_of(pairs_.begin(), pairs_.end(), [&](const IgnoredPair& pair) {
    return pair.first >= 0 && pair.first < bodies && pair.second < bodies && pair.second >= -planes;
  });
}

void IgnoredPairs::forget_apart(const ContactSurface& surface, PointPositions x, const CandidatePairs& near,
                                std::span<const ContactPlane> planes, ThreadPool& pool) {
  std::vector<uint8_t> together(pairs_.size(), 0);
  const auto look = [&](int32_t p, int32_t q, const auto& pair) {
    const int32_t a = surface.body_of[static_cast<size_t>(p)], b = surface.body_of[static_cast<size_t>(q)];
    const IgnoredPair sought = in_order(a, b);
    const auto at = std::lower_bound(pairs_.begin(), pairs_.end(), sought);
    if (a == b || at == pairs_.end() || *at != sought) return;
    uint8_t& known = together[static_cast<size_t>(at - pairs_.begin())];
    if (!known) known = gap_of(surface, x, pair) < surface.rule(a, b).radius;
  };
  for (const CandidatePairs::VertexTriangle& pair : near.vertex_triangle)
    look(pair.vertex, surface.triangles[static_cast<size_t>(pair.triangle)][0], pair);
  for (const CandidatePairs::EdgeEdge& pair : near.edge_edge)
    look(surface.edges[static_cast<size_t>(pair.a)][0], surface.edges[static_cast<size_t>(pair.b)][0], pair);
  std::vector<IgnoredPair> kept;
  for (size_t k = 0; k < pairs_.size(); ++k) {
    const IgnoredPair pair = pairs_[k];
    if (together[k] || (pair.second < 0 ? is_near(surface, x, pair.first, planes[static_cast<size_t>(-1 - pair.second)])
                                        : meet(surface, x, pair, pool)))
      kept.push_back(pair);
  }
  pairs_ = std::move(kept);
}

}  // namespace sinew
