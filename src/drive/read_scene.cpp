#include "files/read_file.h"
#include "sinew/scene_file.h"

namespace sinew {

Result<Scene> read_scene(const std::filesystem::path& path, std::span<const std::string> overrides) {
  Result<std::string> text = read_file(path);
  if (!text) return text.error();
  return parse_scene(*text, path.string(), path.parent_path().string(), overrides);
}

}  // namespace sinew
