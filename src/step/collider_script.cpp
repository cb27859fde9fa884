#include "step/collider_script.h"

namespace sinew {

namespace {

ColliderPlace place_at(const ColliderMotion& collider, double time) {
  const Placement placement = placement_at(collider, time);
  return {placement.m_minus_identity, placement.translate, collider.center};
}

}  // namespace

ColliderPlace place_of(const ColliderMotion& collider, double time) {
  const ColliderDeparture& departure = collider.departure;
  if (time <= departure.time) return departure.from;
  if (time >= departure.arrival) return place_at(collider, time);
  const double t = (time - departure.time) / (departure.arrival - departure.time);
  return place_between(departure.from, place_at(collider, departure.arrival), t);
}

void place_colliders(std::span<const ColliderScript> colliders, double time, const ContactSurface& surface,
                     std::span<Vec3d> points, std::span<ContactPlane> planes) {
  for (const ColliderScript& collider : colliders) {
    const ColliderPlace place = place_of(collider, time);
    for (auto p = static_cast<size_t>(collider.first_point); p < static_cast<size_t>(collider.last_point); ++p)
      points[p - static_cast<size_t>(surface.slot_count)] = place.moved(surface.rest[p]);
    for (auto k = static_cast<size_t>(collider.first_plane); k < static_cast<size_t>(collider.last_plane); ++k)
      planes[k] = place.moved(surface.planes[k]);
  }
}

}  // namespace sinew
