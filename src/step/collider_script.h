// Colliders over time: where their points and planes are.
#pragma once

#include <cstdint>
#include <span>

#include "contact/collider_place.h"
#include "contact/contact_surface.h"
#include "step/motion_script.h"

namespace sinew {

// Where a collider was when its motion was replaced. It stays there until `time`, and is from then until `arrival` on
// the way to where the new motion has it then.
struct ColliderDeparture {
  double time = never, arrival = never;  // [s]
  ColliderPlace from{};

  static constexpr double never = -1e300;
};

struct ColliderMotion : MotionScript {
  ColliderDeparture departure;
};

struct ColliderScript : ColliderMotion {
  int32_t first_point = 0, last_point = 0;  // of ContactSurface::rest, from its slot_count on
  int32_t first_plane = 0, last_plane = 0;  // of ContactSurface::planes
  Vec3d middle{};                           // [m] what it turns about unless it is told

  bool moves() const { return !keys.empty(); }
};

ColliderPlace place_of(const ColliderMotion& collider, double time);

// Where all colliders are at `time` [s]: points[k] is point surface.slot_count + k, planes[k] is surface.planes[k] with
// its place at that time. Both spans hold all of them.
void place_colliders(std::span<const ColliderScript> colliders, double time, const ContactSurface& surface,
                     std::span<Vec3d> points, std::span<ContactPlane> planes);

}  // namespace sinew
