#include "memory_files.h"

#include <malloc.h>

#include <algorithm>

#include "io/mesh_format.h"
#include "io/suffix.h"
#include "io/tetgen.h"

namespace sinew::web {
namespace {

std::string plain(const std::filesystem::path& path) {
  return path.lexically_normal().generic_string();
}

}  // namespace

double memory_in_use() {
  return static_cast<uint32_t>(mallinfo().uordblks);
}

void MemoryFiles::add(std::map<std::string, std::string> files) {
  for (auto& [name, content] : files) files_[plain(name)] = std::move(content);
}

Result<const std::string*> MemoryFiles::find(const std::filesystem::path& path) const {
  if (const auto at = files_.find(plain(path)); at != files_.end()) return &at->second;
  std::string names;
  for (const auto& [name, content] : files_) names += (names.empty() ? "" : ", ") + name;
  return Error{path.string(), "is not among the files that were given" + (names.empty() ? "" : ": " + names),
               "give its bytes, files: { \"" + path.generic_string() + "\": bytes }"};
}

Result<std::string> MemoryFiles::bytes(const std::filesystem::path& path) const {
  const Result<const std::string*> content = find(path);
  if (!content) return content.error();
  return **content;
}

Result<TetMesh> MemoryFiles::tets(const std::filesystem::path& path, ThreadPool& pool, std::vector<MeshGroup>* groups,
                                  std::vector<std::string>* warnings) const {
  const auto take = [&](Result<MeshData> data) -> Result<TetMesh> {
    if (!data) return data.error();
    return take_tets(std::move(*data), path.string(), groups, warnings);
  };
  const TetgenPair pair = tetgen_pair(path);
  const bool is_pair = is_tetgen_suffix(suffix_of(path)) ||
                       (!holds(suffix_of(path), MeshKind::tets) && find(pair.node) && find(pair.ele));
  if (is_pair) {
    const Result<const std::string*> node = find(pair.node), ele = find(pair.ele);
    if (!node) return node.error();
    if (!ele) return ele.error();
    return take(parse_tetgen(**node, pair.node.string(), **ele, pair.ele.string(), pool));
  }
  const Result<const std::string*> content = find(path);
  if (!content) return content.error();
  return take(parse_mesh(**content, path, MeshKind::tets, pool));
}

Result<SurfaceMesh> MemoryFiles::surface(const std::filesystem::path& path, ThreadPool& pool,
                                         std::vector<MeshGroup>* groups, std::vector<int32_t>* regions) const {
  const Result<const std::string*> content = find(path);
  if (!content) return content.error();
  Result<MeshData> data = parse_mesh(**content, path, MeshKind::surface, pool);
  if (!data) return data.error();
  // In a plane body the triangles have the regions.
  for (MeshGroup& group : data->groups) group.is_region = group.dimension == 2 && group.elements > 0;
  if (groups) *groups = std::move(data->groups);
  if (regions) *regions = std::move(data->triangle_regions);
  return take_surface(std::move(*data), path.string());
}

Result<TetMesh> MemoryFiles::tetgen(const SurfaceMesh&, double, const std::atomic<bool>*) const {
  return Error{"mesher", "= \"tetgen\": a page cannot start programs", "use the mesher \"stuffing\""};
}

std::optional<int64_t> MemoryFiles::available_memory() const {
  return static_cast<int64_t>(std::max(0.0, most_ - memory_in_use()));
}

}  // namespace sinew::web
