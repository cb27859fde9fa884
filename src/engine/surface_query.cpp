#include "engine/surface_query.h"

#include <cmath>
#include <limits>

#include "mesh/triangle_tree.h"

namespace sinew {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Hit {
  double distance = infinity;
  int32_t triangle = -1;
  std::array<double, 3> weights{};

  // The nearer, and of equals the first.
  void operator+=(const Hit& o) {
    if (o.distance < distance) *this = o;
  }
};

// hit(a, b, c) over all triangles of all objects.
template <class Find>
std::optional<SurfacePoint> nearest_hit(Engine& engine, const Find& find) {
  const VertexOrder& order = engine.compiled.model.order;
  const auto at = [&](int32_t v) { return engine.state().x[static_cast<size_t>(order.slot(UserVertex{v}))]; };
  std::optional<SurfacePoint> best;
  for (size_t o = 0; o < engine.compiled.objects.size(); ++o) {
    const std::vector<Triangle>& surface = engine.compiled.objects[o].surface;
    const Hit hit = ordered_sum<Hit>(engine.pool, static_cast<int64_t>(surface.size()), [&](int64_t k) {
      const Triangle& t = surface[static_cast<size_t>(k)];
      Hit one = find(at(t[0]), at(t[1]), at(t[2]));
      one.triangle = static_cast<int32_t>(k);
      return one;
    });
    if (hit.distance == infinity || (best && best->distance <= hit.distance)) continue;
    const Triangle& t = surface[static_cast<size_t>(hit.triangle)];
    const Vec3d p = hit.weights[0] * at(t[0]) + hit.weights[1] * at(t[1]) + hit.weights[2] * at(t[2]);
    best = SurfacePoint{static_cast<int32_t>(o), t, hit.weights, {p.x, p.y, p.z}, hit.distance};
  }
  return best;
}

}  // namespace

// Moeller & Trumbore 1997.
std::optional<SurfacePoint> cast_ray(Engine& engine, Vec3d origin, Vec3d direction) {
  return nearest_hit(engine, [&](Vec3d a, Vec3d b, Vec3d c) {
    const Vec3d e1 = b - a, e2 = c - a, p = cross(direction, e2);
    const double det = dot(e1, p);
    if (det == 0) return Hit{};
    const Vec3d s = origin - a, q = cross(s, e1);
    const double u = dot(s, p) / det, v = dot(direction, q) / det, t = dot(e2, q) / det;
    if (!(u >= 0 && v >= 0 && u + v <= 1 && t >= 0 && std::isfinite(t))) return Hit{};
    return Hit{t, -1, {1 - u - v, u, v}};
  });
}

std::optional<SurfacePoint> nearest_point(Engine& engine, Vec3d point) {
  return nearest_hit(engine, [&](Vec3d a, Vec3d b, Vec3d c) {
    const std::array<double, 3> w = closest_weights(point, a, b, c);
    const Vec3d d = w[0] * a + w[1] * b + w[2] * c - point;
    return Hit{std::sqrt(dot(d, d)), -1, w};
  });
}

}  // namespace sinew
