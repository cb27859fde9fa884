#include "step/collider_script.h"

#include <cmath>

namespace sinew {

namespace {

// Of length 1, at a right angle to a normal.
Vec3d across(Vec3d normal) {
  const bool steep = std::abs(normal.x) > 0.5;
  const Vec3d v = cross(normal, steep ? Vec3d{0, 1, 0} : Vec3d{1, 0, 0});
  return (1 / std::sqrt(dot(v, v))) * v;
}

// Normals are moved by the inverse transpose, so that a plane stays the image of its points.
ContactPlane moved(const ContactPlane& plane, const Placement& placement, Vec3d center) {
  ContactPlane to = plane;
  to.point = placement.moved(plane.point, center);
  to.along = across(plane.normal);
  const Mat3d& d = placement.m_minus_identity;
  if (contract(d, d) == 0) return to;
  const Vec3d normal = cofactor(diagonal(1.0, 1.0, 1.0) + d) * plane.normal;
  const double length = std::sqrt(dot(normal, normal));
  if (length > 0) to.normal = (1 / length) * normal;
  Vec3d along = to.along + d * to.along;
  along -= dot(along, to.normal) * to.normal;
  const double size = std::sqrt(dot(along, along));
  to.along = size > 0 ? (1 / size) * along : across(to.normal);
  return to;
}

}  // namespace

void place_colliders(std::span<const ColliderScript> colliders, double time, const ContactSurface& surface,
                     std::span<Vec3d> points, std::span<ContactPlane> planes) {
  for (const ColliderScript& collider : colliders) {
    const Placement placement = placement_at(collider, time);
    for (auto p = static_cast<size_t>(collider.first_point); p < static_cast<size_t>(collider.last_point); ++p)
      points[p - static_cast<size_t>(surface.slot_count)] = placement.moved(surface.rest[p], collider.center);
    for (auto k = static_cast<size_t>(collider.first_plane); k < static_cast<size_t>(collider.last_plane); ++k)
      planes[k] = moved(surface.planes[k], placement, collider.center);
  }
}

}  // namespace sinew
