#include "io/mesh_file.h"

#include <array>
#include <new>
#include <span>
#include <stdexcept>

#include "io/atomic_file.h"
#include "io/gmsh.h"
#include "io/medit.h"
#include "io/obj.h"
#include "io/off.h"
#include "io/ply.h"
#include "io/read_file.h"
#include "io/stl.h"
#include "io/suffix.h"
#include "io/tetgen.h"
#include "io/vertex_tet_lines.h"
#include "io/vtk_legacy.h"
#include "io/vtu.h"

namespace sinew {

namespace fs = std::filesystem;

namespace {

using Parser = Result<MeshData> (*)(std::string_view bytes, std::string_view name, ThreadPool& pool);

// Adapts a single-threaded parser.
template <Result<MeshData> (*parse)(std::string_view, std::string_view)>
Result<MeshData> alone(std::string_view bytes, std::string_view name, ThreadPool&) {
  return parse(bytes, name);
}

struct Format {
  std::string_view suffix;
  Parser parse;  // null for TetGen, which reads two files
};

constexpr Format kTetFormats[] = {{".node", nullptr},
                                  {".ele", nullptr},
                                  {".mesh", parse_medit},
                                  {".msh", parse_gmsh},
                                  {".vtk", parse_vtk_legacy},
                                  {".vtu", alone<parse_vtu>},
                                  {".t", alone<parse_vertex_tet_lines>}};
constexpr Format kSurfaceFormats[] = {
    {".obj", alone<parse_obj>}, {".ply", alone<parse_ply>}, {".stl", alone<parse_stl>}, {".off", alone<parse_off>},
    {".mesh", parse_medit},     {".msh", parse_gmsh},       {".vtk", parse_vtk_legacy}, {".vtu", alone<parse_vtu>}};

const Format* format_of(std::string_view suffix, std::span<const Format> formats) {
  for (const Format& format : formats)
    if (format.suffix == suffix) return &format;
  return nullptr;
}

// Programs disagree on these four suffixes, but each format identifies itself in its first word.
Parser sniff(std::string_view bytes, Parser by_suffix) {
  if (by_suffix != parse_medit && by_suffix != parse_gmsh && by_suffix != parse_vtk_legacy &&
      by_suffix != alone<parse_vtu>)
    return by_suffix;
  const size_t start = bytes.find_first_not_of(" \t\r\n");
  if (start == std::string_view::npos) return by_suffix;
  const std::string_view text = bytes.substr(start);
  if (text.starts_with("MeshVersionFormatted")) return parse_medit;
  if (text.starts_with("$MeshFormat")) return parse_gmsh;
  if (text.starts_with("# vtk DataFile")) return parse_vtk_legacy;
  if (text.starts_with("<?xml") || text.starts_with("<VTKFile")) return alone<parse_vtu>;
  return by_suffix;
}

std::string list(std::span<const Format> formats) {
  std::string text;
  for (const Format& format : formats) {
    if (!text.empty()) text += ' ';
    text += format.suffix;
  }
  return text;
}

// The error for a suffix that is not in `formats`; `others` are those of the other kind of mesh.
Error unknown_suffix(const fs::path& path, const std::string& suffix, const char* kind, std::span<const Format> formats,
                     std::span<const Format> others) {
  std::string remedy = std::string(kind) + " have one of " + list(formats);
  if (suffix.empty()) return {path.string(), "has no suffix that tells its format", remedy};
  const std::string what = "has the suffix " + in_quotes(suffix);
  if (format_of(suffix, others)) return {path.string(), what + ", which does not hold " + kind, remedy};
  std::vector<std::string_view> known;
  for (const Format& format : formats) known.push_back(format.suffix);
  if (const std::string_view nearest = nearest_suffix(suffix, known); !nearest.empty())
    remedy += "; did you mean " + std::string(nearest) + "?";
  return {path.string(), what + ", which is not known", remedy};
}

// The file itself, or if missing, the one whose suffix differs only in case: "C2.ELE" for "C2.ele".
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

Result<MeshData> read(const fs::path& path, const char* kind, std::span<const Format> formats,
                      std::span<const Format> others, ThreadPool& pool) {
  const std::string suffix = suffix_of(path);
  const Format* format = format_of(suffix, formats);
  if (!format) {
    // A missing file or a folder is reported before an unknown suffix.
    if (const Result<std::string> bytes = read_file(path); !bytes) return bytes.error();
    return unknown_suffix(path, suffix, kind, formats, others);
  }
  if (!format->parse) return read_tetgen(path, pool);
  const Result<std::string> bytes = read_file(path);
  if (!bytes) return bytes.error();
  return sniff(*bytes, format->parse)(*bytes, path.string(), pool);
}

using TetEncoder = std::string (*)(const TetMesh&);
// Null: not a format for writing tets. For TetGen's pair, the encoder of the first file.
TetEncoder tet_encoder(std::string_view suffix) {
  if (suffix == ".mesh") return encode_medit;
  if (suffix == ".msh") return encode_gmsh;
  if (suffix == ".vtk") return encode_vtk_legacy;
  if (suffix == ".vtu") return encode_vtu;
  if (suffix == ".node" || suffix == ".ele") return encode_tetgen_node;
  return nullptr;
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

bool is_mesh_name(const fs::path& path) {
  const std::string suffix = suffix_of(path);
  return format_of(suffix, kTetFormats) || format_of(suffix, kSurfaceFormats);
}

Result<TetMesh> read_tet_mesh(const fs::path& path, ThreadPool& pool, std::vector<MeshGroup>* groups) {
  return within_memory(path, [&]() -> Result<TetMesh> {
    const bool pair = !format_of(suffix_of(path), kTetFormats) && names_tetgen_pair(path);
    Result<MeshData> data =
        pair ? read_tetgen(path, pool) : read(path, "tetrahedral meshes", kTetFormats, kSurfaceFormats, pool);
    if (!data) return data.error();
    if (groups) *groups = std::move(data->groups);
    return take_tets(std::move(*data), path.string());
  });
}

Result<SurfaceMesh> read_surface(const fs::path& path, ThreadPool& pool, std::vector<MeshGroup>* groups,
                                 std::vector<int32_t>* regions) {
  return within_memory(path, [&]() -> Result<SurfaceMesh> {
    Result<MeshData> data = read(path, "surfaces", kSurfaceFormats, kTetFormats, pool);
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

Status write_tet_mesh(const fs::path& path, const TetMesh& mesh) {
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
