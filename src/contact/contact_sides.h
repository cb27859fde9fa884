// What a contact is between.
#pragma once

#include <array>
#include <cstdint>

#include "contact/contact.h"
#include "contact/contact_surface.h"
#include "contact/feature.h"

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
  const auto second = static_cast<size_t>(contact.second);
  if (contact.kind == ContactKind::edge_edge)
    return {of(surface.edges[static_cast<size_t>(contact.first)][0]), of(surface.edges[second][0])};
  if (contact.kind == ContactKind::vertex_plane) return {of(contact.first), {-1, surface.planes[second].collider}};
  const auto [kind, number] = feature_named(contact.second);
  const auto n = static_cast<size_t>(number);
  const int32_t point = kind == on_face ? surface.triangles[n][0] : kind == on_edge ? surface.edges[n][0] : number;
  return {of(contact.first), of(point)};
}

}  // namespace sinew
