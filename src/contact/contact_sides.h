// What a contact is between.
#pragma once

#include <array>
#include <cstdint>

#include "contact/contact.h"
#include "contact/contact_surface.h"

namespace sinew {

struct SideOfContact {
  int32_t body = -1;    // of the surface; -1: a plane
  int32_t object = -1;  // ContactBody::object, ContactPlane::collider
};

// The first, on which the force of the contact acts, and the second.
inline std::array<SideOfContact, 2> sides_of(const ContactSurface& surface, const Contact& contact) {
  const auto of = [&](int32_t point) -> SideOfContact {
    const int32_t body = surface.body_of[static_cast<size_t>(point)];
    return {body, surface.bodies[static_cast<size_t>(body)].object};
  };
  const auto second = static_cast<size_t>(contact.second), number = second / 3;
  if (contact.kind == ContactKind::edge_edge)
    return {of(surface.edges[static_cast<size_t>(contact.first)][0]), of(surface.edges[second][0])};
  if (contact.kind == ContactKind::vertex_plane) return {of(contact.first), {-1, surface.planes[second].collider}};
  switch (second % 3) {
    case 0:
      return {of(contact.first), of(surface.triangles[number][0])};
    case 1:
      return {of(contact.first), of(surface.edges[number][0])};
    default:
      return {of(contact.first), of(static_cast<int32_t>(number))};
  }
}

}  // namespace sinew
