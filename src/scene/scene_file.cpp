#include "sinew/scene_file.h"

#include "io/read_file.h"
#include "scene/check.h"
#include "scene/json.h"
#include "scene/overrides.h"
#include "scene/reader.h"

namespace sinew {

Result<Scene> parse_scene(std::string_view text, const std::string& name, const std::string& base_folder,
                          std::span<const std::string> overrides) {
  Result<Json> document = parse_json(text, name);
  if (!document) return document.error();
  Faults faults;
  if (document->is_object()) {
    Result<std::vector<std::string>> paths = apply_overrides(*document, overrides);
    if (!paths) return paths.error();
    faults.set_overridden(std::move(*paths));
  }

  Scene scene = scene_from_json(*document, faults);
  scene.source = name;
  scene.base_folder = base_folder;
  if (scene.name.empty()) scene.name = std::filesystem::path(name).stem().string();
  check_meaning(scene, faults);
  if (!faults.empty()) return faults.error(name);
  return scene;
}

Result<Scene> read_scene(const std::filesystem::path& path, std::span<const std::string> overrides) {
  Result<std::string> text = read_file(path);
  if (!text) return text.error();
  return parse_scene(*text, path.string(), path.parent_path().string(), overrides);
}

}  // namespace sinew
