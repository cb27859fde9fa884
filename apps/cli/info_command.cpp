#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>

#include "base/counted.h"
#include "base/format.h"
#include "commands.h"
#include "console.h"
#include "files/mesh_file.h"
#include "io/mesh_format.h"
#include "mesh/coloring.h"
#include "mesh/repair.h"
#include "mesh/summary.h"
#include "usage.h"

namespace sinew::cli {
namespace {

void print(const std::vector<std::pair<std::string, std::string>>& rows) {
  size_t width = 0;
  for (const auto& [name, value] : rows) width = std::max(width, name.size());
  for (const auto& [name, value] : rows) {
    std::printf("  %-*s  %s\n", static_cast<int>(width), name.c_str(), value.c_str());
  }
}

int not_finite(const std::string& file, const Bounds& box) {
  const double largest = std::max({std::abs(box.low.x), std::abs(box.low.y), std::abs(box.low.z), std::abs(box.high.x),
                                   std::abs(box.high.y), std::abs(box.high.z)});
  error(Error{file,
              format("has coordinates as large as %.3g m: its volumes, areas or lengths are not finite in double "
                     "precision",
                     largest),
              "check the units and the vertices of the file"}
            .message());
  return exit_usage;
}

// Physical groups of Gmsh, one per line: the name in a scene, and the content.
void add_groups(const std::vector<MeshGroup>& groups, std::vector<std::pair<std::string, std::string>>& rows) {
  constexpr const char* kinds[] = {"points", "curve", "surface", "volume"};
  constexpr const char* elements[] = {"point", "line", "face", "element"};
  for (const MeshGroup& group : groups)
    rows.emplace_back("group \"" + group.name + "\"",
                      format("%s %d: %s, %s%s", kinds[group.dimension], group.label,
                             counted(group.elements, elements[group.dimension]).c_str(),
                             counted(static_cast<int64_t>(group.vertices.size()), "vertex", "vertices").c_str(),
                             group.is_region ? "; a region" : ""));
}

int describe_tets(const std::string& file, TetMesh mesh, const std::vector<MeshGroup>& groups,
                  const std::string& read) {
  const Result<RepairReport> repaired = repair(mesh);
  if (!repaired) {
    error(file + ": " + repaired.error().message());
    return exit_usage;
  }
  const MeshSummary summary = summarize(mesh);
  if (!summary.finite()) return not_finite(file, summary.box);
  std::printf("%s: tetrahedral mesh, %s\n", file.c_str(), read.c_str());
  for (const std::string& sentence : repaired->sentences()) warning(sentence);
  auto rows = summary.rows();
  const Incidence incidence = incidence_of(mesh.tets, mesh.vertices.size());
  rows.emplace_back("colours needed", format("%d for sweeps by vertex, %d for sweeps by tet",
                                             color_vertices(mesh.tets, incidence, {}).count,
                                             color_tets(mesh.tets, mesh.vertices.size(), {}).count));
  add_groups(groups, rows);
  print(rows);
  return exit_done;
}

int inform(const std::string& file) {
  const auto start = std::chrono::steady_clock::now();
  ThreadPool pool;
  std::vector<MeshGroup> groups;
  const Result<TetMesh> tets = read_tet_mesh(file, pool, &groups);
  const auto read = [&] {
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    return format("read in %.2f s", spent.count());
  };
  if (tets) return describe_tets(file, *tets, groups, read());
  // A file without tets may hold a surface.
  const Result<SurfaceMesh> surface = read_surface(file, pool, &groups);
  if (surface) {
    const SurfaceSummary summary = summarize(*surface);
    if (!summary.finite()) return not_finite(file, summary.box);
    std::printf("%s: surface, %s\n", file.c_str(), read().c_str());
    auto rows = summary.rows();
    add_groups(groups, rows);
    print(rows);
    return exit_done;
  }
  // Of the two errors, reports the one about the content rather than the suffix.
  const bool surface_file =
      surface.error().what.find("suffix") == std::string::npos && tets.error().what.find("suffix") != std::string::npos;
  Error fault = surface_file ? surface.error() : tets.error();
  // If neither knows the suffix, both list those they know.
  if (!is_mesh_name(file) && fault.what.find("suffix") != std::string::npos)
    fault.remedy += "; " + surface.error().remedy;
  error(fault.message());
  return exit_usage;
}

}  // namespace

void add_info(CLI::App& app, int& exit_code) {
  auto file = std::make_shared<std::string>();
  CLI::App* c = app.add_subcommand("info", "Describe a mesh file: counts, volume, quality, components, colours");
  c->add_option("file", *file, "tet mesh (.node/.ele, .mesh, .msh, .vtk, .vtu, .t) or surface (.obj, .ply, .stl, .off)")
      ->required()
      ->check(not_empty())
      ->type_name("FILE");
  c->footer(
      "Examples:\n"
      "  sinew info body.msh    of a tet mesh, with the physical groups of Gmsh\n"
      "  sinew info scan.ply    of a surface: whether it is closed, its volume and its edges");
  c->callback([file, &exit_code] { exit_code = inform(*file); });
}

}  // namespace sinew::cli
