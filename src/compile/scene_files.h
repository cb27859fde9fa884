// What compiling a scene needs from outside: the content of the files it names, and the limits of the machine. The
// compiler opens no file itself, so that it also works in a browser; drive/disk_files.h reads from disk.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "exec/thread_pool.h"
#include "mesh/mesh_group.h"
#include "mesh/tet_mesh.h"

namespace sinew {

// The default has no files, no memory limit and no TetGen.
class SceneFiles {
 public:
  virtual ~SceneFiles() = default;

  virtual Result<std::string> bytes(const std::filesystem::path& path) const;
  // As read_tet_mesh and read_surface in files/mesh_file.h.
  virtual Result<TetMesh> tets(const std::filesystem::path& path, ThreadPool& pool, std::vector<MeshGroup>* groups,
                               std::vector<std::string>* warnings = nullptr) const;
  virtual Result<SurfaceMesh> surface(const std::filesystem::path& path, ThreadPool& pool,
                                      std::vector<MeshGroup>* groups = nullptr,
                                      std::vector<int32_t>* regions = nullptr) const;
  // Fills a closed surface by TetGen with tets of at most `largest_volume` [m^3]; `interrupt`, if not null, stops it.
  virtual Result<TetMesh> tetgen(const SurfaceMesh& surface, double largest_volume,
                                 const std::atomic<bool>* interrupt) const;
  // [bytes]; none: unknown.
  virtual std::optional<int64_t> available_memory() const { return {}; }
};

// The files that one scene names.
struct SceneFolder {
  const SceneFiles& files;
  const std::string& base;  // relative paths are relative to this folder

  std::filesystem::path at(const std::string& name) const {
    const std::filesystem::path path(name);
    return path.is_absolute() || base.empty() ? path : std::filesystem::path(base) / path;
  }
};

}  // namespace sinew
