#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>

#include "commands.h"
#include "console.h"
#include "sinew/mesh_info.h"
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

int inform(const std::string& file) {
  const Result<MeshInfo> mesh = mesh_info(file);
  if (!mesh) return complain(mesh.error(), exit_usage);
  std::printf("%s: %s, read in %.2f s\n", file.c_str(), mesh->tets ? "tetrahedral mesh" : "surface",
              mesh->read_milliseconds / 1000);
  for (const std::string& sentence : mesh->repairs) warning(sentence);
  print(mesh->rows());
  return exit_done;
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
