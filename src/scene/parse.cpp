#include "sinew/scene_file.h"

#include <algorithm>

#include "io/mesh_format.h"
#include "scene/check.h"
#include "scene/json.h"
#include "scene/overrides.h"
#include "scene/reader.h"
#include "scene/run_format.h"

namespace sinew {

namespace {

// Whether a syntax error should be shown: text with another beginning was not meant to be a scene.
bool is_json_at_all(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  const size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && std::string_view("{[/").find(text[first]) != std::string_view::npos;
}

// The scene in the record of a run; null if the document is no such record.
const Json* scene_of_run(const Json& document) {
  if (!document.is_object()) return nullptr;
  const Json* format = document.find("format");
  return format && format->text == run_file_format ? document.find("scene") : nullptr;
}

// Says what such a file probably is, and what to do with it.
Error not_a_scene(std::string_view text, const std::string& name) {
  const std::string remedy = "a scene looks like { \"sinew\": 1, \"materials\": {...}, \"objects\": {...} }";
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) return {name, "is empty", remedy};
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff"))
    return {name, "is text in UTF-16", "save it as UTF-8"};
  if (is_mesh_name(name))
    return {name, "is a mesh, not a scene",
            "name it in a scene: \"mesh\": { \"file\": ... }; `sinew info` describes it"};
  const bool binary = std::any_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\r' && c != '\n' && c != '\f';
  });
  return {name, binary ? "is no scene but a binary file" : "is no scene: it does not begin with {", remedy};
}

}  // namespace

Result<Scene> parse_scene(std::string_view text, const std::string& name, const std::string& base_folder,
                          std::span<const std::string> overrides) {
  Result<Json> document = parse_json(text, name);
  if (!document) return is_json_at_all(text) ? document.error() : not_a_scene(text, name);
  std::string folder = base_folder;
  if (const Json* scene = scene_of_run(*document)) {
    if (const Json* where = document->find("scene_folder")) folder = where->text;
    document = Json(*scene);
  }
  Faults faults;
  if (document->is_object()) {
    Result<std::vector<std::string>> paths = apply_overrides(*document, overrides);
    if (!paths) return paths.error();
    faults.set_overridden(std::move(*paths));
  }

  Scene scene = scene_from_json(*document, faults);
  scene.source = name;
  scene.base_folder = folder;
  if (scene.name.empty()) scene.name = std::filesystem::path(name).stem().string();
  if (document->is_object()) check_meaning(scene, faults);
  if (!faults.empty()) return faults.error(name);
  return scene;
}

}  // namespace sinew
