// What can be changed between two steps, and states (sinew_web.h).
#include <cmath>

#include "engine/live.h"
#include "session.h"
#include "sinew_web.h"

using namespace sinew;
using namespace sinew::web;

namespace {

SurfacePoint point_at(const double* numbers) {
  SurfacePoint point;
  for (size_t k = 0; k < 3; ++k) {
    point.vertices[k] = static_cast<int32_t>(numbers[k]);
    point.weights[k] = numbers[3 + k];
  }
  return point;
}

Real3 real3_at(const double* numbers) {
  return {numbers[0], numbers[1], numbers[2]};
}
std::vector<Real3> real3s_at(const double* numbers, int32_t count) {
  std::vector<Real3> list;
  for (int32_t k = 0; k < count; ++k) list.push_back(real3_at(numbers + 3 * k));
  return list;
}
PinPose pose_at(const double* numbers) {
  PinPose pose;
  pose.translate = real3_at(numbers);
  pose.axis = real3_at(numbers + 3);
  pose.rotate_degrees = numbers[6];
  pose.scale = real3_at(numbers + 7);
  if (!std::isnan(numbers[10])) pose.center = real3_at(numbers + 10);
  return pose;
}
GrabOptions options_of(double stiffness, double damping) {
  GrabOptions options;
  if (!std::isnan(stiffness)) options.stiffness = stiffness;
  if (!std::isnan(damping)) options.damping = damping;
  return options;
}

// A handle as a number above 0.
template <class Handle>
Result<int> numbered(const Result<Handle>& handle) {
  if (!handle) return handle.error();
  return handle->number + 1;
}

// What may add objects, remove them or bring back others.
template <class Action>
int with_objects(int simulation, const Action& action) {
  return with(simulation, [&](Held& held) -> Status {
    const Status status = action(held);
    held.objects_changed = true;
    return status;
  });
}

Json json_of(const Real3& v) {
  Json list = Json::array();
  for (const double c : v) list.add(c);
  return list;
}

}  // namespace

int sinew_add_grab(int simulation, const double* point, double stiffness, double damping) {
  return with(simulation, [&](Held& held) {
    return numbered(held.simulation.add_grab(point_at(point), options_of(stiffness, damping)));
  });
}
int sinew_add_vertex_grab(int simulation, int32_t vertex, double stiffness, double damping) {
  return with(simulation,
              [&](Held& held) { return numbered(held.simulation.add_grab(vertex, options_of(stiffness, damping))); });
}
int sinew_move_grab(int simulation, int32_t grab, double x, double y, double z, double vx, double vy, double vz) {
  return with(simulation, [&](Held& held) { return held.simulation.move_grab({grab}, {x, y, z}, {vx, vy, vz}); });
}
int sinew_remove_grab(int simulation, int32_t grab) {
  return with(simulation, [&](Held& held) { return held.simulation.remove_grab({grab}); });
}
int sinew_grab_force(int simulation, int32_t grab) {
  return with(simulation, [&](Held& held) -> Status {
    const Result<Real3> force = held.simulation.grab_force({grab});
    if (!force) return force.error();
    answer_numbers({force->begin(), force->end()});
    return {};
  });
}

int sinew_add_pin(int simulation, const int32_t* vertices, int32_t count) {
  return with(simulation, [&](Held& held) {
    return numbered(held.simulation.add_pin({vertices, static_cast<size_t>(count)}));
  });
}
int sinew_pose_pin(int simulation, int32_t pin, const double* pose) {
  return with(simulation, [&](Held& held) { return held.simulation.move_pin({pin}, pose_at(pose)); });
}
int sinew_place_pin(int simulation, int32_t pin, const double* places, int32_t count) {
  return with(simulation, [&](Held& held) { return held.simulation.move_pin({pin}, real3s_at(places, count)); });
}
int sinew_remove_pin(int simulation, int32_t pin) {
  return with(simulation, [&](Held& held) { return held.simulation.remove_pin({pin}); });
}

int sinew_add_force(int simulation, const int32_t* vertices, int32_t count, double x, double y, double z) {
  return with(simulation, [&](Held& held) {
    return numbered(held.simulation.add_force({vertices, static_cast<size_t>(count)}, {x, y, z}));
  });
}
int sinew_add_point_force(int simulation, const double* point, double x, double y, double z) {
  return with(simulation, [&](Held& held) { return numbered(held.simulation.add_force(point_at(point), {x, y, z})); });
}
int sinew_set_force(int simulation, int32_t force, double x, double y, double z) {
  return with(simulation, [&](Held& held) { return held.simulation.set_force({force}, {x, y, z}); });
}
int sinew_move_force(int simulation, int32_t force, const double* point) {
  return with(simulation, [&](Held& held) { return held.simulation.move_force({force}, point_at(point)); });
}
int sinew_remove_force(int simulation, int32_t force) {
  return with(simulation, [&](Held& held) { return held.simulation.remove_force({force}); });
}

int sinew_set_gravity(int simulation, double x, double y, double z) {
  return with(simulation, [&](Held& held) { return held.simulation.set_gravity({x, y, z}); });
}
int sinew_set_velocities(int simulation, const double* velocities, int32_t count) {
  return with(simulation, [&](Held& held) { return held.simulation.set_velocities(real3s_at(velocities, count)); });
}
int sinew_set_state(int simulation, const double* positions, const double* velocities, int32_t count) {
  return with(simulation, [&](Held& held) {
    return held.simulation.set_state(real3s_at(positions, count), real3s_at(velocities, count));
  });
}
int sinew_set_activation(int simulation, const char* object, int32_t length, double activation) {
  return with(simulation,
              [&](Held& held) { return held.simulation.set_activation(text_at(object, length), activation); });
}
int sinew_set(int simulation, const char* path, int32_t length, const char* value, int32_t value_length) {
  return with(simulation,
              [&](Held& held) { return held.simulation.set(text_at(path, length), text_at(value, value_length)); });
}

int sinew_switch_object(int simulation, const char* name, int32_t length, int on) {
  return with(simulation, [&](Held& held) { return held.simulation.switch_object(text_at(name, length), on != 0); });
}
int sinew_add_object(int simulation, const char* name, int32_t length, const char* json, int32_t json_length) {
  return with_objects(simulation, [&](Held& held) {
    return held.simulation.add_object(text_at(name, length), text_at(json, json_length));
  });
}
int sinew_remove_object(int simulation, const char* name, int32_t length) {
  return with_objects(simulation, [&](Held& held) { return held.simulation.remove_object(text_at(name, length)); });
}

int sinew_colliders(int simulation) {
  return with(simulation, [](Held& held) -> Status {
    Json list = Json::array();
    for (const ColliderInfo& c : held.simulation.colliders()) {
      Json& collider = list.add(Json::object());
      collider.add("name", c.name);
      collider.add("handle", c.handle.number);
    }
    answer_json(list);
    return {};
  });
}
int sinew_collider(int simulation, int32_t collider) {
  return with(simulation, [&](Held& held) -> Status {
    const Result<PlacedCollider> placed = held.simulation.collider({collider});
    if (!placed) return placed.error();
    Json json = Json::object();
    Json& vertices = json.add("vertices", Json::array());
    for (const Real3& p : placed->vertices)
      for (const double c : p) vertices.add(c);
    Json& triangles = json.add("triangles", Json::array());
    for (const auto& t : placed->triangles)
      for (const int32_t v : t) triangles.add(v);
    Json& planes = json.add("planes", Json::array());
    for (const PlacedCollider::Plane& p : placed->planes) {
      Json& plane = planes.add(Json::object());
      plane.add("point", json_of(p.point));
      plane.add("normal", json_of(p.normal));
    }
    answer_json(json);
    return {};
  });
}
int sinew_pose_collider(int simulation, int32_t collider, const double* pose, double arrival) {
  return with(simulation, [&](Held& held) {
    return std::isnan(arrival) ? held.simulation.move_collider({collider}, pose_at(pose))
                               : held.simulation.move_collider({collider}, pose_at(pose), arrival);
  });
}
int sinew_drive_collider(int simulation, int32_t collider, const char* motion, int32_t length) {
  return with(simulation, [&](Held& held) -> Status {
    // A motion is read as part of a collider, whatever its shape.
    const std::string collider_text =
        R"({"shape": {"half_space": {"point": [0, 0, 0], "normal": [0, 1, 0]}}, "motion": )" +
        std::string(text_at(motion, length)) + "}";
    const Result<Motion> read = motion_from_json(collider_text);
    return read ? held.simulation.move_collider({collider}, *read) : read.error();
  });
}
int sinew_add_collider(int simulation, const char* name, int32_t length, const char* json, int32_t json_length) {
  return with(simulation, [&](Held& held) {
    return numbered(held.simulation.add_collider(text_at(name, length), text_at(json, json_length)));
  });
}
int sinew_remove_collider(int simulation, int32_t collider) {
  return with(simulation, [&](Held& held) { return held.simulation.remove_collider({collider}); });
}

int sinew_save(int simulation) {
  return with(simulation, [](Held& held) -> Result<int> {
    held.snapshots[held.next_snapshot] = held.simulation.save();
    return held.next_snapshot++;
  });
}
int sinew_restore(int simulation, int snapshot) {
  return with_objects(simulation, [&](Held& held) -> Status {
    const auto at = held.snapshots.find(snapshot);
    if (at == held.snapshots.end()) return Error{"snapshot", "is of another simulation, or was forgotten", "save anew"};
    return held.simulation.restore(at->second);
  });
}
int sinew_forget(int simulation, int snapshot) {
  return with(simulation, [&](Held& held) -> Status {
    held.snapshots.erase(snapshot);
    return {};
  });
}
int sinew_checkpoint(int simulation) {
  return with(simulation, [](Held& held) -> Status {
    answer_text(held.simulation.checkpoint());
    return {};
  });
}
int sinew_changes(int simulation) {
  return with(simulation, [](Held& held) -> Status {
    Result<std::string> log = held.simulation.changes();
    if (!log) return log.error();
    answer_text(std::move(*log));
    return {};
  });
}
int sinew_replay(int simulation, const char* log, int32_t length) {
  return with_objects(simulation, [&](Held& held) { return held.simulation.replay(text_at(log, length)); });
}
int sinew_keep_changes(int simulation, int keep) {
  return with(simulation, [&](Held& held) -> Status {
    held.simulation.keep_changes(keep != 0);
    return {};
  });
}
