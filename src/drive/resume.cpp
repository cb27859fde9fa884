#include "drive/resume.h"

#include <algorithm>

#include "base/hash.h"
#include "base/nearest.h"
#include "contact/contacts.h"
#include "drive/recording.h"
#include "scene/json.h"
#include "scene/writer.h"
#include "sinew/scene_file.h"

namespace sinew {

namespace {

bool same(const Json& a, const Json& b) {
  if (a.type != b.type || a.boolean != b.boolean || a.number != b.number || a.text != b.text || a.keys != b.keys)
    return false;
  return std::equal(a.items.begin(), a.items.end(), b.items.begin(), b.items.end(), same);
}

// The settings that trajectory_hash leaves out.
bool is_free(const std::string& path) {
  const auto under = [&](std::string_view root) { return path.starts_with(root); };
  return path == "name" || path == "up" || path == "time.duration" || under("render.") || under("output.") ||
         path == "solver.device" || ((under("objects.") || under("colliders.")) && path.ends_with(".color"));
}

struct Difference {
  std::string path, text;
};

// Down to the lowest keys; lists of numbers and words, and lists that have grown or shrunk, as a whole.
void compare(const Json& before, const Json& now, const std::string& path, std::vector<Difference>& changes) {
  if (before.is_object() && now.is_object()) {
    const auto below = [&](const std::string& key) { return path.empty() ? key : path + "." + key; };
    for (size_t k = 0; k < now.keys.size(); ++k) {
      const Json* old = before.find(now.keys[k]);
      compare(old ? *old : Json(), now.items[k], below(now.keys[k]), changes);
    }
    for (size_t k = 0; k < before.keys.size(); ++k)
      if (!now.find(before.keys[k])) compare(before.items[k], Json(), below(before.keys[k]), changes);
  } else if (before.is_array() && now.is_array() && before.items.size() == now.items.size() && !now.items.empty() &&
             now.items[0].is_object()) {
    for (size_t k = 0; k < now.items.size(); ++k)
      compare(before.items[k], now.items[k], path + "." + std::to_string(k), changes);
  } else if (!same(before, now)) {
    const auto shown = [](const Json& json) {
      return json.type == Json::Type::null ? std::string("nothing") : brief_json(json);
    };
    changes.push_back({path, joined({path, " = ", shown(now), " (the run had ", shown(before), ")"})});
  }
}

}  // namespace

uint64_t trajectory_hash(const Scene& scene, const CompiledScene& compiled) {
  Scene moving = scene;
  moving.name.clear();
  moving.up = Scene{}.up;
  moving.time.duration = TimeSettings{}.duration;
  moving.output = {};
  moving.render = {};
  std::erase_if(moving.solver.options, [](const OptionValue& option) { return option.name == "device"; });
  for (SceneObject& object : moving.objects) object.color.reset();
  for (SceneCollider& collider : moving.colliders) collider.color.reset();
  Hash hash;
  hash.text(resolved_json(moving));
  // The order of the slots hangs on the device.
  const auto take_slots = [&](const auto& slots) {
    std::vector<UserVertex> vertices;
    for (const auto slot : slots) vertices.push_back(compiled.model.order.vertex(Slot{static_cast<int32_t>(slot)}));
    hash.bytes(vertices.data(), vertices.size() * sizeof(vertices[0]));
  };
  for (const PinScript& pin : compiled.pins) take_slots(pin.slots);
  const auto take = [&](const auto& list) { hash.bytes(list.data(), list.size() * sizeof(list[0])); };
  for (const LoadScript& script : compiled.loads) {
    if (const auto* given = std::get_if<ForceLoad>(&script.load)) {
      take_slots(given->slots);
      take(given->forces);
    }
    if (const auto* pressure = std::get_if<PressureLoad>(&script.load)) take(pressure->faces);
    if (const auto* wind = std::get_if<WindLoad>(&script.load)) take(wind->faces);
  }
  for (const ElasticBlock& block : compiled.model.blocks) {
    for (const double number : {block.material.lame.mu, block.material.lame.lambda}) hash.bytes(&number, sizeof number);
  }
  const std::vector<double>& factor = compiled.model.stiffness_factor;
  hash.bytes(factor.data(), factor.size() * sizeof(double));
  // Of colliders too, what files say and meshers make.
  take(compiled.shown_surface().rest);
  take(compiled.shown_surface().triangles);
  // What files say of fibres is in their weights.
  const Ties& ties = compiled.model.ties;
  if (!compiled.model.muscles.empty()) hash.bytes(ties.weights.data(), ties.weights.size() * sizeof(double));
  const std::vector<Vec3d>& force = compiled.model.extra_force;
  return hash.bytes(force.data(), force.size() * sizeof(Vec3d)).value();
}

Result<std::vector<std::string>> changes_since(const std::string& recorded, const Scene& scene,
                                               const std::string& folder) {
  const Result<Json> before = parse_json(recorded, folder + "/run.json");
  if (!before) return before.error();
  std::vector<Difference> changes;
  compare(*before, json_from_scene(scene), "", changes);

  std::vector<std::string> free;
  std::string bound;
  for (const Difference& change : changes) {
    if (change.path == "output.every")
      return Error{folder, joined({"cannot go on with ", change.text, ": the frames of a run are evenly spaced"}),
                   "resume with the output.every of the run, or give a new output folder with -o"};
    if (is_free(change.path))
      free.push_back(change.text);
    else
      bound += (bound.empty() ? "" : ", ") + change.text;
  }
  if (!bound.empty())
    return Error{
        folder, "cannot go on with another scene: " + bound,
        joined({"resume with the scene of the run, `sinew run ", shell_path(folder + "/run.json"), " -o ",
                shell_path(folder), " --resume`, start over with --overwrite, or give a new output folder with -o"})};
  return free;
}

Result<Checkpoint> checkpoint_of_other_device(const std::filesystem::path& path, const Scene& scene,
                                              const CompiledScene& compiled, const SceneFiles& files,
                                              ThreadPool& pool) {
  Scene there = scene;
  if (is_on_device(scene.solver))
    std::erase_if(there.solver.options, [](const OptionValue& option) { return option.name == "device"; });
  else
    there.solver.options.set("device", std::string("emulated"));
  Result<CompiledScene> other = compile_scene(there, files, pool);
  if (!other) return other.error();
  const CheckpointIdentity identity = identity_of(describe_run(there, *other, pool));
  Result<Checkpoint> checkpoint = load_checkpoint(path, identity);
  if (!checkpoint) return checkpoint;
  // What devices do not have is in an order of its own.
  const State& state = checkpoint->state;
  if (!Contacts::is_rest_alone(checkpoint->contacts) || !state.affine.empty() || !state.grid_colors.empty())
    return Error{path.string(), "has contacts or a grid, which cannot go on on another device", ""};
  checkpoint->contacts.clear();
  checkpoint->state = reordered(state, other->model, compiled.model);
  return checkpoint;
}

}  // namespace sinew
