#include "contact/contact_surface.h"

#include <algorithm>
#include <cmath>

#include "mesh/simplices.h"

namespace sinew {
namespace {

// [rad] At this dihedral angle an edge is as sharp as any.
constexpr double sharp_angle = 0.1;

Vec3d normal_of(const ContactSurface& surface, int32_t triangle) {
  const Triangle& t = surface.triangles[static_cast<size_t>(triangle)];
  const auto at = [&](int k) { return surface.rest[static_cast<size_t>(t[static_cast<size_t>(k)])]; };
  return cross(at(1) - at(0), at(2) - at(0));
}

// Edges that border on nothing or on more than two triangles are sharp.
double sharpness_of(const ContactSurface& surface, const Edge& edge, std::span<const Keyed<2>> sides) {
  if (sides.size() != 2) return 1;
  const int32_t s = sides[0].item / 3, t = sides[1].item / 3;
  const Vec3d a = normal_of(surface, s), b = normal_of(surface, t);
  const double angle = std::atan2(std::sqrt(dot(cross(a, b), cross(a, b))), dot(a, b));
  // Convex where the other triangle's third corner lies below the first triangle.
  const Triangle& other = surface.triangles[static_cast<size_t>(t)];
  int32_t third = other[0];
  for (const int32_t p : other)
    if (p != edge[0] && p != edge[1]) third = p;
  const auto at = [&](int32_t p) { return surface.rest[static_cast<size_t>(p)]; };
  const bool convex = dot(a, at(third) - at(edge[0])) < 0;
  const ContactBody& body = surface.bodies[static_cast<size_t>(surface.body_of[static_cast<size_t>(edge[0])])];
  return convex || !body.closed ? std::min(angle / sharp_angle, 1.0) : 0;
}

}  // namespace

void connect(ContactSurface& surface) {
  const auto points = surface.rest.size();
  std::vector<uint8_t> used(points, 0);
  for (const Triangle& t : surface.triangles)
    for (const int32_t p : t) used[static_cast<size_t>(p)] = 1;
  surface.vertices.clear();
  for (size_t p = 0; p < points; ++p)
    if (used[p]) surface.vertices.push_back(static_cast<int32_t>(p));

  std::vector<Keyed<2>> sides;
  for (size_t t = 0; t < surface.triangles.size(); ++t) {
    for (size_t k = 0; k < 3; ++k)
      sides.push_back(
          {rising<2>({surface.triangles[t][k], surface.triangles[t][(k + 1) % 3]}), static_cast<int32_t>(3 * t + k)});
  }
  surface.edges.clear();
  surface.edge_triangles.clear();
  surface.sharpness.clear();
  surface.triangle_edges.assign(surface.triangles.size(), {});
  for_each_group(sort_by_vertices(sides, points), [&](std::span<const Keyed<2>> group) {
    const auto edge = static_cast<int32_t>(surface.edges.size());
    surface.edges.push_back(group[0].key);
    surface.edge_triangles.push_back({group[0].item / 3, group.size() > 1 ? group[1].item / 3 : -1});
    for (const Keyed<2>& side : group)
      surface.triangle_edges[static_cast<size_t>(side.item / 3)][static_cast<size_t>(side.item % 3)] = edge;
    surface.sharpness.push_back(sharpness_of(surface, group[0].key, group));
  });
}

std::span<const int32_t> ContactSurface::slots() const {
  const auto end = std::lower_bound(vertices.begin(), vertices.end(), slot_count);
  return std::span(vertices).first(static_cast<size_t>(end - vertices.begin()));
}

bool ContactSurface::keeps_any_apart() const {
  return std::any_of(rules.begin(), rules.end(), [](const ContactRule& rule) { return rule.touches && rule.apart; });
}

double ContactSurface::largest_radius() const {
  double r = 0;
  for (const ContactRule& rule : rules)
    if (rule.touches) r = std::max(r, rule.radius);
  return r;
}

size_t ContactSurface::memory_bytes() const {
  return rest.capacity() * sizeof(Vec3d) + triangles.capacity() * sizeof(Triangle) + edges.capacity() * sizeof(Edge) +
         (body_of.capacity() + vertices.capacity()) * sizeof(int32_t) + sharpness.capacity() * sizeof(double) +
         triangle_edges.capacity() * sizeof(std::array<int32_t, 3>) +
         edge_triangles.capacity() * sizeof(std::array<int32_t, 2>);
}

}  // namespace sinew
