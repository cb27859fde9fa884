#include "engine/live.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "base/format.h"
#include "base/nearest.h"
#include "compile/contacts.h"
#include "engine/adopt.h"
#include "engine/adopt_contact.h"
#include "engine/live_checks.h"
#include "scene/object_kinds.h"
#include "scene/places.h"
#include "sinew/scene_file.h"

namespace sinew {
namespace {

std::vector<PinScript>& pins_of(Engine& engine) {
  return engine.method.stepper->pins();
}
std::vector<LoadScript>& loads_of(Engine& engine) {
  return engine.method.stepper->loads();
}

Status check(Engine& engine, PinHandle handle) {
  const std::vector<PinScript>& pins = pins_of(engine);
  if (handle.number < 0 || static_cast<size_t>(handle.number) >= pins.size())
    return Error{"pin", format("%d: there is no such pin", handle.number), "use a handle that add_pin returned"};
  if (is_removed(pins[static_cast<size_t>(handle.number)]))
    return Error{"pin", format("%d: was removed", handle.number), "add it anew"};
  return {};
}
Status check(const Engine& engine, ForceHandle handle) {
  if (handle.number < 0 || static_cast<size_t>(handle.number) >= engine.live_forces.size())
    return Error{"force", format("%d: there is no such force", handle.number), "use a handle that add_force returned"};
  if (engine.live_forces[static_cast<size_t>(handle.number)].load < 0)
    return Error{"force", format("%d: was removed", handle.number), "add it anew"};
  return {};
}

bool has_plane_body(const Scene& scene) {
  return std::any_of(scene.objects.begin(), scene.objects.end(), is_plane);
}

// Of each slot the share of a force on all of them, by mass.
Result<std::vector<double>> shares_by_mass(const Engine& engine, std::span<const int32_t> slots) {
  double whole = 0;
  for (const int32_t s : slots) whole += engine.compiled.model.mass[static_cast<size_t>(s)];
  if (whole == 0) return Error{"vertices", "have no mass: no element or spring has them", "choose vertices of a body"};
  std::vector<double> shares;
  for (const int32_t s : slots) shares.push_back(engine.compiled.model.mass[static_cast<size_t>(s)] / whole);
  return shares;
}

ForceLoad& load_of(Engine& engine, const LiveForce& live) {
  return std::get<ForceLoad>(loads_of(engine)[static_cast<size_t>(live.load)].load);
}

std::vector<Vec3d> shared(std::span<const double> shares, Vec3d force) {
  std::vector<Vec3d> forces;
  for (const double share : shares) forces.push_back(share * force);
  return forces;
}

ForceHandle add(Engine& engine, std::vector<int32_t> slots, std::vector<double> shares, const Real3& force) {
  std::vector<LoadScript>& loads = loads_of(engine);
  LoadScript script;
  script.load = ForceLoad{std::move(slots), shared(shares, to_vec(force))};
  loads.push_back(std::move(script));
  engine.live_forces.push_back({static_cast<int32_t>(loads.size()) - 1, std::move(shares), to_vec(force)});
  return ForceHandle{static_cast<int32_t>(engine.live_forces.size()) - 1};
}

// What `set` may change: everything else of two scenes must be equal. Names the first difference by its key.
Status check_live(Scene before, const Scene& after) {
  const auto fixed = [](const char* key) {
    return Error{key, "is fixed once the simulation exists", "create another simulation"};
  };
  if (before.materials.size() != after.materials.size()) return fixed("materials");
  for (size_t k = 0; k < before.materials.size(); ++k) {
    SceneMaterial& m = before.materials[k];
    const SceneMaterial& n = after.materials[k];
    if (m.name != n.name || m.model != n.model) return fixed("materials");
    if (m.density != n.density) return fixed("density");
    m = n;
  }
  if (before.solver.cluster_vertices != after.solver.cluster_vertices) return fixed("solver.cluster_vertices");
  if (before.time.quasistatic != after.time.quasistatic) return fixed("time.integrator");
  before.solver = after.solver;
  before.time = after.time;
  before.gravity = after.gravity;
  take_live_contact(before, after);
  for (size_t k = 0; k < before.objects.size() && k < after.objects.size(); ++k) {
    std::optional<SceneFibres>& fibres = before.objects[k].fibres;
    const std::optional<SceneFibres>& now = after.objects[k].fibres;
    if (!fibres || !now) continue;
    fibres->activation = now->activation;
    fibres->activation_curve = now->activation_curve;
  }
  if (before == after) return {};
  return Error{"", "is fixed once the simulation exists",
               "solver, time step, gravity, activation, stiffness, damping and what holds for contacts can change; for "
               "others create another simulation"};
}

bool have_same_method(const Scene& a, const Scene& b) {
  return a.solver == b.solver && a.time == b.time && a.materials == b.materials;
}

// Of the same objects and colliders.
bool have_same_contact(const Scene& a, const Scene& b) {
  const auto same = [](const auto& p, const auto& q) { return p.contact == q.contact; };
  return a.contact == b.contact && std::equal(a.objects.begin(), a.objects.end(), b.objects.begin(), same) &&
         std::equal(a.colliders.begin(), a.colliders.end(), b.colliders.begin(), same);
}

}  // namespace

Result<PinHandle> add_pin(Engine& engine, std::span<const int32_t> vertices) {
  Result<std::vector<int32_t>> slots = slots_of(engine, vertices);
  if (!slots) return slots.error();
  PinScript pin;
  Vec3d sum{};
  for (const int32_t s : *slots) {
    pin.start.push_back(engine.state().x[static_cast<size_t>(s)]);
    sum += pin.start.back();
  }
  pin.center = (1 / static_cast<double>(slots->size())) * sum;
  pin.slots = std::move(*slots);
  std::vector<PinScript>& pins = pins_of(engine);
  pins.push_back(std::move(pin));
  engine.method.stepper->pins_added();
  return PinHandle{static_cast<int32_t>(pins.size()) - 1};
}

Status move_pin(Engine& engine, PinHandle handle, const PinPose& pose) {
  if (Status s = check(engine, handle); !s) return s;
  if (Status s = check_pose(pose); !s) return s;
  PinScript& pin = pins_of(engine)[static_cast<size_t>(handle.number)];
  if (pose.center) pin.center = to_vec(*pose.center);
  pin.axis = to_vec(pose.axis);
  pin.keys = {{0, to_vec(pose.translate), pose.rotate_degrees * std::numbers::pi / 180, to_vec(pose.scale)}};
  pin.places.clear();
  return {};
}

Status move_pin(Engine& engine, PinHandle handle, std::span<const Real3> places) {
  if (Status s = check(engine, handle); !s) return s;
  PinScript& pin = pins_of(engine)[static_cast<size_t>(handle.number)];
  if (places.size() != pin.slots.size())
    return Error{"places", format("%zu for the %zu vertices of the pin", places.size(), pin.slots.size()),
                 "give one for each"};
  for (size_t k = 0; k < places.size(); ++k)
    if (Status s = check_vector("places", places[k]); !s)
      return Error{"places", format("entry %zu ", k) + s.error().what, s.error().remedy};
  pin.places.clear();
  for (const Real3& p : places) pin.places.push_back(to_vec(p));
  return {};
}

Status remove_pin(Engine& engine, PinHandle handle) {
  if (Status s = check(engine, handle); !s) return s;
  PinScript& pin = pins_of(engine)[static_cast<size_t>(handle.number)];
  pin = removed_pin();
  return {};
}

Result<ForceHandle> add_force(Engine& engine, std::span<const int32_t> vertices, const Real3& force) {
  if (Status s = check_vector("force", force); !s) return s.error();
  Result<std::vector<int32_t>> slots = slots_of(engine, vertices);
  if (!slots) return slots.error();
  Result<std::vector<double>> shares = shares_by_mass(engine, *slots);
  if (!shares) return shares.error();
  return add(engine, std::move(*slots), std::move(*shares), force);
}

Result<ForceHandle> add_force(Engine& engine, const SurfacePoint& point, const Real3& force) {
  if (Status s = check_vector("force", force); !s) return s.error();
  if (Status s = check_weights(point); !s) return s.error();
  Result<std::vector<int32_t>> slots = slots_of(engine, point.vertices);
  if (!slots) return slots.error();
  return add(engine, std::move(*slots), {point.weights.begin(), point.weights.end()}, force);
}

Status set_force(Engine& engine, ForceHandle handle, const Real3& force) {
  if (Status s = check(engine, handle); !s) return s;
  if (Status s = check_vector("force", force); !s) return s;
  LiveForce& live = engine.live_forces[static_cast<size_t>(handle.number)];
  live.force = to_vec(force);
  load_of(engine, live).forces = shared(live.shares, live.force);
  return {};
}

Status move_force(Engine& engine, ForceHandle handle, const SurfacePoint& point) {
  if (Status s = check(engine, handle); !s) return s;
  if (Status s = check_weights(point); !s) return s;
  Result<std::vector<int32_t>> slots = slots_of(engine, point.vertices);
  if (!slots) return slots.error();
  LiveForce& live = engine.live_forces[static_cast<size_t>(handle.number)];
  live.shares = {point.weights.begin(), point.weights.end()};
  load_of(engine, live) = {std::move(*slots), shared(live.shares, live.force)};
  return {};
}

Status remove_force(Engine& engine, ForceHandle handle) {
  if (Status s = check(engine, handle); !s) return s;
  const int32_t number = std::exchange(engine.live_forces[static_cast<size_t>(handle.number)], {}).load;
  std::vector<LoadScript>& loads = loads_of(engine);
  loads.erase(loads.begin() + number);
  for (LiveForce& other : engine.live_forces)
    if (other.load > number) --other.load;
  return {};
}

Status set_gravity(Engine& engine, const Real3& gravity) {
  if (Status s = check_vector("gravity", gravity); !s) return s;
  if (gravity[2] != 0 && has_plane_body(engine.scene))
    return Error{"gravity", format("= (%g, %g, %g): leaves the plane of a body", gravity[0], gravity[1], gravity[2]),
                 "let z be 0"};
  engine.scene.gravity = gravity;
  engine.compiled.model.gravity = to_vec(gravity);
  return {};
}

Status set_activation(Engine& engine, std::string_view object, double activation) {
  const auto found = std::find_if(engine.scene.objects.begin(), engine.scene.objects.end(),
                                  [&](const SceneObject& o) { return o.name == object; });
  std::vector<std::string_view> muscles;
  for (const SceneObject& o : engine.scene.objects)
    if (o.fibres) muscles.push_back(o.name);
  if (found == engine.scene.objects.end() || !found->fibres)
    return Error{"object", joined({"\"", std::string(object), "\": there is no such muscle"}),
                 muscles.empty() ? "no object of the scene has fibres" : did_you_mean(object, muscles)};
  if (!(activation >= 0 && activation <= 1))
    return Error{"activation", format("= %g [-]: must be from 0 to 1", activation), "0 is at rest, 1 pulls most"};
  found->fibres->activation = activation;
  found->fibres->activation_curve.reset();
  adopt_forces(engine);
  return {};
}

Status set_value(Engine& engine, std::string_view path, std::string_view value) {
  const std::string change = std::string(path) + "=" + std::string(value);
  // Both with every default written out. Another solver begins with its own options.
  const auto written = [&](const Scene& scene, std::span<const std::string> changes) {
    return parse_scene(resolved_json(scene), scene.source, scene.base_folder, changes);
  };
  Scene asked = engine.scene;
  if (path == "contact" || path.starts_with("contact.")) {
    if (!has_contact(asked))
      return Error{std::string(path),
                   asked.grid ? "contact by surfaces is off: a scene with a grid has it only if it asks for it"
                              : "contact is off: the scene has neither contact nor colliders",
                   "create a simulation of a scene with \"contact\": {}"};
    if (!asked.contact) asked.contact.emplace();
  }
  if (path == "solver.type") asked.solver = with_solver(asked.solver, value);
  const Result<Scene> now = written(engine.scene, {});
  Result<Scene> read = written(asked, std::span(&change, 1));
  if (!now) return now.error();
  if (!read) return read.error();
  if (Status s = check_live(*now, *read); !s) return Error{std::string(path), s.error().what, s.error().remedy};
  Scene next = engine.scene;
  if (now->materials != read->materials) next.materials = read->materials;
  if (now->solver != read->solver) next.solver = read->solver;
  if (now->time != read->time) next.time = read->time;
  next.gravity = read->gravity;
  for (size_t k = 0; k < next.objects.size(); ++k) next.objects[k].fibres = read->objects[k].fibres;
  take_live_contact(next, *read);
  if (Status s = may_adopt_contact(engine, next); !s) return Error{std::string(path), s.error().what, s.error().remedy};
  if (!have_same_method(*now, *read)) {
    if (Status s = adopt_parameters(engine, next, switches(engine)); !s)
      return s.error().where.empty() ? Error{std::string(path), s.error().what, s.error().remedy} : s.error();
  }
  if (!have_same_contact(next, engine.scene)) adopt_contact(engine, next);
  engine.scene = std::move(next);
  adopt_forces(engine);
  return {};
}

LiveState live_state(const Engine& engine) {
  Stepper& stepper = *engine.method.stepper;
  return {engine.state(),
          engine.scene,
          engine.clock,
          stepper.pins(),
          stepper.loads(),
          stepper.grabs(),
          engine.live_forces,
          switches(engine),
          engine.compiled.single_rounding,
          engine.built_for,
          stepper.save_contacts(),
          engine.colliders,
          {stepper.colliders().begin(), stepper.colliders().end()}};
}

Status restore(Engine& engine, const LiveState& live) {
  if (!have_same_objects(live.scene, engine.scene)) {
    if (Status s = adopt_objects(engine, live.scene, Look::away); !s) return s;
    engine.scene = live.scene;
  }
  const bool same_layouts = live.scene.solver == engine.scene.solver && live.scene.time == engine.scene.time &&
                            live.built_for == engine.built_for;
  if (!same_layouts) {
    if (Status s = adopt_built_for(engine, live.scene, live.on, live.single_rounding, live.built_for); !s) return s;
  } else if (live.scene.materials != engine.scene.materials || live.on != switches(engine) ||
             live.single_rounding != engine.compiled.single_rounding) {
    if (Status s = adopt_parameters(engine, live.scene, live.on, live.single_rounding); !s) return s;
  }
  if (!have_same_contact(live.scene, engine.scene)) adopt_contact(engine, live.scene);
  Stepper& stepper = *engine.method.stepper;
  for (size_t k = 0; k < live.motions.size() && k < stepper.colliders().size(); ++k)
    static_cast<ColliderMotion&>(stepper.colliders()[k]) = live.motions[k];
  engine.colliders = live.colliders;
  stepper.pins() = live.pins;
  stepper.pins_added();
  stepper.loads() = live.loads;
  stepper.grabs() = live.grabs;
  stepper.set_clock(live.clock.step, live.clock.time);
  stepper.forget_problem();
  if (!stepper.restore_contacts(live.contacts))
    return Error{"checkpoint", "is damaged: what it says of contacts does not fit its scene", "use an earlier one"};
  engine.scene = live.scene;
  adopt_forces(engine);
  engine.clock = live.clock;
  engine.live_forces = live.forces;
  engine.change_state() = live.state;
  return {};
}

}  // namespace sinew
