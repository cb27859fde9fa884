#include "compile/scene_files.h"

namespace sinew {
namespace {

Error no_file(const std::filesystem::path& path) {
  return {path.string(), "cannot be opened: files are not available here", "give the mesh in memory"};
}

}  // namespace

Result<std::string> SceneFiles::bytes(const std::filesystem::path& path) const {
  return no_file(path);
}
Result<TetMesh> SceneFiles::tets(const std::filesystem::path& path, ThreadPool&, std::vector<MeshGroup>*,
                                 std::vector<std::string>*) const {
  return no_file(path);
}
Result<SurfaceMesh> SceneFiles::surface(const std::filesystem::path& path, ThreadPool&, std::vector<MeshGroup>*,
                                        std::vector<int32_t>*) const {
  return no_file(path);
}
Result<TetMesh> SceneFiles::tetgen(const SurfaceMesh&, double, const std::atomic<bool>*) const {
  return Error{"mesher", "= \"tetgen\": programs cannot be started here", "use the mesher \"stuffing\""};
}

}  // namespace sinew
