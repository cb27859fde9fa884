// Surfaces with limits, whose points are moved as a solver moves them, and whose intersections are counted.
#pragma once

#include <array>
#include <cmath>
#include <random>
#include <span>
#include <vector>

#include "contact/limits.h"
#include "math/bounds.h"
#include "mesh/crossing_triangles.h"
#include "mesh/generators.h"
#include "support/surface.h"

namespace sinew::limits_support {

using Random = std::mt19937;
using Points = std::vector<Vec3d>;

inline double uniform(Random& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}
inline Vec3d random_vector(Random& random, double size) {
  return {uniform(random, -size, size), uniform(random, -size, size), uniform(random, -size, size)};
}
template <class Real>
Vec3d stored(Vec3d x) {
  return {static_cast<Real>(x.x), static_cast<Real>(x.y), static_cast<Real>(x.z)};
}
inline Vec3d turned(Vec3d x, Vec3d axis, double angle) {
  const Vec3d k = (1 / std::sqrt(dot(axis, axis))) * axis;
  return std::cos(angle) * x + (std::sin(angle) * cross(k, x) + ((1 - std::cos(angle)) * dot(k, x)) * k);
}

inline SurfaceMesh box(Vec3d size, std::array<int32_t, 3> cells = {1, 1, 1}) {
  return support::boundary_surface(*make_box({.cells = cells, .size = size, .origin = -.5 * size}));
}
inline SurfaceMesh ball(double radius, int32_t shells) {
  return support::boundary_surface(*make_ball({.radius = radius, .centre = {0, 0, 0}, .shells = shells}));
}
inline SurfaceMesh moved(SurfaceMesh mesh, Vec3d by) {
  for (Vec3d& x : mesh.vertices) x += by;
  return mesh;
}

// Surfaces and where their points are, in the precision of Real.
template <class Real>
struct World {
  ContactSurface surface;
  Points x;

  explicit World(const std::vector<SurfaceMesh>& bodies, const std::vector<SurfaceMesh>& colliders = {}) {
    for (const SurfaceMesh& mesh : bodies) add(mesh, false);
    surface.slot_count = surface.point_count();
    for (const SurfaceMesh& mesh : colliders) add(mesh, true);
    surface.group_count = 1;
    surface.rules.resize(1);
    surface.rules[0].apart = true;
    connect(surface);
    for (const Vec3d& p : surface.rest) x.push_back(stored<Real>(p));
  }
  void add(const SurfaceMesh& mesh, bool collider) {
    const int32_t first = surface.point_count();
    const auto body = static_cast<int32_t>(surface.bodies.size());
    surface.rest.insert(surface.rest.end(), mesh.vertices.begin(), mesh.vertices.end());
    surface.body_of.resize(surface.rest.size(), body);
    for (const Triangle& t : mesh.triangles) surface.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
    surface.bodies.push_back({.object = body, .group = 0, .closed = true, .collider = collider});
  }
  PointPositions at(const Points& points) const {
    const auto slots = static_cast<size_t>(surface.slot_count);
    return {std::span(points).first(slots), std::span(points).subspan(slots)};
  }
  int64_t intersections() const {
    return static_cast<int64_t>(meeting_triangles(x, surface.triangles, ThreadPool::caller()).size());
  }

  // All pairs whose boxes of motion overlap.
  CandidatePairs detect(const Points& to, double slack) const {
    const auto of_point = [&](int32_t p) {
      const auto k = static_cast<size_t>(p);
      Bounds b;
      b.add(x[k]);
      b.add(to[k]);
      b.low = b.low - Vec3d{slack, slack, slack};
      b.high = b.high + Vec3d{slack, slack, slack};
      return b;
    };
    const auto of = [&](const auto& primitive) {
      Bounds b;
      for (const int32_t p : primitive) b.merge(of_point(p));
      return b;
    };
    const auto overlap = [](const Bounds& a, const Bounds& b) {
      return a.low.x <= b.high.x && b.low.x <= a.high.x && a.low.y <= b.high.y && b.low.y <= a.high.y &&
             a.low.z <= b.high.z && b.low.z <= a.high.z;
    };
    std::vector<Bounds> triangle_boxes, edge_boxes;
    for (const Triangle& t : surface.triangles) triangle_boxes.push_back(of(t));
    for (const Edge& e : surface.edges) edge_boxes.push_back(of(e));
    CandidatePairs pairs;
    for (const int32_t v : surface.vertices) {
      const Bounds b = of_point(v);
      for (size_t k = 0; k < triangle_boxes.size(); ++k) {
        const Triangle& t = surface.triangles[k];
        if (overlap(b, triangle_boxes[k]) && t[0] != v && t[1] != v && t[2] != v)
          pairs.vertex_triangle.push_back({v, static_cast<int32_t>(k)});
      }
    }
    for (size_t a = 0; a < edge_boxes.size(); ++a) {
      for (size_t b = a + 1; b < edge_boxes.size(); ++b) {
        const Edge &e = surface.edges[a], &f = surface.edges[b];
        if (overlap(edge_boxes[a], edge_boxes[b]) && e[0] != f[0] && e[0] != f[1] && e[1] != f[0] && e[1] != f[1])
          pairs.edge_edge.push_back({static_cast<int32_t>(a), static_cast<int32_t>(b)});
      }
    }
    return pairs;
  }
};

// A world with limits: detect and divide, then move points one by one.
template <class Real>
struct Limited : World<Real> {
  using World<Real>::surface;
  using World<Real>::x;
  using World<Real>::at;

  Limits limits;
  CandidatePairs pairs;
  double least = 1e-6;
  int64_t by_box = 0, by_plane = 0;

  using World<Real>::World;

  Division detect_and_divide(const Points& goal, double slack, std::span<const ContactPlane> planes = {}) {
    pairs = this->detect(goal, slack);
    limits.set_boxes(surface, at(x), at(goal), slack, planes);
    return divide(goal);
  }
  Division divide(const Points& goal) {
    return limits.divide(surface, pairs, at(x), at(goal), least, ThreadPool::caller());
  }
  StoppedBy move(int32_t point, Vec3d to) {
    const auto k = static_cast<size_t>(point);
    const auto real = [](Vec3d v) {
      return Vec3<Real>{static_cast<Real>(v.x), static_cast<Real>(v.y), static_cast<Real>(v.z)};
    };
    const LimitedMove<Real> moved = limits.limited(point, real(x[k]), real(to));
    x[k] = {static_cast<double>(moved.to.x), static_cast<double>(moved.to.y), static_cast<double>(moved.to.z)};
    by_box += moved.by == StoppedBy::box;
    by_plane += moved.by == StoppedBy::plane;
    return moved.by;
  }
  void move_all(const Points& to) {
    for (size_t k = 0; k < x.size(); ++k) move(static_cast<int32_t>(k), to[k]);
  }
};

// A unit square of two triangles, at a height.
inline SurfaceMesh square(double height) {
  return {.vertices = {{0, 0, height}, {1, 0, height}, {1, 1, height}, {0, 1, height}},
          .triangles = {{0, 1, 2}, {0, 2, 3}}};
}
// One triangle over the middle of a square.
template <class Real>
Limited<Real> triangle_over_square(double gap) {
  SurfaceMesh triangle{.vertices = {{.4, .4, gap}, {.6, .4, gap}, {.5, .6, gap}}, .triangles = {{0, 1, 2}}};
  Limited<Real> world({square(0), triangle});
  world.least = least_gap(1e-2, 1, sizeof(Real) == 4);
  return world;
}

}  // namespace sinew::limits_support
