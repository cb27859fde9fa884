// The files that a page hands over, by the names that scenes use.
#pragma once

#include <map>
#include <string>

#include "compile/scene_files.h"

namespace sinew::web {

class MemoryFiles final : public SceneFiles {
 public:
  // `most`: the bytes that the module's memory can grow to.
  explicit MemoryFiles(double most) : most_(most) {}

  void add(std::map<std::string, std::string> files);

  Result<std::string> bytes(const std::filesystem::path& path) const override;
  Result<TetMesh> tets(const std::filesystem::path& path, ThreadPool& pool, std::vector<MeshGroup>* groups,
                       std::vector<std::string>* warnings) const override;
  Result<SurfaceMesh> surface(const std::filesystem::path& path, ThreadPool& pool, std::vector<MeshGroup>* groups,
                              std::vector<int32_t>* regions) const override;
  Result<TetMesh> tetgen(const SurfaceMesh& surface, double largest_volume,
                         const std::atomic<bool>* interrupt) const override;
  std::optional<int64_t> available_memory() const override;

 private:
  Result<const std::string*> find(const std::filesystem::path& path) const;

  std::map<std::string, std::string> files_;
  double most_;
};

// [bytes] Of the memory's present use.
double memory_in_use();

}  // namespace sinew::web
