#include "step/collider_script.h"

#include <cmath>

namespace sinew {

namespace {

Vec3d unit(Vec3d v, Vec3d otherwise) {
  const double length = std::sqrt(dot(v, v));
  return length > 0 ? (1 / length) * v : otherwise;
}

// Normals are moved by the inverse transpose, so that a plane stays the image of its points.
ContactPlane moved(const ContactPlane& plane, const Placement& placement, Vec3d center) {
  ContactPlane to = plane;
  to.point = placement.moved(plane.point, center);
  const Mat3d& d = placement.m_minus_identity;
  if (contract(d, d) == 0) return to;
  const Mat3d m = diagonal(1.0, 1.0, 1.0) + d;
  to.normal = unit(cofactor(m) * plane.normal, plane.normal);
  const Vec3d along = m * plane.along;
  to.along = unit(along - dot(along, to.normal) * to.normal, plane.along);
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
