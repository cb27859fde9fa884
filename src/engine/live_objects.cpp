// Objects that are switched, added and removed while a simulation runs.
#include <algorithm>

#include "base/format.h"
#include "base/nearest.h"
#include "engine/adopt.h"
#include "engine/adopt_contact.h"
#include "engine/live.h"
#include "scene/json.h"
#include "scene/writer.h"
#include "sinew/scene_file.h"

namespace sinew {
namespace {

Result<size_t> object_named(const Engine& engine, std::string_view name) {
  std::vector<std::string_view> names;
  for (size_t k = 0; k < engine.objects.size(); ++k) {
    if (engine.objects[k].name == name) return k;
    names.push_back(engine.objects[k].name);
  }
  return Error{"object", joined({"\"", std::string(name), "\": there is no such object"}), did_you_mean(name, names)};
}

}  // namespace

Status switch_object(Engine& engine, std::string_view name, bool on) {
  const Result<size_t> found = object_named(engine, name);
  if (!found) return found.error();
  ObjectInfo& object = engine.objects[*found];
  if (object.on == on) return {};
  if (engine.scene.bindings.empty()) {
    object.on = on;
    idle_objects_that_are_off(engine);
  } else {
    std::vector<uint8_t> wanted = switches(engine);
    wanted[*found] = on;
    if (Status s = adopt_parameters(engine, engine.scene, wanted, engine.compiled.single_rounding); !s) return s;
  }
  for (int32_t v = object.first_vertex; v < object.last_vertex && !on; ++v)
    engine.change_state().v[static_cast<size_t>(engine.compiled.model.order.slot(UserVertex{v}))] = {};
  return {};
}

Status add_object(Engine& engine, const SceneObject& object) {
  for (const ObjectInfo& other : engine.objects)
    if (other.name == object.name)
      return Error{"object", joined({"\"", object.name, "\": there is one of this name"}), "give it another one"};
  Scene next = engine.scene;
  next.objects.push_back(object);
  if (Status s = adopt_objects(engine, next, Look::at_what_is_new); !s) return s;
  engine.scene = std::move(next);
  return {};
}

Result<SceneObject> object_from_json(const Engine& engine, std::string_view name, std::string_view json) {
  Result<Json> object = parse_json(json, joined({"objects.", std::string(name)}));
  if (!object) return object.error();
  Scene around;
  around.materials = engine.scene.materials;
  Json document = json_from_scene(around);
  document.find("objects")->add(name, std::move(*object));
  Result<Scene> read = parse_scene(write_json(document), engine.scene.source, engine.scene.base_folder);
  if (!read) return read.error();
  return std::move(read->objects.back());
}

std::string json_of_object(const SceneObject& object) {
  Scene around;
  around.objects.push_back(object);
  return write_json(json_from_scene(around).find("objects")->items.back());
}

Status remove_object(Engine& engine, std::string_view name) {
  const Result<size_t> found = object_named(engine, name);
  if (!found) return found.error();
  if (engine.objects.size() == 1)
    return Error{"object", joined({"\"", std::string(name), "\": is the only one"}), "switch it off"};
  Scene next = engine.scene;
  next.objects.erase(next.objects.begin() + static_cast<std::ptrdiff_t>(*found));
  const auto is_of_it = [&](const auto& part) { return part.object == name; };
  std::erase_if(next.pins, is_of_it);
  std::erase_if(next.loads, is_of_it);
  std::erase_if(next.probes, is_of_it);
  std::erase_if(next.bindings, [&](const SceneBinding& b) { return is_of_it(b.bind) || is_of_it(b.to); });
  drop_pairs_of(next, name);
  if (Status s = adopt_objects(engine, next, Look::away); !s) return s;
  engine.scene = std::move(next);
  return {};
}

}  // namespace sinew
