// Colliders over time: where their points and planes are.
#pragma once

#include <cstdint>
#include <span>

#include "contact/contact_surface.h"
#include "step/motion_script.h"

namespace sinew {

struct ColliderScript : MotionScript {
  int32_t first_point = 0, last_point = 0;  // of ContactSurface::rest, from its slot_count on
  int32_t first_plane = 0, last_plane = 0;  // of ContactSurface::planes

  bool moves() const { return !keys.empty(); }
};

// Where all colliders are at `time` [s]: points[k] is point surface.slot_count + k, planes[k] is surface.planes[k] with
// its place at that time. Both spans hold all of them.
void place_colliders(std::span<const ColliderScript> colliders, double time, const ContactSurface& surface,
                     std::span<Vec3d> points, std::span<ContactPlane> planes);

}  // namespace sinew
