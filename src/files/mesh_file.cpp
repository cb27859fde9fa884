#include "files/mesh_file.h"

#include <new>
#include <stdexcept>

#include "base/assert.h"
#include "files/atomic_file.h"
#include "files/read_file.h"
#include "io/mesh_format.h"
#include "io/obj.h"
#include "io/ply.h"
#include "io/suffix.h"
#include "io/tetgen.h"

namespace sinew {

namespace fs = std::filesystem;

namespace {

// The file itself, or where there is none the one whose suffix is only spelled otherwise: "C2.ELE" for "C2.ele".
fs::path as_spelled(const fs::path& path) {
  std::error_code ignored;
  if (fs::exists(path, ignored)) return path;
  const fs::path folder = path.parent_path().empty() ? "." : path.parent_path();
  for (fs::directory_iterator at(folder, ignored), end; !ignored && at != end; at.increment(ignored)) {
    const fs::path other = at->path().filename();
    if (other.stem() == path.stem() && suffix_of(other) == suffix_of(path)) return path.parent_path() / other;
  }
  return path;
}

TetgenPair tetgen_files(const fs::path& path) {
  const TetgenPair pair = tetgen_pair(path);
  return {as_spelled(pair.node), as_spelled(pair.ele)};
}

Result<MeshData> read_tetgen(const fs::path& path, ThreadPool& pool) {
  const TetgenPair pair = tetgen_files(path);
  const Result<std::string> node = read_file(pair.node);
  if (!node) return node.error();
  const Result<std::string> ele = read_file(pair.ele);
  if (!ele) return ele.error();
  return parse_tetgen(*node, pair.node.string(), *ele, pair.ele.string(), pool);
}

// TetGen users refer to a mesh by the common name of its files.
bool names_tetgen_pair(const fs::path& path) {
  std::error_code ignored;
  if (fs::is_regular_file(path, ignored)) return false;
  const TetgenPair pair = tetgen_files(path);
  return fs::exists(pair.node, ignored) || fs::exists(pair.ele, ignored);
}

Result<MeshData> read(const fs::path& path, MeshKind kind, ThreadPool& pool) {
  if (is_tetgen_suffix(suffix_of(path)) && kind == MeshKind::tets) return read_tetgen(path, pool);
  const Result<std::string> bytes = read_file(path);
  if (!bytes) return bytes.error();
  return parse_mesh(*bytes, path, kind, pool);
}

std::vector<fs::path> tet_outputs(const fs::path& path) {
  if (tet_encoder(suffix_of(path)) != encode_tetgen_node) return {path};
  const TetgenPair pair = tetgen_pair(path);
  return {pair.node, pair.ele};
}
Error no_tet_output(const fs::path& path) {
  const std::string suffix = suffix_of(path);
  return {path.string(),
          "cannot be written as a tetrahedral mesh: " +
              (suffix.empty() ? "it has no suffix" : "the suffix is " + in_quotes(suffix)),
          "use one of .node .ele .mesh .msh .vtk .vtu"};
}

// A well-formed file may still exceed the memory.
template <class Read>
auto within_memory(const fs::path& path, Read read) -> decltype(read()) {
  try {
    return read();
  } catch (const std::bad_alloc&) {
    return Error{path.string(), "does not fit in memory", "use a smaller mesh or a larger machine"};
  }
}

}  // namespace

Result<TetMesh> read_tet_mesh(const fs::path& path, ThreadPool& pool, std::vector<MeshGroup>* groups,
                              std::vector<std::string>* warnings, TetEdges edges) {
  return within_memory(path, [&]() -> Result<TetMesh> {
    const bool pair = !holds(suffix_of(path), MeshKind::tets) && names_tetgen_pair(path);
    Result<MeshData> data = pair ? read_tetgen(path, pool) : read(path, MeshKind::tets, pool);
    if (!data) return data.error();
    return take_tets(std::move(*data), path.string(), groups, warnings, edges);
  });
}

Result<SurfaceMesh> read_surface(const fs::path& path, ThreadPool& pool, std::vector<MeshGroup>* groups,
                                 std::vector<int32_t>* regions) {
  return within_memory(path, [&]() -> Result<SurfaceMesh> {
    Result<MeshData> data = read(path, MeshKind::surface, pool);
    if (!data) return data.error();
    // In a plane body the triangles have the regions.
    for (MeshGroup& group : data->groups) group.is_region = group.dimension == 2 && group.elements > 0;
    if (groups) *groups = std::move(data->groups);
    if (regions) *regions = std::move(data->triangle_regions);
    return take_surface(std::move(*data), path.string());
  });
}

Status check_tet_mesh_output(const fs::path& path) {
  if (!tet_encoder(suffix_of(path))) return no_tet_output(path);
  // The named file may be replaced; its companion only together with it.
  std::error_code none;
  for (const fs::path& file : tet_outputs(path))
    if (fs::is_regular_file(file, none) && !fs::exists(path, none))
      return Error{file.string(), "is there without " + path.filename().string() + ", and would be replaced",
                   "move it away, or name another file with -o"};
  for (const fs::path& file : tet_outputs(path)) {
    remove_abandoned_files(file);
    if (const Result<AtomicFile> made = AtomicFile::create(file); !made) return made.error();
  }
  return {};
}

Result<AnyMesh> read_any_mesh(const fs::path& path, ThreadPool& pool, std::vector<MeshGroup>* groups,
                              std::vector<std::string>* warnings, TetEdges edges) {
  AnyMesh mesh;
  Result<TetMesh> tets = read_tet_mesh(path, pool, groups, warnings, edges);
  if (tets) {
    mesh.tets = std::move(*tets);
    return mesh;
  }
  Result<SurfaceMesh> surface = read_surface(path, pool, groups);
  if (surface) {
    mesh.surface = std::move(*surface);
    return mesh;
  }
  const auto of_suffix = [](const Error& e) { return e.what.find("suffix") != std::string::npos; };
  Error fault = of_suffix(tets.error()) && !of_suffix(surface.error()) ? surface.error() : tets.error();
  // If neither knows the suffix, both list those they know.
  if (!is_mesh_name(path) && of_suffix(fault)) fault.remedy += "; " + surface.error().remedy;
  return fault;
}

Status write_tet_mesh(const fs::path& path, const TetMesh& mesh) {
  SINEW_ASSERT(mesh.middles.empty());  // no format here writes them
  const TetEncoder encode = tet_encoder(suffix_of(path));
  if (!encode) return no_tet_output(path);
  // Both files of a pair or none.
  std::vector<AtomicFile> files;
  for (const fs::path& target : tet_outputs(path)) {
    Result<AtomicFile> file = AtomicFile::create(target);
    if (!file) return file.error();
    files.push_back(std::move(*file));
  }
  for (size_t k = 0; k < files.size(); ++k)
    if (Status status = files[k].write(k == 0 ? encode(mesh) : encode_tetgen_ele(mesh)); !status) return status;
  for (AtomicFile& file : files)
    if (Status status = file.commit(); !status) return status;
  return {};
}

Status write_surface(const fs::path& path, const SurfaceMesh& mesh) {
  const std::string suffix = suffix_of(path);
  if (suffix == ".obj") return write_file_atomically(path, encode_obj(mesh));
  if (suffix == ".ply") return write_file_atomically(path, encode_ply(mesh));
  return Error{path.string(), "cannot be written as a surface: the suffix is " + in_quotes(suffix),
               "use one of .obj .ply"};
}

}  // namespace sinew
