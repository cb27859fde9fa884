#include "engine/live_checkpoint.h"

#include <algorithm>
#include <utility>

#include "base/hash.h"
#include "grid/grid_coloring.h"
#include "io/envelope.h"
#include "sinew/scene_file.h"

namespace sinew {
namespace {

constexpr FileKind kind{"SINEWLIV", 5, "a checkpoint of a simulation"};
constexpr const char* where = "checkpoint";
constexpr const char* remedy = "use what checkpoint() returned";

uint64_t fingerprint(const Model& model) {
  Hash hash;
  hash.bytes(model.rest.data(), model.rest.size() * sizeof(Vec3d));
  hash.bytes(model.mass.data(), model.mass.size() * sizeof(double));
  hash.bytes(model.middles.data(), model.middles.size() * sizeof(Middles));
  return hash.bytes(model.tets.data(), model.tets.size() * sizeof(Tet)).value();
}

// One description of the layout for both directions: `each(member)` writes it or reads it.
template <class Each, class Live>
void visit_state(Each& each, Live& live) {
  each(live.state.x);
  each(live.state.v);
  each(live.state.fall);
  each(live.state.pressures);
  each(live.state.affine);
  each(live.state.grid_colors);
  each(live.state.time);
  each(live.state.step);
  each(live.clock.step);
  each(live.clock.frame);
  each(live.clock.time);
  each(live.on);
  each(live.single_rounding);
}
template <class Each, class Pin>
void visit_pin(Each& each, Pin& pin) {
  each(pin.slots);
  each(pin.start);
  each(pin.center);
  each(pin.axis);
  each(pin.smooth);
  each(pin.keys);
  each(pin.places);
  each(pin.fixed);
  each(pin.release);
}
template <class Each, class Force>
void visit_force(Each& each, Force& force) {
  each(force.load);
  each(force.shares);
  each(force.force);
}
template <class Each, class Grab>
void visit_grab(Each& each, Grab& grab) {
  each(grab.slots);
  each(grab.weights);
  each(grab.stiffness);
  each(grab.damping);
  each(grab.target);
  each(grab.velocity);
}
template <class Each, class Motion>
void visit_motion(Each& each, Motion& motion) {
  each(motion.center);
  each(motion.axis);
  each(motion.smooth);
  each(motion.keys);
  each(motion.departure);
}
template <class Each, class Curve>
void visit_curve(Each& each, Curve& factor) {
  each(factor.times);
  each(factor.values);
}
template <class Each, class Load>
void visit_load(Each& each, Load& load) {
  if constexpr (requires { load.forces; }) {
    each(load.slots);
    each(load.forces);
  } else if constexpr (requires { load.velocity; }) {
    each(load.faces);
    each(load.velocity);
    each(load.density);
    each(load.drag);
    each(load.lift);
    each(load.both_sides);
  } else {
    each(load.faces);
    each(load.pressure);
  }
}

struct CheckpointWriter {
  Packer packer;

  template <class T>
  void operator()(const T& value) {
    packer.put(value);
  }
  template <class T>
  void operator()(const std::vector<T>& list) {
    packer.put_text(bytes_of(list));
  }
};

struct CheckpointReader {
  Unpacker unpacker;
  bool whole = true;

  template <class T>
  void operator()(T& value) {
    whole = whole && unpacker.take(value);
  }
  void operator()(bool& value) {
    uint8_t byte = 0;
    (*this)(byte);
    whole = whole && byte <= 1;
    value = byte == 1;
  }
  template <class T>
  void operator()(std::vector<T>& list) {
    uint64_t bytes = 0;
    (*this)(bytes);
    whole = whole && bytes % sizeof(T) == 0 && unpacker.take_all(list, bytes / sizeof(T));
  }
  std::string text() {
    std::string text;
    whole = whole && unpacker.take_text(text);
    return text;
  }
  // A list of items that have lists of their own.
  template <class T, class Visit>
  void list(std::vector<T>& items, const Visit& visit) {
    uint64_t count = 0;
    (*this)(count);
    for (uint64_t k = 0; k < count && whole; ++k) visit(items.emplace_back());
  }
};

// Materials as text: a scene with a box of one of them. Empty if there are none.
std::string text_of(const std::vector<SceneMaterial>& materials) {
  if (materials.empty()) return {};
  Scene scene;
  scene.materials = materials;
  scene.objects.emplace_back();
  scene.objects[0].name = "box";
  scene.objects[0].mesh = MeshBox();
  scene.objects[0].material = materials[0].name;
  return resolved_json(scene);
}

// Each of the scene's colliders has a handle and a motion.
bool fit_colliders(const LiveState& live) {
  const auto named = [&](const SceneCollider& collider) {
    return std::count(live.colliders.begin(), live.colliders.end(), collider.name) == 1;
  };
  const auto handles = std::count_if(live.colliders.begin(), live.colliders.end(),
                                     [](const std::string& name) { return !name.empty(); });
  return live.motions.size() == live.scene.colliders.size() &&
         static_cast<size_t>(handles) == live.scene.colliders.size() &&
         std::all_of(live.scene.colliders.begin(), live.scene.colliders.end(), named);
}

// Do all slots exist, and all parallel lists have the same length?
bool fits(const LiveState& live, const Engine& engine) {
  const int32_t slots = engine.compiled.model.slot_count();
  const auto count = static_cast<size_t>(slots);
  const auto exists = [&](int32_t s) { return s >= 0 && s < slots; };
  const auto all_exist = [&](const auto& list) { return std::all_of(list.begin(), list.end(), exists); };
  if (live.state.x.size() != count || live.state.v.size() != count || live.state.fall.size() != count) return false;
  if (const size_t n = live.state.pressures.size(); n != 0 && n != engine.compiled.model.tets.size()) return false;
  if (live.state.affine.size() != engine.compiled.model.grid.slots.size()) return false;
  const std::vector<int32_t>& colors = live.state.grid_colors;
  if (colors.size() > engine.compiled.model.tets.size()) return false;
  if (std::any_of(colors.begin(), colors.end(), [&](int32_t c) { return c < 0 || c > most_grid_colors; })) return false;
  if (live.on.size() != engine.objects.size()) return false;
  for (const PinScript& pin : live.pins) {
    if (!all_exist(pin.slots) || pin.start.size() != pin.slots.size()) return false;
    if (!pin.places.empty() && pin.places.size() != pin.slots.size()) return false;
  }
  for (const LoadScript& script : live.loads) {
    const bool fits = std::visit(
        [&](const auto& load) {
          if constexpr (requires { load.forces; })
            return all_exist(load.slots) && load.forces.size() == load.slots.size();
          else
            return std::all_of(load.faces.begin(), load.faces.end(), all_exist);
        },
        script.load);
    if (!fits || script.factor.times.empty() || script.factor.times.size() != script.factor.values.size()) return false;
  }
  if (!fit_colliders(live)) return false;
  for (const GrabScript& grab : live.grabs)
    if (!all_exist(grab.slots) || grab.slots.size() > 3 || grab.weights.size() != grab.slots.size()) return false;
  return std::all_of(live.forces.begin(), live.forces.end(), [&](const LiveForce& force) {
    if (force.load < 0) return true;
    if (static_cast<size_t>(force.load) >= live.loads.size()) return false;
    const auto* load = std::get_if<ForceLoad>(&live.loads[static_cast<size_t>(force.load)].load);
    return load && load->slots.size() == force.shares.size();
  });
}

}  // namespace

LiveCheckpoint checkpoint_of(const Engine& engine) {
  return {live_state(engine), fingerprint(engine.compiled.model), engine.snapshots, engine.keeps_changes,
          engine.keeps_changes ? log_text(engine.log, engine.step()) : ""};
}

std::string encode(const LiveCheckpoint& checkpoint) {
  const LiveState& live = checkpoint.live;
  CheckpointWriter writer;
  writer.packer.put_text(resolved_json(live.scene))
      .put_text(text_of(live.built_for))
      .put_text(live.scene.source)
      .put_text(live.scene.base_folder);
  writer.packer.put(checkpoint.model).put(checkpoint.snapshots).put(checkpoint.keeps_changes).put_text(checkpoint.log);
  writer.packer.put_text(live.contacts);
  visit_state(writer, live);
  writer.packer.put<uint64_t>(live.pins.size());
  for (const PinScript& pin : live.pins) visit_pin(writer, pin);
  writer.packer.put<uint64_t>(live.loads.size());
  for (const LoadScript& script : live.loads) {
    writer.packer.put(static_cast<uint32_t>(script.load.index()));
    std::visit([&](const auto& load) { visit_load(writer, load); }, script.load);
    visit_curve(writer, script.factor);
  }
  writer.packer.put<uint64_t>(live.forces.size());
  for (const LiveForce& force : live.forces) visit_force(writer, force);
  writer.packer.put<uint64_t>(live.grabs.size());
  for (const GrabScript& grab : live.grabs) visit_grab(writer, grab);
  writer.packer.put<uint64_t>(live.colliders.size());
  for (const std::string& name : live.colliders) writer.packer.put_text(name);
  writer.packer.put<uint64_t>(live.motions.size());
  for (const ColliderMotion& motion : live.motions) visit_motion(writer, motion);
  const std::string payload = writer.packer.take();
  const std::string_view parts[] = {payload};
  return envelope_head(kind, parts) + payload;
}

Result<LiveCheckpoint> decode_live_checkpoint(std::string_view bytes) {
  const Result<std::string_view> payload = open_envelope(bytes, kind, where, remedy);
  if (!payload) return payload.error();
  CheckpointReader reader{Unpacker(*payload)};
  LiveCheckpoint checkpoint;
  LiveState& live = checkpoint.live;
  const std::string scene = reader.text(), built_for = reader.text(), source = reader.text(), folder = reader.text();
  reader(checkpoint.model);
  reader(checkpoint.snapshots);
  reader(checkpoint.keeps_changes);
  checkpoint.log = reader.text();
  live.contacts = reader.text();
  visit_state(reader, live);
  reader.list(live.pins, [&](PinScript& pin) { visit_pin(reader, pin); });
  reader.list(live.loads, [&](LoadScript& script) {
    uint32_t index = 0;
    reader(index);
    if (index == 1) script.load = PressureLoad();
    if (index == 2) script.load = WindLoad();
    reader.whole = reader.whole && index < std::variant_size_v<decltype(script.load)>;
    std::visit([&](auto& load) { visit_load(reader, load); }, script.load);
    visit_curve(reader, script.factor);
  });
  reader.list(live.forces, [&](LiveForce& force) { visit_force(reader, force); });
  reader.list(live.grabs, [&](GrabScript& grab) { visit_grab(reader, grab); });
  reader.list(live.colliders, [&](std::string& name) { name = reader.text(); });
  reader.list(live.motions, [&](ColliderMotion& motion) { visit_motion(reader, motion); });
  if (!reader.whole || !reader.unpacker.at_end())
    return Error{where, "is damaged: its content is not that of a checkpoint", remedy};
  Result<Scene> read = parse_scene(scene, source, folder);
  if (!read) return read.error();
  live.scene = std::move(*read);
  if (!built_for.empty()) {
    const Result<Scene> materials = parse_scene(built_for, source, folder);
    if (!materials) return materials.error();
    live.built_for = materials->materials;
  }
  return checkpoint;
}

Status go_on(Engine& engine, const LiveCheckpoint& checkpoint) {
  if (fingerprint(engine.compiled.model) != checkpoint.model)
    return Error{where, "has other meshes than its scene now makes", "put the files back that the scene names"};
  if (!fits(checkpoint.live, engine))
    return Error{where, "is damaged: its content is not that of a checkpoint", remedy};
  if (checkpoint.keeps_changes) {
    Result<ReadLog> read = read_log(checkpoint.log);
    if (!read) return read.error();
    engine.log = std::move(read->log);
  }
  engine.keeps_changes = checkpoint.keeps_changes;
  engine.snapshots = checkpoint.snapshots;
  return restore(engine, checkpoint.live);
}

}  // namespace sinew
