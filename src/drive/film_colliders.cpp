#include "drive/film_colliders.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "math/length.h"
#include "render/color_map.h"
#include "render/vector.h"

namespace sinew {

namespace {

// Larger colliders than this multiple of what the bodies take up are not all in view.
constexpr double much_larger = 3;
// Of what is larger, this share of the diagonal around the bodies is. Planes are drawn as far.
constexpr double around_bodies = 0.25;
// Triangles farther away than this many diagonals are not drawn: they would coarsen the tracing of all others.
constexpr double far_away = 20;
// Thickness of a box's edges, as a share of its diagonal.
constexpr double edge_share = 0.004;
constexpr float grey = 0.55f;  // linear

bool faces_up(const RecordedPlane& plane, Vec3d up) {
  return dot(plane.normal, up) > 1 - 1e-9;
}
bool is_half_space(const RecordedCollider& collider) {
  return collider.planes.size() == 1;
}
bool is_box(const RecordedCollider& collider) {
  return collider.planes.size() == 6;
}

Bounds grown(const Bounds& bounds, double by) {
  const Vec3d aside{by, by, by};
  Bounds result;
  result.add(bounds.low - aside);
  result.add(bounds.high + aside);
  return result;
}
bool holds(const Bounds& bounds, Vec3d p) {
  return p.x >= bounds.low.x && p.y >= bounds.low.y && p.z >= bounds.low.z && p.x <= bounds.high.x &&
         p.y <= bounds.high.y && p.z <= bounds.high.z;
}

// Corner k of a box of six planes: bit a of k says which of the two of axis a.
std::array<Vec3d, 8> corners_of(std::span<const RecordedPlane> planes, const Vec3d& origin) {
  std::array<Vec3d, 8> corners;
  for (size_t k = 0; k < 8; ++k) {
    const RecordedPlane &x = planes[k & 1], &y = planes[2 + (k >> 1 & 1)], &z = planes[4 + (k >> 2)];
    const auto height = [&](const RecordedPlane& p) { return dot(p.normal, p.point - origin); };
    const Vec3d yz = cross(y.normal, z.normal), zx = cross(z.normal, x.normal), xy = cross(x.normal, y.normal);
    corners[k] = (1 / dot(x.normal, yz)) * (height(x) * yz + height(y) * zx + height(z) * xy);
  }
  return corners;
}

std::vector<Vec3d> surface_points(const RecordedCollider& collider, const SurfaceFrame& frame, const Vec3d& origin) {
  std::vector<Vec3d> points;
  if (is_box(collider)) {
    const std::array<Vec3d, 8> corners = corners_of(planes_of(collider, frame), origin);
    points.assign(corners.begin(), corners.end());
  }
  for (const Vec3d& p : points_of(collider, frame)) points.push_back(p - origin);
  return points;
}

// The farthest in each of many directions, spread evenly along a spiral.
std::vector<Vec3d> outermost(const std::vector<Vec3d>& points) {
  constexpr size_t directions = 256;
  if (points.size() <= directions) return points;
  std::vector<Vec3d> found;
  for (size_t k = 0; k < directions; ++k) {
    const double z = 1 - (2.0 * static_cast<double>(k) + 1) / directions, ring = std::sqrt(1 - z * z);
    const double turn = M_PI * (3 - std::sqrt(5.0)) * static_cast<double>(k);
    const Vec3d toward{ring * std::cos(turn), ring * std::sin(turn), z};
    found.push_back(*std::max_element(points.begin(), points.end(),
                                      [&](Vec3d a, Vec3d b) { return dot(toward, a) < dot(toward, b); }));
  }
  return found;
}

void add_quad(const std::array<Vec3d, 4>& corners, RenderMesh& mesh) {
  const auto first = static_cast<int32_t>(mesh.positions.size());
  for (const Vec3d& p : corners) mesh.positions.push_back(narrow(p));
  mesh.triangles.push_back({first, first + 1, first + 2});
  mesh.triangles.push_back({first, first + 2, first + 3});
}

// A bar of square section.
void add_bar(Vec3d from, Vec3d to, double width, RenderMesh& mesh) {
  const Vec3d along = to - from;
  if (!(length(along) > 0)) return;
  const Vec3d other = std::abs(along.x) < 0.7 * length(along) ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0};
  Vec3d s = cross(along, other), t = cross(along, s);
  s = (0.5 * width / length(s)) * s;
  t = (0.5 * width / length(t)) * t;
  const std::array<Vec3d, 4> ring{s + t, t - s, -1.0 * (s + t), s - t};
  for (size_t k = 0; k < 4; ++k)
    add_quad({from + ring[k], from + ring[(k + 1) % 4], to + ring[(k + 1) % 4], to + ring[k]}, mesh);
  add_quad({from + ring[0], from + ring[1], from + ring[2], from + ring[3]}, mesh);
  add_quad({to + ring[0], to + ring[1], to + ring[2], to + ring[3]}, mesh);
}

bool is_seen_from(Vec3d eye, const RecordedPlane& plane, const Vec3d& origin) {
  return dot(eye - (plane.point - origin), plane.normal) > 0;
}

void add_box(std::span<const RecordedPlane> planes, const ColliderView& view, RenderMesh& mesh) {
  const std::array<Vec3d, 8> corners = corners_of(planes, view.origin);
  Bounds bounds;
  bounds.add(std::span<const Vec3d>(corners));
  for (size_t axis = 0; axis < 3; ++axis) {
    const size_t b = size_t{1} << (axis + 1) % 3, c = size_t{1} << (axis + 2) % 3;
    for (size_t side = 0; side < 2; ++side) {
      const size_t a = side << axis;
      if (is_seen_from(view.eye, planes[2 * axis + side], view.origin))
        add_quad({corners[a], corners[a + b], corners[a + b + c], corners[a + c]}, mesh);
    }
    for (const size_t k : {size_t{0}, b, c, b + c})
      add_bar(corners[k], corners[k + (size_t{1} << axis)], edge_share * bounds.diagonal(), mesh);
  }
}

// Its part around the bodies, with a side that is level.
void add_plane(const RecordedPlane& plane, const ColliderView& view, RenderMesh& mesh) {
  if (view.around.empty() || !is_seen_from(view.eye, plane, view.origin)) return;
  const Vec3d level = cross(view.up, plane.normal);
  const Vec3d s = length(level) > 1e-6 ? (1 / length(level)) * level : plane.along, t = cross(plane.normal, s);
  const Vec3d from = plane.point - view.origin;
  double low_s = Bounds::infinity, high_s = -low_s, low_t = low_s, high_t = -low_s;
  for (int k = 0; k < 8; ++k) {
    const Vec3d to = view.around.corner(k) - from;
    low_s = std::min(low_s, dot(s, to));
    high_s = std::max(high_s, dot(s, to));
    low_t = std::min(low_t, dot(t, to));
    high_t = std::max(high_t, dot(t, to));
  }
  const double more = around_bodies * view.around.diagonal();
  const auto at = [&](double u, double v) { return from + u * s + v * t; };
  add_quad({at(low_s - more, low_t - more), at(high_s + more, low_t - more), at(high_s + more, high_t + more),
            at(low_s - more, high_t + more)},
           mesh);
}

void add_surface(const RecordedCollider& collider, const SurfaceFrame& frame, const ColliderView& view,
                 RenderMesh& mesh) {
  const std::span<const Vec3d> points = points_of(collider, frame);
  const Bounds near = grown(view.around, far_away * view.around.diagonal());
  std::vector<int32_t> number(points.size(), -1);
  for (const Triangle& triangle : collider.triangles) {
    const auto at = [&](int32_t v) { return points[static_cast<size_t>(v)] - view.origin; };
    if (std::none_of(triangle.begin(), triangle.end(), [&](int32_t v) { return holds(near, at(v)); })) continue;
    Triangle drawn{};
    for (size_t k = 0; k < 3; ++k) {
      int32_t& own = number[static_cast<size_t>(triangle[k])];
      if (own < 0) {
        own = static_cast<int32_t>(mesh.positions.size());
        mesh.positions.push_back(narrow(at(triangle[k])));
        mesh.rest_positions.push_back(narrow(collider.rest[static_cast<size_t>(triangle[k])] - view.origin));
      }
      drawn[k] = own;
    }
    mesh.triangles.push_back(drawn);
  }
}

}  // namespace

std::vector<Vec3f> collider_points_in_view(const ShownRun& run, Colliders which, const SurfaceFrame& frame,
                                           const Vec3d& origin, const Bounds& bodies) {
  std::vector<Vec3f> seen;
  if (bodies.empty()) return seen;
  const Bounds near = grown(bodies, around_bodies * bodies.diagonal());
  for (const RecordedCollider& collider : run.colliders()) {
    if (collider.moves != (which == Colliders::moving)) continue;
    const std::vector<Vec3d> points = outermost(surface_points(collider, frame, origin));
    Bounds own;
    own.add(std::span<const Vec3d>(points));
    const bool whole = own.diagonal() <= much_larger * bodies.diagonal();
    for (const Vec3d& p : points)
      if (whole || holds(near, p)) seen.push_back(narrow(p));
  }
  return seen;
}

std::optional<double> floor_of(const ShownRun& run, const SurfaceFrame& frame, const Vec3d& origin, Vec3d up) {
  std::optional<double> height;
  for (const RecordedCollider& collider : run.colliders()) {
    if (!is_half_space(collider)) continue;
    const RecordedPlane& plane = planes_of(collider, frame)[0];
    if (!faces_up(plane, up)) continue;
    const double own = dot(up, plane.point - origin);
    height = height ? std::max(*height, own) : own;
  }
  return height;
}

std::vector<RenderMesh> collider_meshes(const ShownRun& run, const SurfaceFrame& frame, const Scene& scene,
                                        const ColliderView& view) {
  std::vector<RenderMesh> meshes;
  for (const RecordedCollider& collider : run.colliders()) {
    RenderMesh mesh;
    mesh.name = "collider " + collider.name;
    mesh.smooth = scene.render.smooth.value_or(true);
    mesh.color = Vec3f{grey, grey, grey};
    for (const SceneCollider& of : scene.colliders) {
      if (of.name != collider.name || !of.color) continue;
      const auto linear = [&](int c) { return linear_from_srgb(static_cast<float>((*of.color)[c])); };
      mesh.color = Vec3f{linear(0), linear(1), linear(2)};
    }
    const std::span<const RecordedPlane> planes = planes_of(collider, frame);
    if (is_box(collider))
      add_box(planes, view, mesh);
    else if (is_half_space(collider) && !(view.ground && faces_up(planes[0], view.up)))
      add_plane(planes[0], view, mesh);
    add_surface(collider, frame, view, mesh);
    if (!mesh.triangles.empty()) meshes.push_back(std::move(mesh));
  }
  return meshes;
}

}  // namespace sinew
