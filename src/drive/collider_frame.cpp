#include "drive/collider_frame.h"

#include <algorithm>
#include <span>

namespace sinew {

RecordedPlane recorded_plane(const ContactPlane& plane) {
  return {plane.point, plane.normal, plane.along};
}

std::vector<RecordedCollider> recorded_colliders(const CompiledScene& compiled) {
  const ContactSurface& surface = compiled.shown_surface();
  const std::vector<ColliderScript>& scripts = compiled.colliders;
  std::vector<RecordedCollider> colliders;
  for (size_t k = 0; k < scripts.size(); ++k) {
    const ColliderScript& script = scripts[k];
    RecordedCollider collider;
    collider.name = compiled.collider_parts[k].name;
    collider.moves = script.moves();
    collider.rest.assign(surface.rest.begin() + script.first_point, surface.rest.begin() + script.last_point);
    for (int32_t p = script.first_plane; p < script.last_plane; ++p)
      collider.planes.push_back(recorded_plane(surface.planes[static_cast<size_t>(p)]));
    colliders.push_back(std::move(collider));
  }
  // Each triangle is that of the collider whose points it has; both are in order.
  size_t k = 0;
  for (const Triangle& t : surface.triangles) {
    if (!surface.is_collider_point(t[0])) continue;
    while (t[0] >= scripts[k].last_point) ++k;
    const int32_t first = scripts[k].first_point;
    colliders[k].triangles.push_back({t[0] - first, t[1] - first, t[2] - first});
  }
  return colliders;
}

ColliderFrame collider_frame(const CompiledScene& compiled, const State& state, const Contacts* contacts) {
  const ContactSurface& surface = compiled.shown_surface();
  const std::vector<ColliderScript>& scripts = compiled.colliders;
  const auto moves = [](const ColliderScript& script) { return script.moves(); };
  if (std::none_of(scripts.begin(), scripts.end(), moves)) return {};
  const auto slots = static_cast<size_t>(surface.slot_count);
  std::vector<Vec3d> points(surface.rest.size() - slots);
  std::vector<ContactPlane> planes(surface.planes);
  place_colliders(scripts, state.time, surface, points, planes);
  if (surface.keeps_any_apart() && contacts && state.step > 0) {
    const std::span<const Vec3d> reached = contacts->collider_points();
    points.assign(reached.begin(), reached.end());
    planes.assign(contacts->collider_planes().begin(), contacts->collider_planes().end());
  }

  ColliderFrame frame;
  for (const ColliderScript& script : scripts) {
    if (!script.moves()) continue;
    const auto at = [&](int32_t point) { return points.begin() + (point - surface.slot_count); };
    frame.points.insert(frame.points.end(), at(script.first_point), at(script.last_point));
    for (int32_t p = script.first_plane; p < script.last_plane; ++p)
      frame.planes.push_back(recorded_plane(planes[static_cast<size_t>(p)]));
  }
  return frame;
}

}  // namespace sinew
