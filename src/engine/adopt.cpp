#include "engine/adopt.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/format.h"
#include "compile/blocks.h"
#include "compile/check_compiled.h"
#include "compile/muscles.h"
#include "compile/precision.h"
#include "engine/adopt_contact.h"
#include "objective/objective.h"
#include "scene/places.h"

namespace sinew {
namespace {

bool is_same_object(const SceneObject& a, const SceneObject& b) {
  if (a == b) return true;
  if (a.name != b.name || a.fibres.has_value() != b.fibres.has_value()) return false;
  SceneObject changed = a;
  if (a.fibres) {
    changed.fibres->activation = b.fibres->activation;
    changed.fibres->activation_curve = b.fibres->activation_curve;
  }
  take_live_contact(changed.contact, b.contact);
  return changed == b;
}

const ObjectInfo& object_at(std::span<const ObjectInfo> objects, int32_t vertex) {
  return *std::upper_bound(objects.begin(), objects.end(), vertex,
                           [](int32_t v, const ObjectInfo& object) { return v < object.last_vertex; });
}

// The ties of all objects but for what binds one that is off.
Ties acting(const Ties& all, const VertexOrder& order, std::span<const ObjectInfo> objects,
            std::span<const uint8_t> on) {
  const auto is_on = [&](int32_t slot) {
    const ObjectInfo& object = object_at(objects, static_cast<int32_t>(order.vertex(Slot{slot})));
    return on[static_cast<size_t>(&object - objects.data())] != 0;
  };
  Ties acting;
  for (int32_t t = 0; t < all.count(); ++t) {
    const std::span<const int32_t> slots = all.vertices_of(t);
    if (all.laws[t].traits().binds && !std::all_of(slots.begin(), slots.end(), is_on)) continue;
    acting.add(all.laws[t], slots, all.weights_of(t));
  }
  return acting;
}

// Takes over a method that was made for the engine's model as it is now; engine.scene is still the one before.
void install(Engine& engine, Method method, std::vector<PinScript> pins, std::vector<LoadScript> loads,
             std::vector<GrabScript> grabs, std::vector<ColliderScript> colliders, const Scene& scene) {
  Stepper& stepper = *method.stepper;
  stepper.colliders() = std::move(colliders);
  stepper.pins() = std::move(pins);
  stepper.pins_added();
  stepper.loads() = std::move(loads);
  stepper.grabs() = std::move(grabs);
  stepper.set_observer(engine.method.stepper->observer());
  [[maybe_unused]] const State& fetched = engine.change_state();
  engine.method = std::move(method);
  if (scene.time != engine.scene.time) engine.clock = {engine.step(), engine.frames_taken(), engine.time()};
  engine.method.stepper->set_clock(engine.clock.step, engine.clock.time);
}

// New slot of each old one; -1: gone. Objects that both have are the same ones.
std::vector<int32_t> new_places(const Engine& engine, const Scene& scene, const CompiledScene& compiled) {
  const VertexOrder &before = engine.compiled.model.order, &after = compiled.model.order;
  std::vector<int32_t> place(static_cast<size_t>(before.slot_count()), -1);
  for (size_t k = 0; k < scene.objects.size(); ++k) {
    const auto old = std::find_if(engine.scene.objects.begin(), engine.scene.objects.end(),
                                  [&](const SceneObject& o) { return is_same_object(o, scene.objects[k]); });
    if (old == engine.scene.objects.end()) continue;
    const ObjectInfo& from = engine.objects[static_cast<size_t>(old - engine.scene.objects.begin())];
    const ObjectPart& to = compiled.objects[k];
    // Its file may have changed since.
    if (from.last_vertex - from.first_vertex != to.last_vertex - to.first_vertex) continue;
    for (int32_t v = 0; v < to.last_vertex - to.first_vertex; ++v)
      place[static_cast<size_t>(before.slot(UserVertex{from.first_vertex + v}))] =
          static_cast<int32_t>(after.slot(UserVertex{to.first_vertex + v}));
  }
  return place;
}

// Names slots as they are now and drops those that are gone, in lists beside them too; these may be empty.
template <class... Lists>
void move_to(const std::vector<int32_t>& place, std::vector<int32_t>& slots, Lists&... beside) {
  std::vector<size_t> kept;
  for (size_t k = 0; k < slots.size(); ++k)
    if (place[static_cast<size_t>(slots[k])] >= 0) kept.push_back(k);
  const auto keep = [&](auto& list) {
    if (list.empty()) return;
    for (size_t k = 0; k < kept.size(); ++k) list[k] = list[kept[k]];
    list.resize(kept.size());
  };
  keep(slots);
  (keep(beside), ...);
  for (int32_t& slot : slots) slot = place[static_cast<size_t>(slot)];
}

}  // namespace

bool have_same_objects(const Scene& a, const Scene& b) {
  return std::equal(a.objects.begin(), a.objects.end(), b.objects.begin(), b.objects.end(), is_same_object) &&
         std::equal(a.colliders.begin(), a.colliders.end(), b.colliders.begin(), b.colliders.end(), is_same_collider);
}

std::vector<uint8_t> switches(const Engine& engine) {
  std::vector<uint8_t> on;
  for (const ObjectInfo& object : engine.objects) on.push_back(object.on);
  return on;
}

void idle_objects_that_are_off(Engine& engine) {
  const VertexOrder& order = engine.compiled.model.order;
  std::vector<int32_t> idle;
  const bool any_off =
      std::any_of(engine.objects.begin(), engine.objects.end(), [](const ObjectInfo& object) { return !object.on; });
  for (int32_t s = 0; s < order.slot_count() && any_off; ++s) {
    if (order.is_padding(Slot{s})) continue;
    if (!object_at(engine.objects, static_cast<int32_t>(order.vertex(Slot{s}))).on) idle.push_back(s);
  }
  engine.method.stepper->set_idle(std::move(idle));
}

void adopt_forces(Engine& engine) {
  engine.compiled.model.gravity = to_vec(engine.scene.gravity);
  size_t muscle = 0;
  for (const SceneObject& object : engine.scene.objects)
    if (object.fibres) engine.compiled.model.muscles[muscle++] = activation_of(*object.fibres);
}

namespace {

void set_materials(CompiledScene& compiled, const std::vector<SceneMaterial>& materials) {
  for (size_t k = 0; k < compiled.model.blocks.size(); ++k)
    set_material(compiled.model.blocks[k], materials[static_cast<size_t>(compiled.material_of_block[k])]);
}

const std::vector<double>& squares_of_mesh(Engine& engine) {
  if (engine.stiffness_squares.empty())
    engine.stiffness_squares = stiffness_squares(engine.compiled.model, engine.pool);
  return engine.stiffness_squares;
}

// The norm of the model's stiffness out of what its mesh contributes, which is summed once.
double stiffness_norm_now(Engine& engine) {
  const Model& model = engine.compiled.model;
  const std::vector<double>& of_mesh = squares_of_mesh(engine);
  double squares = 0;
  for (size_t k = 0; k < model.blocks.size(); ++k) {
    const double modulus = 2 * model.blocks[k].material.lame.mu + model.blocks[k].material.lame.lambda;
    squares += modulus * modulus * of_mesh[k];
  }
  return std::sqrt(squares);
}

// What check_range says of a scene, of the moduli, the damping and the time step that are about to hold.
Status check_reach(Engine& engine, const Scene& scene, bool single) {
  const Model& model = engine.compiled.model;
  const double most = range_of(single).squared, h = scene.time.frame_dt / scene.time.substeps;
  const auto within = [&](double value) { return value >= 1 / most && value <= most; };
  const auto fault = [&](const std::string& what, double value) {
    return Error{"",
                 format("%s would be %.3g N/m; %s precision computes with %.0e to %.0e", what.c_str(), value,
                        single ? "single" : "double", 1 / most, most),
                 single ? "check its unit, or set solver.precision = \"double\" first" : "check its unit"};
  };
  for (size_t k = 0; scene.materials != engine.scene.materials && k < model.blocks.size(); ++k) {
    const ElasticBlock& block = model.blocks[k];
    if (block.first_tet == block.last_tet) continue;
    const double stiffness =
        (2 * block.material.lame.mu + std::abs(block.material.lame.lambda)) * std::sqrt(squares_of_mesh(engine)[k]);
    if (!within(stiffness)) return fault("the stiffness of elements", stiffness);
    const double viscous = scene.time.quasistatic ? 0 : stiffness * block.damping / h;
    if (!(viscous <= most)) return fault("damping / time step times the stiffness of elements", viscous);
  }
  for (size_t s = 0; scene.time != engine.scene.time && s < model.mass.size(); ++s) {
    const double inertia = model.mass[s] / (h * h);
    if (model.mass[s] > 0 && !within(inertia)) return fault("mass / time step^2 of a vertex", inertia);
  }
  return {};
}

Status adopt(Engine& engine, const Scene& scene, std::span<const uint8_t> on, std::optional<double> rounding,
             bool anew) {
  if (Status s = engine.fetch_state(); !s) return s;
  CompiledScene& compiled = engine.compiled;
  Model& model = compiled.model;
  std::vector<ElasticBlock> blocks = model.blocks;
  set_materials(compiled, scene.materials);

  std::optional<Ties> ties_before;
  if (!scene.bindings.empty()) {
    Ties ties = acting(engine.all_ties ? *engine.all_ties : model.ties, model.order, engine.objects, on);
    if (ties.begin != model.ties.begin || ties.vertices != model.ties.vertices)
      ties_before = std::exchange(model.ties, std::move(ties));
  }
  const double rounding_before = compiled.single_rounding;
  compiled.single_rounding =
      rounding ? *rounding
               : single_rounding(scene.time, model, compiled.loads, engine.state(), stiffness_norm_now(engine));

  const int precision = in_single_precision(scene.solver, compiled) ? single_precision : double_precision;
  const auto undo = [&] {
    model.blocks = std::move(blocks);
    if (ties_before) model.ties = std::move(*ties_before);
    compiled.single_rounding = rounding_before;
  };
  if (Status s = check_reach(engine, scene, precision == single_precision); !s) {
    undo();
    return s;
  }
  const bool same_method = !anew && scene.solver == engine.scene.solver && scene.time == engine.scene.time &&
                           !ties_before && precision == engine.method.options.precision;
  if (same_method && (scene.materials == engine.scene.materials || engine.method.stepper->take_parameters())) {
    if (scene.materials != engine.scene.materials && !compiled.contact_surface.empty())
      engine.method.stepper->set_contact_stiffness(stiffness_of_contact(scene.time, model));
    for (size_t k = 0; k < on.size(); ++k) engine.objects[k].on = on[k] != 0;
    idle_objects_that_are_off(engine);
    return {};
  }
  Result<Method> method = make_method(scene.solver, scene.time, compiled, engine.pool);
  if (!method) {
    undo();
    return method.error();
  }
  if (ties_before) {
    if (!engine.all_ties) engine.all_ties = std::move(ties_before);
    if (engine.all_ties->count() == model.ties.count()) engine.all_ties.reset();
    engine.element_stress.reset();
  }
  for (size_t k = 0; k < on.size(); ++k) engine.objects[k].on = on[k] != 0;
  // Of the same surface, and with the same guarantee, which does not change live.
  [[maybe_unused]] const bool kept = method->stepper->restore_contacts(engine.method.stepper->save_contacts());
  SINEW_ASSERT(kept);
  std::vector<PinScript> pins = std::move(engine.method.stepper->pins());
  std::vector<LoadScript> loads = std::move(engine.method.stepper->loads());
  std::vector<GrabScript> grabs = std::move(engine.method.stepper->grabs());
  std::vector<ColliderScript> colliders = std::move(engine.method.stepper->colliders());
  install(engine, std::move(*method), std::move(pins), std::move(loads), std::move(grabs), std::move(colliders), scene);
  engine.built_for = scene.materials;
  idle_objects_that_are_off(engine);
  return {};
}

}  // namespace

Status adopt_parameters(Engine& engine, const Scene& scene, std::span<const uint8_t> on,
                        std::optional<double> rounding) {
  return adopt(engine, scene, on, rounding, false);
}

Status adopt_built_for(Engine& engine, const Scene& scene, std::span<const uint8_t> on, double rounding,
                       const std::vector<SceneMaterial>& built_for) {
  Scene before = scene;
  before.materials = built_for;
  if (Status s = adopt(engine, before, on, rounding, true); !s) return s;
  engine.scene = before;
  return before.materials == scene.materials ? Status() : adopt(engine, scene, on, rounding, false);
}

Status adopt_objects(Engine& engine, const Scene& scene, Look look) {
  if (Status s = engine.fetch_state(); !s) return s;
  Result<CompiledScene> made = compile_scene(scene, *engine.files, engine.pool);
  if (!made) return made.error();
  CompiledScene& compiled = *made;
  const std::vector<int32_t> place = new_places(engine, scene, compiled);

  State state = std::move(compiled.start);
  state.time = engine.time();
  state.step = engine.step();
  for (size_t s = 0; s < place.size(); ++s) {
    if (place[s] < 0) continue;
    const auto to = static_cast<size_t>(place[s]);
    state.x[to] = engine.state().x[s];
    state.v[to] = engine.state().v[s];
    state.fall[to] = engine.state().fall[s];
  }
  const std::vector<int32_t>&rows = engine.compiled.model.grid.slots, &new_rows = compiled.model.grid.slots;
  for (size_t r = 0; r < rows.size(); ++r) {
    const auto at = std::lower_bound(new_rows.begin(), new_rows.end(), place[static_cast<size_t>(rows[r])]);
    if (at != new_rows.end() && *at == place[static_cast<size_t>(rows[r])])
      state.affine[static_cast<size_t>(at - new_rows.begin())] = engine.state().affine[r];
  }

  std::vector<PinScript> pins = engine.method.stepper->pins();
  for (PinScript& pin : pins) {
    move_to(place, pin.slots, pin.start, pin.places);
    if (pin.slots.empty()) pin = removed_pin();
  }
  // The scene's loads as they were compiled, then the live ones in their order.
  std::vector<LoadScript> loads = compiled.loads;
  std::vector<LiveForce> forces = engine.live_forces;
  std::vector<LiveForce*> in_order;
  for (LiveForce& force : forces)
    if (force.load >= 0) in_order.push_back(&force);
  std::sort(in_order.begin(), in_order.end(), [](LiveForce* a, LiveForce* b) { return a->load < b->load; });
  for (LiveForce* force : in_order) {
    LoadScript script = engine.method.stepper->loads()[static_cast<size_t>(force->load)];
    auto& load = std::get<ForceLoad>(script.load);
    move_to(place, load.slots, load.forces, force->shares);
    force->load = load.slots.empty() ? -1 : static_cast<int32_t>(loads.size());
    if (force->load >= 0) loads.push_back(std::move(script));
  }
  std::vector<GrabScript> grabs = engine.method.stepper->grabs();
  for (GrabScript& grab : grabs) {
    const size_t before = grab.slots.size();
    move_to(place, grab.slots, grab.weights);
    if (grab.slots.size() < before) grab = {};
  }

  const std::vector<int32_t> kept = kept_colliders(engine, scene);
  const SurfaceMap map = surface_map(engine, compiled, place, kept);
  std::vector<ColliderScript> colliders = compiled.colliders;
  keep_motions(engine, kept, colliders);
  if (look == Look::at_what_is_new)
    if (Status s = check_added(engine, scene, compiled, state, colliders, map); !s) return s;

  std::vector<ObjectInfo> objects;
  std::vector<uint8_t> on;
  for (const ObjectPart& part : compiled.objects) {
    const auto old = std::find_if(engine.objects.begin(), engine.objects.end(),
                                  [&](const ObjectInfo& o) { return o.name == part.name; });
    on.push_back(old == engine.objects.end() || old->on);
    objects.push_back({part.name, part.first_vertex, part.last_vertex, on.back() != 0});
  }
  std::optional<Ties> all_ties;
  if (!scene.bindings.empty()) {
    Ties ties = acting(compiled.model.ties, compiled.model.order, objects, on);
    if (ties.count() < compiled.model.ties.count()) all_ties = std::exchange(compiled.model.ties, std::move(ties));
  }
  compiled.single_rounding = single_rounding(scene.time, compiled.model, loads, state, engine.pool);

  // Layouts point into the engine's model.
  std::swap(engine.compiled, compiled);
  Result<Method> method = make_method(scene.solver, scene.time, engine.compiled, engine.pool);
  if (!method) {
    std::swap(engine.compiled, compiled);
    return method.error();
  }
  method->stepper->colliders() = colliders;
  method->stepper->take_contacts_of(*engine.method.stepper, map, state);
  install(engine, std::move(*method), std::move(pins), std::move(loads), std::move(grabs), std::move(colliders), scene);
  engine.change_state() = std::move(state);
  engine.built_for = scene.materials;
  engine.stiffness_squares.clear();
  engine.live_forces = std::move(forces);
  engine.objects = std::move(objects);
  engine.all_ties = std::move(all_ties);
  engine.element_stress.reset();
  idle_objects_that_are_off(engine);
  return {};
}

}  // namespace sinew
