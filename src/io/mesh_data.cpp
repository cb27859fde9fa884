#include "io/mesh_data.h"

#include <algorithm>
#include <cmath>

#include "base/format.h"
#include "mesh/straight_edges.h"

namespace sinew {

namespace {

// "12 hexahedra, 3 lines", or "".
std::string list(const MeshData& data) {
  std::string text;
  for (const auto& [kind, count] : data.others) {
    if (!text.empty()) text += ", ";
    text += std::to_string(count) + " " + kind;
  }
  return text;
}

}  // namespace

void MeshData::count_other(std::string_view kind, int64_t count) {
  if (count == 0) return;
  for (auto& [known, total] : others)
    if (known == kind) {
      total += count;
      return;
    }
  // A file may contain any number of kinds; each costs a search here.
  constexpr size_t kMostKinds = 32;
  if (others.size() < kMostKinds) return void(others.emplace_back(kind, count));
  if (others.size() == kMostKinds) others.emplace_back("of further kinds", 0);
  others.back().second += count;
}

void MeshData::add_tet(const Tet& corners, const Middles& of_edges, int32_t region) {
  if (of_edges != no_middles) {
    middles.resize(tets.size(), no_middles);
    middles.push_back(of_edges);
  }
  tets.push_back(corners);
  regions.push_back(region);
}

Result<TetMesh> take_tets(MeshData data, std::string_view name, std::vector<MeshGroup>* groups,
                          std::vector<std::string>* warnings, TetEdges edges) {
  if (!data.tets.empty()) {
    if (!data.middles.empty()) data.middles.resize(data.tets.size(), no_middles);
    TetMesh mesh{std::move(data.vertices), std::move(data.tets), std::move(data.regions), std::move(data.middles)};
    if (edges == TetEdges::straight) {
      std::string curves = take_straight(mesh, data.groups);
      if (warnings && !curves.empty()) warnings->push_back(std::move(curves));
    }
    if (groups) *groups = std::move(data.groups);
    return mesh;
  }
  data.count_other("triangles", static_cast<int64_t>(data.triangles.size()));
  const std::string found = list(data);
  if (found.empty()) return Error{std::string(name), "holds no tetrahedra", "the file may be empty or truncated"};
  return Error{std::string(name), "holds no tetrahedra of 4 or 10 nodes, only " + found,
               "save it as a mesh of such tetrahedra, or use it as a surface if it is one"};
}

Result<SurfaceMesh> take_surface(MeshData data, std::string_view name) {
  if (!data.triangles.empty()) return SurfaceMesh{std::move(data.vertices), std::move(data.triangles)};
  data.count_other("tetrahedra", static_cast<int64_t>(data.tets.size()));
  const std::string found = list(data);
  if (found.empty() && !data.vertices.empty())
    return Error{
        std::string(name),
        format("has no triangles, only %zu point%s", data.vertices.size(), data.vertices.size() == 1 ? "" : "s"),
        "save it with its triangles; of points alone a program such as MeshLab makes a surface"};
  if (found.empty()) return Error{std::string(name), "holds no faces", "the file may be empty or truncated"};
  return Error{std::string(name), "holds no triangles, only " + found, "save it as a triangulated surface"};
}

void drop_zero_regions(std::vector<int32_t>& regions) {
  if (std::all_of(regions.begin(), regions.end(), [](int32_t region) { return region == 0; })) regions.clear();
}

void add_polygon(std::span<const int32_t> corners, std::vector<Triangle>& triangles) {
  for (size_t k = 2; k < corners.size(); ++k) triangles.push_back({corners[0], corners[k - 1], corners[k]});
}

bool read_point(Scanner& scanner, Vec3d& point) {
  for (double* value : {&point.x, &point.y, &point.z}) {
    const size_t before = scanner.offset();
    if (!scanner.real(*value)) return false;
    if (!std::isfinite(*value)) {
      scanner.seek(before);
      return false;
    }
  }
  return true;
}

Error point_error(Scanner& scanner, int64_t vertex) {
  double value;
  scanner.peek_word();
  const size_t at = scanner.offset();
  if (scanner.real(value) && !std::isfinite(value)) return bad_coordinate(scanner.place(at), vertex, value);
  return scanner.expected(format("a coordinate of vertex %lld", static_cast<long long>(vertex)));
}

bool read_index(Scanner& scanner, int64_t first, size_t count, int32_t& index) {
  const size_t before = scanner.offset();
  int64_t value;
  if (!scanner.whole(value)) return false;
  if (value < first || value - first >= static_cast<int64_t>(count)) {
    scanner.seek(before);
    return false;
  }
  index = static_cast<int32_t>(value - first);
  return true;
}

Error index_error(Scanner& scanner, const char* element, int64_t element_id, int64_t first, size_t count) {
  int64_t value;
  scanner.peek_word();
  const size_t at = scanner.offset();
  if (scanner.whole(value)) return bad_index(scanner.place(at), element, element_id, value, first, count);
  return scanner.expected(format("a vertex index of %s %lld", element, static_cast<long long>(element_id)));
}

Error bad_coordinate(const std::string& where, int64_t vertex, double value) {
  return {where, format("vertex %lld has a coordinate that is not finite (%g)", static_cast<long long>(vertex), value),
          "correct the vertex, or remove it and its elements"};
}

Error bad_index(const std::string& where, const char* element, int64_t element_id, int64_t index, int64_t first,
                size_t count) {
  const auto id = static_cast<long long>(element_id);
  const auto found = static_cast<long long>(index);
  if (count == 0)
    return {where, format("%s %lld names vertex %lld, but there are no vertices", element, id, found), ""};
  return {where,
          format("%s %lld names vertex %lld, out of range: vertices run from %lld to %lld", element, id, found,
                 static_cast<long long>(first), static_cast<long long>(first) + static_cast<long long>(count) - 1),
          "the file is damaged, or belongs to another set of vertices"};
}

}  // namespace sinew
