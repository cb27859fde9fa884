// The library in five lines:
//
//   auto scene = sinew::read_scene("beam.json");                 // or build a Scene in code
//   auto simulation = sinew::Simulation::create(*scene); // check scene and simulation: each may be an Error for (int
//   frame = 0; frame < simulation->frame_count(); ++frame) {
//     if (auto reports = simulation->advance_frame(); !reports) return complain(reports.error());
//     draw(simulation->positions());
//   }
//
// Everything is in SI units and in the user's vertex order: objects in the order of the scene, vertices in the order of
// their meshes. Results are bit-identical for any number of threads.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/live.h"
#include "sinew/progress.h"
#include "sinew/report.h"
#include "sinew/result.h"
#include "sinew/scene.h"

namespace sinew {

struct Engine;
class SceneFiles;
class ThreadPool;

class Simulation {
 public:
  // threads <= 0: one per core. `on_setup` is told of the stages (sinew/progress.h) and may give up. Errors: every
  // fault of the scene, with the path of its key; given up.
  static Result<Simulation> create(const Scene& scene, int threads = 0, const Listener<Progress>& on_setup = {});
  ~Simulation();
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;

  // Takes one time step. On an Error (a state that is not finite) the state from before the step is kept.
  Result<StepReport> step();
  // Takes the steps up to the next frame.
  Result<std::vector<StepReport>> advance_frame();

  double time() const;  // [s]
  int64_t steps_taken() const;
  int64_t frames_taken() const;
  int64_t frame_count() const;  // frames in the scene's duration
  int64_t steps_per_frame() const;
  double step_size() const;  // [s]

  int32_t vertex_count() const;
  int32_t element_count() const;          // of tets and triangles: the length of tets()
  std::vector<Real3> positions() const;   // [m]
  std::vector<Real3> velocities() const;  // [m/s]
  std::vector<Real3> rest_positions() const;
  std::vector<std::array<int32_t, 4>> tets() const;  // the fourth index of a triangle is -1
  // The vertices at the middles of the edges 01 02 03 12 13 23 of each of tets(), -1 in one that is not quadratic;
  // empty where none is.
  std::vector<std::array<int32_t, 6>> middles() const;
  // Sets positions and velocities, one entry per vertex; the step counter and the clock continue. A vertex that a pin
  // holds in the next step follows the pin: its position must equal the current one to a millionth of the size of the
  // scene, and its velocity is ignored. To move it, give the pin keyframes. Errors, which leave the state unchanged: a
  // wrong number of entries, a number that is not finite, a held vertex in another place; with the guarantee that
  // nothing intersects, bodies that do.
  Status set_state(const std::vector<Real3>& positions, const std::vector<Real3>& velocities);
  // Of each vertex, whether a pin holds it in the next step, be it in one direction alone.
  std::vector<bool> held() const;

  // Reading without allocation: x, y and z of each vertex, 3 vertex_count() numbers. Errors: a span of another length.
  Status read_positions(std::span<double> xyz) const;  // [m]
  Status read_positions(std::span<float> xyz) const;
  Status read_velocities(std::span<double> xyz) const;  // [m/s]
  Status read_velocities(std::span<float> xyz) const;
  // components_of(quantity) numbers for each element, in the order of tets().
  Status read_elements(ElementQuantity quantity, std::span<double> values) const;
  Status read_elements(ElementQuantity quantity, std::span<float> values) const;
  Status read_reactions(std::span<double> xyz) const;  // [N] as reactions()
  Status read_reactions(std::span<float> xyz) const;
  // The names of the scene's probes, and for each the mean position [m] of its vertices.
  std::vector<std::string> probes() const;
  Status read_probes(std::span<double> xyz) const;
  Status read_probes(std::span<float> xyz) const;
  // The skin of an object: its points [m], body after body, and its triangles, counter-clockwise from outside. Errors:
  // no such object, an object without a skin.
  Result<int32_t> skin_point_count(int32_t object) const;
  Result<std::vector<std::array<int32_t, 3>>> skin_triangles(int32_t object) const;
  Status read_skin(int32_t object, std::span<double> xyz) const;
  Status read_skin(int32_t object, std::span<float> xyz) const;
  Energies energies() const;
  // What touches now, with the forces of the last step's problem; before any step, of the first one's. Edges and
  // vertices count where they are nearer than faces (docs/contact.md). Empty where a scene has no contact.
  std::vector<ContactPoint> contacts() const;

  std::vector<double> masses() const;  // [kg] of each vertex
  const std::vector<ObjectInfo>& objects() const;
  // The object's boundary, counter-clockwise from outside; of a chain nothing. Errors: no such object.
  Result<std::vector<std::array<int32_t, 3>>> surface(int32_t object) const;
  // The two ends of each spring, in the order of the scene; those of objects that are off too.
  std::vector<std::array<int32_t, 2>> springs() const;
  // The first point of the surfaces, front or back, that the ray meets; none: it meets nothing. `direction`: of any
  // length but 0.
  Result<std::optional<SurfacePoint>> cast_ray(const Real3& origin, const Real3& direction) const;
  // The point of the surfaces that is nearest; none: there are no surfaces.
  Result<std::optional<SurfacePoint>> nearest_point(const Real3& point) const;

  // Changes between two steps, each in force from the next step on. After an Error nothing is changed. Vertices are in
  // user order. Errors of all: a stale handle, no vertices, a vertex twice or out of range, a number that is not
  // finite.
  //
  // Holds vertices where they are. Where pins share a vertex the one added last wins.
  Result<PinHandle> add_pin(std::span<const int32_t> vertices);
  // A pin of the scene leaves its keyframes for good.
  Status move_pin(PinHandle pin, const PinPose& pose);
  // To a place [m] for each of its vertices, in the order in which they were given (of a pin of the scene: ascending).
  Status move_pin(PinHandle pin, std::span<const Real3> places);
  Status remove_pin(PinHandle pin);
  // A force [N] in all, shared by mass, until it is changed or removed.
  Result<ForceHandle> add_force(std::span<const int32_t> vertices, const Real3& force);
  // At a point of a surface, as cast_ray and nearest_point return it. The force is shared by the weights and stays with
  // the point as it moves; only `vertices` and `weights` are used. Errors: weights that do not add up to 1.
  Result<ForceHandle> add_force(const SurfacePoint& point, const Real3& force);
  Status set_force(ForceHandle handle, const Real3& force);
  // Moves the force to another point. A force on vertices becomes one at a point.
  Status move_force(ForceHandle handle, const SurfacePoint& point);
  Status remove_force(ForceHandle handle);
  // Holds a point of a surface, as cast_ray and nearest_point return it, by a damped spring: what a mouse or a robot's
  // hand does. The target begins where the point is, at rest. Of the point only `vertices` and `weights` are used.
  // Errors: vertices that are no triangle of a surface, or one of a grid without diagonals; weights that do not add up
  // to 1; a vertex without mass; options outside their ranges.
  Result<GrabHandle> add_grab(const SurfacePoint& point, const GrabOptions& options = {});
  Result<GrabHandle> add_grab(int32_t vertex, const GrabOptions& options = {});
  // Where the target is at the end of the next step [m], and how fast it moves [m/s], until it is moved again. The
  // velocity is for damping only: at 0 a body that is carried along lags behind by damping times its speed, with the
  // target's own it does not. Errors: a target or a velocity that leaves the plane of a plane body.
  Status move_grab(GrabHandle grab, const Real3& target, const Real3& velocity = {0, 0, 0});
  Status remove_grab(GrabHandle grab);
  // [N] On the body, at the present positions, velocities and target: after a step what the grab exerted in it, which a
  // hand feels with the opposite sign.
  Result<Real3> grab_force(GrabHandle grab) const;
  Status set_gravity(const Real3& gravity);  // [m/s^2]
  // One entry per vertex [m/s]; those of held vertices are not looked at.
  Status set_velocities(std::span<const Real3> velocities);
  // Sets how strongly the muscle fibres of an object pull, from 0 to 1, instead of the scene's value or curve. Errors:
  // no such object, an object without fibres, a value outside 0 to 1.
  Status set_activation(std::string_view object, double activation);
  // A value of the scene by its path, as `sinew run --set` takes it: set("solver.type", "newton"),
  // set("time.substeps", 2), set("materials.rubber.youngs_modulus", 2e5), set("gravity", Real3{0, 0, -9.81}),
  // set("contact.friction", 0.3), set("colliders.floor.contact.friction", 0). Solver, accelerator and their options,
  // the time step, gravity, activations, the stiffness and damping of materials and what holds for contacts can change;
  // layouts that depend on them are rescaled or built anew (docs/live.md). Text is JSON, or else a word.
  // Errors: those of the scene, a solver that cannot treat it, and a value that is fixed once the simulation exists.
  Status set(std::string_view path, std::string_view value);
  Status set(std::string_view path, double value);
  Status set(std::string_view path, const Real3& value);
  template <std::same_as<bool> T>
  Status set(std::string_view path, T value) {
    return set(path, std::string_view(value ? "true" : "false"));
  }

  // Switches an object off or on. While it is off its vertices stay where they are, at rest, whatever its pins say, and
  // bindings between it and other objects do not act. Its elements still count in energies and as inverted. When it is
  // switched on it starts from there. On a grid its nodes stay too, and bodies that share some stick to it. Errors: no
  // such object.
  Status switch_object(std::string_view name, bool on);
  // Adds an object of a material of the scene, behind all others, in its start position. `json`: as in a scene file.
  // The scene is compiled anew; all else keeps its positions, velocities, pins, forces, grabs and vertex numbers.
  // Errors: those of the scene, a name that is taken; with contact, a body that meets another or a collider.
  Status add_object(const SceneObject& object);
  Status add_object(std::string_view name, std::string_view json);
  // Removes an object with the scene's pins, loads, bindings and probes on it; the vertices of later objects get
  // smaller numbers. Pins and forces lose its vertices; those that have no others are removed, as its grabs are, and
  // their handles are stale. Errors: no such object, the only object.
  Status remove_object(std::string_view name);

  // Colliders as of now, in the order of the scene, later ones behind. Where one is: with the guarantee where it has
  // got to. Errors: a stale handle.
  std::vector<ColliderInfo> colliders() const;
  Result<PlacedCollider> collider(ColliderHandle collider) const;
  // Moves a collider to a pose relative to where the scene has it: within the next step, or straight and steadily until
  // `arrival` [s], on the clock of time(). What is fast should have a time: bodies are swept along, but see the whole
  // way of a step at once. Or gives it keyframes, on the same clock. With the guarantee it goes as far as bodies let
  // it, step by step. A collider leaves its earlier motion for good. Errors: a scale that is not above 0, a time that
  // is not to come, those of a scene.
  Status move_collider(ColliderHandle collider, const PinPose& pose);
  Status move_collider(ColliderHandle collider, const PinPose& pose, double arrival);
  Status move_collider(ColliderHandle collider, const Motion& motion);
  // To a motion as a scene file has it: { "keyframes": [...] }. Errors: also those of the text.
  Status drive_collider(ColliderHandle collider, std::string_view json);
  // Adds a collider behind all others, and removes one with the entries of contact.pairs about it. The scene is
  // compiled anew, as for objects; friction that sticks holds on. Errors: those of the scene, a name that is taken, and
  // a collider that meets a body, with its first triangle.
  Result<ColliderHandle> add_collider(const SceneCollider& collider);
  Result<ColliderHandle> add_collider(std::string_view name, std::string_view json);
  Status remove_collider(ColliderHandle collider);

  // Keeps the state with all that was changed, and returns to it: bit for bit. Errors: a snapshot of another
  // simulation, or an empty one.
  Snapshot save();
  Status restore(const Snapshot& snapshot);

  // Returns the simulation, with its scene and all changes, as bytes; `resume` makes a simulation that continues from
  // them with the same bits and the same handles, also in another process and on any number of threads. Files that the
  // scene names are read again; snapshots are not included. Errors: bytes that are not such a checkpoint, meshes that
  // have changed since, those of create().
  std::string checkpoint() const;
  static Result<Simulation> resume(std::string_view checkpoint, int threads = 0);

  // All changes since the simulation was created, each with its step, as JSON; and the same steps and changes on a new
  // simulation of the same scene, which then has the same bits, on any number of threads. Errors: text that is not a
  // log, a simulation that is not new, a change that is refused, each with its place in the log.
  Result<std::string> changes() const;
  Status replay(std::string_view log);
  // Off: forgets the changes so far and keeps none, for loops that run for days; changes() is then an Error. On by
  // default.
  void keep_changes(bool keep);

  // The objective of the last step at the current positions; before any step, that of the first step.
  Evaluation evaluate() const;
  // The force [N] of the pins on each vertex at the end of the last step: together with all other forces on the vertex
  // it produces the acceleration that the pins impose. On a vertex that glides it acts only in the directions that are
  // held. 0 elsewhere. Evaluates only the elements at vertices of pins.
  std::vector<Real3> reactions() const;
  // A fingerprint of positions, velocities and the clock: equal for bit-identical states.
  uint64_t hash() const;

  // Repairs made to the meshes, and suspicious input.
  const std::vector<std::string>& warnings() const;
  // Called during the steps that follow; null: no observer. Must outlive the simulation or be reset.
  void set_observer(Observer* observer);

 private:
  friend Result<Simulation> create_simulation(const Scene&, std::shared_ptr<const SceneFiles>,
                                              std::shared_ptr<ThreadPool>, const Listener<Progress>&);
  friend Result<Simulation> resume_simulation(std::string_view, std::shared_ptr<const SceneFiles>,
                                              std::shared_ptr<ThreadPool>);
  friend Engine& engine_of(const Simulation& simulation);
  explicit Simulation(std::unique_ptr<Engine> engine);
  std::unique_ptr<Engine> engine_;
};

}  // namespace sinew
