#include "drive/disk_files.h"

#include "files/available_memory.h"
#include "files/mesh_file.h"
#include "files/read_file.h"
#include "files/tetgen_process.h"

namespace sinew {

Result<std::string> DiskFiles::bytes(const std::filesystem::path& path) const {
  return read_file(path);
}
Result<TetMesh> DiskFiles::tets(const std::filesystem::path& path, ThreadPool& pool, std::vector<MeshGroup>* groups,
                                std::vector<std::string>* warnings) const {
  return read_tet_mesh(path, pool, groups, warnings);
}
Result<SurfaceMesh> DiskFiles::surface(const std::filesystem::path& path, ThreadPool& pool,
                                       std::vector<MeshGroup>* groups, std::vector<int32_t>* regions) const {
  return read_surface(path, pool, groups, regions);
}
Result<TetMesh> DiskFiles::tetgen(const SurfaceMesh& surface, double largest_volume,
                                  const std::atomic<bool>* interrupt) const {
  TetgenOptions options;
  options.largest_volume = largest_volume;
  options.interrupt = interrupt;
  return run_tetgen(surface, options);
}
std::optional<int64_t> DiskFiles::available_memory() const {
  return sinew::available_memory();
}

}  // namespace sinew
