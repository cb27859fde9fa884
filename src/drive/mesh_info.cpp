#include "sinew/mesh_info.h"

#include <algorithm>
#include <cmath>

#include "base/clock.h"
#include "base/counted.h"
#include "base/format.h"
#include "files/mesh_file.h"
#include "mesh/coloring.h"
#include "mesh/repair.h"
#include "mesh/summary.h"

namespace sinew {
namespace {

Error not_finite(const std::filesystem::path& file, const BoundingBox& box) {
  double largest = 0;
  for (const Real3& corner : {box.low, box.high})
    for (const double c : corner) largest = std::max(largest, std::abs(c));
  return {file.string(),
          format("has coordinates as large as %.3g m: its volumes, areas or lengths are not finite in double precision",
                 largest),
          "check the units and the vertices of the file"};
}

Status describe(TetMesh mesh, const std::filesystem::path& file, MeshInfo& info) {
  info.ten_node_tets = mesh.ten_node_tets;
  const Result<RepairReport> repaired = repair(mesh);
  if (!repaired) return Error{file.string(), repaired.error().message(), ""};
  for (std::string& sentence : repaired->sentences()) info.repairs.push_back(std::move(sentence));
  info.tets = summarize(mesh);
  if (!info.tets->finite()) return not_finite(file, info.tets->box);
  const Incidence incidence = incidence_of(mesh.tets, mesh.vertices.size());
  info.vertex_colors = color_vertices(mesh.tets, incidence, {}).count;
  info.tet_colors = color_tets(mesh.tets, mesh.vertices.size(), {}).count;
  return {};
}

Status describe(const SurfaceMesh& mesh, const std::filesystem::path& file, MeshInfo& info) {
  info.surface = summarize(mesh);
  if (!info.surface->finite()) return not_finite(file, info.surface->box);
  return {};
}

}  // namespace

std::vector<std::pair<std::string, std::string>> MeshInfo::rows() const {
  auto rows = tets ? tets->rows() : surface ? surface->rows() : std::vector<std::pair<std::string, std::string>>();
  if (tets)
    rows.emplace_back("colours needed",
                      format("%d for sweeps by vertex, %d for sweeps by tet", vertex_colors, tet_colors));
  if (ten_node_tets > 0)
    rows.emplace_back("of ten nodes", counted(ten_node_tets, "tet") + ", read by their corners with straight edges");
  constexpr const char* kinds[] = {"points", "curve", "surface", "volume"};
  constexpr const char* of_kinds[] = {"point", "line", "face", "element"};
  for (const NamedGroup& group : groups)
    rows.emplace_back("group \"" + group.name + "\"", format("%s %d: %s, %s%s", kinds[group.dimension], group.label,
                                                             counted(group.elements, of_kinds[group.dimension]).c_str(),
                                                             counted(group.vertices, "vertex", "vertices").c_str(),
                                                             group.is_region ? "; a region" : ""));
  return rows;
}

Result<MeshInfo> mesh_info(const std::filesystem::path& file, int threads) {
  const auto start = std::chrono::steady_clock::now();
  ThreadPool pool(threads);
  MeshInfo info;
  std::vector<MeshGroup> groups;
  Result<AnyMesh> mesh = read_any_mesh(file, pool, &groups, &info.repairs);
  info.read_milliseconds = milliseconds_since(start);
  if (!mesh) return mesh.error();
  for (const MeshGroup& group : groups)
    info.groups.push_back({group.name, group.dimension, group.label, group.is_region, group.elements,
                           static_cast<int64_t>(group.vertices.size())});
  if (Status s = mesh->tets ? describe(std::move(*mesh->tets), file, info) : describe(mesh->surface, file, info); !s)
    return s.error();
  return info;
}

}  // namespace sinew
