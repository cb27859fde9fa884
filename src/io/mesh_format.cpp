#include "io/mesh_format.h"

#include <span>

#include "io/gmsh.h"
#include "io/medit.h"
#include "io/obj.h"
#include "io/off.h"
#include "io/ply.h"
#include "io/stl.h"
#include "io/suffix.h"
#include "io/tetgen.h"
#include "io/vertex_tet_lines.h"
#include "io/vtk_legacy.h"
#include "io/vtu.h"

namespace sinew {
namespace {

using Parser = Result<MeshData> (*)(std::string_view bytes, std::string_view name, ThreadPool& pool);

// A parser that one thread runs.
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

// Programs disagree on these four suffixes, but every one of the formats says what it is in its first word.
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

std::span<const Format> formats_of(MeshKind kind) {
  if (kind == MeshKind::tets) return kTetFormats;
  return kSurfaceFormats;
}

Error unknown_suffix(const std::filesystem::path& path, const std::string& suffix, MeshKind wanted) {
  const char* kind = wanted == MeshKind::tets ? "tetrahedral meshes" : "surfaces";
  const std::span<const Format> formats = formats_of(wanted);
  const std::span<const Format> others = formats_of(wanted == MeshKind::tets ? MeshKind::surface : MeshKind::tets);
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

}  // namespace

bool holds(std::string_view suffix, MeshKind kind) {
  return format_of(suffix, formats_of(kind));
}

bool is_tetgen_suffix(std::string_view suffix) {
  return suffix == ".node" || suffix == ".ele";
}

bool is_mesh_name(const std::filesystem::path& path) {
  const std::string suffix = suffix_of(path);
  return holds(suffix, MeshKind::tets) || holds(suffix, MeshKind::surface);
}

Result<MeshData> parse_mesh(std::string_view bytes, const std::filesystem::path& path, MeshKind kind,
                            ThreadPool& pool) {
  const std::string suffix = suffix_of(path);
  const Format* format = format_of(suffix, formats_of(kind));
  if (!format || !format->parse) return unknown_suffix(path, suffix, kind);
  return sniff(bytes, format->parse)(bytes, path.string(), pool);
}

TetEncoder tet_encoder(std::string_view suffix) {
  if (suffix == ".mesh") return encode_medit;
  if (suffix == ".msh") return encode_gmsh;
  if (suffix == ".vtk") return encode_vtk_legacy;
  if (suffix == ".vtu") return encode_vtu;
  if (suffix == ".node" || suffix == ".ele") return encode_tetgen_node;
  return nullptr;
}

}  // namespace sinew
