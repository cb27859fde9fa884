// Colliders that are moved, added and removed while a simulation runs.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/format.h"
#include "base/nearest.h"
#include "compile/contacts.h"
#include "engine/adopt.h"
#include "engine/adopt_contact.h"
#include "engine/live.h"
#include "engine/live_checks.h"
#include "scene/check.h"
#include "scene/json.h"
#include "scene/places.h"
#include "scene/writer.h"
#include "sinew/scene_file.h"

namespace sinew {
namespace {

// The place of a collider among those of the scene.
Result<size_t> collider_at(const Engine& engine, ColliderHandle handle) {
  if (handle.number < 0 || static_cast<size_t>(handle.number) >= engine.colliders.size())
    return Error{"collider", format("%d: there is no such collider", handle.number),
                 "use a handle that add_collider returned"};
  const std::string& name = engine.colliders[static_cast<size_t>(handle.number)];
  if (name.empty()) return Error{"collider", format("%d: was removed", handle.number), "add it anew"};
  const std::vector<SceneCollider>& all = engine.scene.colliders;
  const auto found = std::find_if(all.begin(), all.end(), [&](const SceneCollider& c) { return c.name == name; });
  SINEW_ASSERT(found != all.end());
  return static_cast<size_t>(found - all.begin());
}

// From where the collider is now; its new motion is not in force before the next step.
void depart(const Engine& engine, ColliderScript& collider, double arrival) {
  const double now = engine.time();
  collider.departure = {now, arrival, place_of(collider, now)};
}

Result<SceneCollider> read_collider(std::string_view name, Json collider, const std::string& source,
                                    const std::string& folder) {
  Scene around;
  around.materials = {SceneMaterial()};
  around.materials[0].name = "material";
  around.objects.emplace_back();
  around.objects[0].name = std::string(name) + "_";  // any other name
  around.objects[0].mesh = MeshBox();
  around.objects[0].material = "material";
  Json document = json_from_scene(around);
  document.find("colliders")->add(name, std::move(collider));
  Result<Scene> read = parse_scene(write_json(document), source, folder);
  if (!read) return read.error();
  return std::move(read->colliders.back());
}

}  // namespace

Result<ColliderHandle> add_collider(Engine& engine, const SceneCollider& collider) {
  if (collider.name.empty()) return Error{"collider", "has no name", "give it one"};
  for (const SceneCollider& other : engine.scene.colliders)
    if (other.name == collider.name)
      return Error{"collider", joined({"\"", collider.name, "\": there is one of this name"}), "give it another one"};
  Scene next = engine.scene;
  next.colliders.push_back(collider);
  if (Status s = adopt_objects(engine, next, Look::at_what_is_new); !s) return s.error();
  engine.scene = std::move(next);
  engine.colliders.push_back(collider.name);
  return ColliderHandle{static_cast<int32_t>(engine.colliders.size()) - 1};
}

Status remove_collider(Engine& engine, ColliderHandle handle) {
  const Result<size_t> at = collider_at(engine, handle);
  if (!at) return at.error();
  Scene next = engine.scene;
  drop_pairs_of(next, next.colliders[*at].name);
  next.colliders.erase(next.colliders.begin() + static_cast<std::ptrdiff_t>(*at));
  if (Status s = adopt_objects(engine, next, Look::away); !s) return s;
  engine.scene = std::move(next);
  engine.colliders[static_cast<size_t>(handle.number)].clear();
  return {};
}

Status move_collider(Engine& engine, ColliderHandle handle, const PinPose& pose, std::optional<double> arrival) {
  const Result<size_t> at = collider_at(engine, handle);
  if (!at) return at.error();
  if (Status s = check_pose(pose); !s) return s;
  for (const double scale : pose.scale)
    if (!(scale > 0)) return Error{"scale", format("= %g: is not above 0", scale), "or it is turned inside out"};
  if (arrival && !(*arrival > engine.time() && *arrival <= 1e18))
    return Error{"arrival", format("= %g s: it is %g s now", *arrival, engine.time()), "give a later time"};
  ColliderScript& collider = engine.method.stepper->colliders()[*at];
  depart(engine, collider, arrival.value_or(engine.time()));
  if (pose.center) collider.center = to_vec(*pose.center);
  collider.axis = to_vec(pose.axis);
  collider.keys = {{0, to_vec(pose.translate), pose.rotate_degrees * std::numbers::pi / 180, to_vec(pose.scale)}};
  return {};
}

Status move_collider(Engine& engine, ColliderHandle handle, const Motion& motion) {
  const Result<size_t> at = collider_at(engine, handle);
  if (!at) return at.error();
  // Judged as the collider of a scene.
  Scene asked = engine.scene;
  asked.colliders[*at].motion = motion;
  Faults faults;
  check_values(asked, faults);
  check_meaning(asked, faults);
  if (!faults.empty()) return faults.error(asked.source);
  ColliderScript& collider = engine.method.stepper->colliders()[*at];
  depart(engine, collider, engine.time());
  static_cast<MotionScript&>(collider) = motion_of(motion, collider.middle);
  return {};
}

void place_colliders_now(Engine& engine, std::span<Vec3d> points, std::span<ContactPlane> planes) {
  const CompiledScene& compiled = engine.compiled;
  if (!engine.method.stepper->contacts())
    place_colliders(engine.method.stepper->colliders(), engine.time(), compiled.shown_surface(), points, planes);
  else
    engine.method.stepper->colliders_at(engine.time(), points, planes);
}

Result<PlacedCollider> placed_collider(Engine& engine, ColliderHandle handle) {
  const Result<size_t> at = collider_at(engine, handle);
  if (!at) return at.error();
  const ContactSurface& surface = engine.compiled.shown_surface();
  std::vector<Vec3d> points(surface.rest.size() - static_cast<size_t>(surface.slot_count));
  std::vector<ContactPlane> planes(surface.planes);
  place_colliders_now(engine, points, planes);
  const ColliderScript& collider = engine.compiled.colliders[*at];
  PlacedCollider placed;
  const auto as_real3 = [](Vec3d p) { return Real3{p.x, p.y, p.z}; };
  for (int32_t p = collider.first_point; p < collider.last_point; ++p)
    placed.vertices.push_back(as_real3(points[static_cast<size_t>(p - surface.slot_count)]));
  for (int32_t p = collider.first_plane; p < collider.last_plane; ++p)
    placed.planes.push_back(
        {as_real3(planes[static_cast<size_t>(p)].point), as_real3(planes[static_cast<size_t>(p)].normal)});
  for (const Triangle& t : surface.triangles)
    if (t[0] >= collider.first_point && t[0] < collider.last_point)
      placed.triangles.push_back(
          {t[0] - collider.first_point, t[1] - collider.first_point, t[2] - collider.first_point});
  return placed;
}

std::vector<ColliderInfo> colliders_of(const Engine& engine) {
  std::vector<ColliderInfo> all;
  for (const SceneCollider& collider : engine.scene.colliders) {
    const auto found = std::find(engine.colliders.begin(), engine.colliders.end(), collider.name);
    all.push_back({collider.name, {static_cast<int32_t>(found - engine.colliders.begin())}});
  }
  return all;
}

Result<SceneCollider> collider_from_json(const Engine& engine, std::string_view name, std::string_view json) {
  Result<Json> collider = parse_json(json, joined({"colliders.", std::string(name)}));
  if (!collider) return collider.error();
  return read_collider(name, std::move(*collider), engine.scene.source, engine.scene.base_folder);
}

std::string json_of_collider(const SceneCollider& collider) {
  Scene around;
  around.colliders.push_back(collider);
  return write_json(json_from_scene(around).find("colliders")->items.back());
}

// Motions are written and read as those of a half space.
std::string json_of_motion(const Motion& motion) {
  SceneCollider collider;
  collider.name = "collider";
  collider.motion = motion;
  return json_of_collider(collider);
}

Result<Motion> motion_from_json(std::string_view json) {
  Result<Json> collider = parse_json(json, "motion");
  if (!collider) return collider.error();
  const Result<SceneCollider> read = read_collider("collider", std::move(*collider), "motion", "");
  if (!read) return read.error();
  return read->motion;
}

Result<Motion> scene_motion(std::string_view json) {
  Result<Json> motion = parse_json(json, "motion");
  if (!motion) return motion.error();
  Json shape = Json::object(), collider = Json::object();
  shape.add("half_space", Json::object());
  collider.add("shape", std::move(shape));
  collider.add("motion", std::move(*motion));
  const Result<SceneCollider> read = read_collider("collider", std::move(collider), "motion", "");
  if (!read) return read.error();
  return read->motion;
}

}  // namespace sinew
