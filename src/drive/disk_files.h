// What scenes name, read from disk.
#pragma once

#include "compile/scene_files.h"

namespace sinew {

class DiskFiles final : public SceneFiles {
 public:
  Result<std::string> bytes(const std::filesystem::path& path) const override;
  Result<TetMesh> tets(const std::filesystem::path& path, ThreadPool& pool, std::vector<MeshGroup>* groups,
                       std::vector<std::string>* warnings) const override;
  Result<SurfaceMesh> surface(const std::filesystem::path& path, ThreadPool& pool, std::vector<MeshGroup>* groups,
                              std::vector<int32_t>* regions) const override;
  Result<TetMesh> tetgen(const SurfaceMesh& surface, double largest_volume,
                         const std::atomic<bool>* interrupt) const override;
  std::optional<int64_t> available_memory() const override;
};

}  // namespace sinew
