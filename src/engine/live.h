// Changes of a running simulation (sinew/simulation.h). Each checks all that it is given before it changes anything.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/engine.h"
#include "sinew/live.h"

namespace sinew {

Result<PinHandle> add_pin(Engine& engine, std::span<const int32_t> vertices);
Status move_pin(Engine& engine, PinHandle pin, const PinPose& pose);
Status move_pin(Engine& engine, PinHandle pin, std::span<const Real3> places);
Status remove_pin(Engine& engine, PinHandle pin);
Result<ForceHandle> add_force(Engine& engine, std::span<const int32_t> vertices, const Real3& force);
Result<ForceHandle> add_force(Engine& engine, const SurfacePoint& point, const Real3& force);
Status set_force(Engine& engine, ForceHandle handle, const Real3& force);
Status move_force(Engine& engine, ForceHandle handle, const SurfacePoint& point);
Status remove_force(Engine& engine, ForceHandle handle);
Result<GrabHandle> add_grab(Engine& engine, const SurfacePoint& point, const GrabOptions& options);
Result<GrabHandle> add_grab(Engine& engine, int32_t vertex, const GrabOptions& options);
Status move_grab(Engine& engine, GrabHandle grab, const Real3& target, const Real3& velocity);
Status remove_grab(Engine& engine, GrabHandle grab);
Result<Real3> grab_force(Engine& engine, GrabHandle grab);
Status set_gravity(Engine& engine, const Real3& gravity);
Status set_activation(Engine& engine, std::string_view object, double activation);
Status set_value(Engine& engine, std::string_view path, std::string_view value);

Result<ColliderHandle> add_collider(Engine& engine, const SceneCollider& collider);
Status remove_collider(Engine& engine, ColliderHandle handle);
Status move_collider(Engine& engine, ColliderHandle handle, const PinPose& pose, std::optional<double> arrival);
Status move_collider(Engine& engine, ColliderHandle handle, const Motion& motion);
// Of all colliders, as place_colliders (step/collider_script.h) has them.
void place_colliders_now(Engine& engine, std::span<Vec3d> points, std::span<ContactPlane> planes);
Result<PlacedCollider> placed_collider(Engine& engine, ColliderHandle handle);
std::vector<ColliderInfo> colliders_of(const Engine& engine);
// As in a scene file, and back. Errors: those of the scene.
Result<SceneCollider> collider_from_json(const Engine& engine, std::string_view name, std::string_view json);
std::string json_of_collider(const SceneCollider& collider);
// The motion of a collider that a log has, and the `motion` of one in a scene file.
Result<Motion> motion_from_json(std::string_view json);
Result<Motion> scene_motion(std::string_view json);
std::string json_of_motion(const Motion& motion);

Status switch_object(Engine& engine, std::string_view name, bool on);
Status add_object(Engine& engine, const SceneObject& object);
Status remove_object(Engine& engine, std::string_view name);
// As in a scene file, and back. Errors: those of the scene.
Result<SceneObject> object_from_json(const Engine& engine, std::string_view name, std::string_view json);
std::string json_of_object(const SceneObject& object);

// All that steps and changes make different: a simulation with the same model goes on from it bit for bit.
struct LiveState {
  State state;
  Scene scene;
  Engine::Clock clock;
  std::vector<PinScript> pins;
  std::vector<LoadScript> loads;
  std::vector<GrabScript> grabs;
  std::vector<LiveForce> forces;         // as in Engine
  std::vector<uint8_t> on;               // of each object
  double single_rounding = 0;            // as in CompiledScene
  std::vector<SceneMaterial> built_for;  // as in Engine
  std::string contacts;                  // Stepper::save_contacts
  std::vector<std::string> colliders;    // as in Engine
  std::vector<ColliderMotion> motions;   // of the scene's colliders
};
LiveState live_state(const Engine& engine);
Status restore(Engine& engine, const LiveState& live);

}  // namespace sinew
