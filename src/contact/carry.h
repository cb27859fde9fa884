// Moves bodies as a whole, before boxes of motion enclose what is left of their way. These are small then: in flight, a
// body meets little more of itself than at rest.
//
// A translation changes no distance within a body, and bodies whose leaves of triangles overlap on the way go together,
// or with what stands still not at all. Only rounding may bring anything together, which Limits::least_room tells.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "contact/contact_surface.h"
#include "contact/ignored_pairs.h"
#include "contact/surface_tree.h"

namespace sinew {

struct CarryQuery {
  const ContactSurface* surface = nullptr;
  std::span<const Vec3d> from, to;   // [m] by slot
  std::span<const Vec3d> colliders;  // [m] which stand still
  std::span<const ContactPlane> planes;
  std::span<const uint8_t> held;          // by slot; a body with such a vertex on its surface is not carried
  const IgnoredPairs* ignored = nullptr;  // with half spaces
  double margin = 0;                      // [m] bodies that are carried stay so far apart on every side
  double least_way = 0;                   // [m] shorter ones are not worth it
};

// [m] The way of each body; 0 of those that are not carried. Empty: none is.
std::vector<Vec3d> ways_to_carry(const CarryQuery& query, SurfaceTree& tree, ThreadPool& pool);

}  // namespace sinew
