#include "mesh/repair.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/format.h"
#include "mesh/simplices.h"

namespace sinew {

namespace {

Status check(const TetMesh& mesh) {
  for (size_t v = 0; v < mesh.vertices.size(); ++v) {
    const Vec3d& x = mesh.vertices[v];
    if (!std::isfinite(x.x) || !std::isfinite(x.y) || !std::isfinite(x.z))
      return Error{"mesh", format("vertex %zu is at (%g, %g, %g)", v, x.x, x.y, x.z), "coordinates have to be finite"};
  }
  for (size_t t = 0; t < mesh.tets.size(); ++t) {
    if (is_triangle(mesh.tets[t]) != is_triangle(mesh.tets[0]))
      return Error{"mesh",
                   format("element 0 is a %s, element %zu a %s", is_triangle(mesh.tets[0]) ? "triangle" : "tet", t,
                          is_triangle(mesh.tets[t]) ? "triangle" : "tet"),
                   "give tets and triangles as two meshes"};
    for (size_t k = 0; k < corner_count(mesh.tets[t]); ++k) {
      const int32_t corner = mesh.tets[t][k];
      if (corner < 0 || static_cast<size_t>(corner) >= mesh.vertices.size())
        return Error{"mesh",
                     format("tet %zu names vertex %d, but there are %zu vertices", t, corner, mesh.vertices.size()),
                     "indices count from 0"};
    }
  }
  if (!mesh.regions.empty() && mesh.regions.size() != mesh.tets.size())
    return Error{"mesh", format("has %zu region labels for %zu tets", mesh.regions.size(), mesh.tets.size()),
                 "give one per tet or none"};
  return {};
}

// 2 area / (longest edge)^2, with the sign of the normal along z.
double relative_area(const TetMesh& mesh, const Tet& tet) {
  const Vec3d x0 = mesh.vertices[tet[0]], x1 = mesh.vertices[tet[1]], x2 = mesh.vertices[tet[2]];
  const Vec3d edges[3] = {x1 - x0, x2 - x0, x2 - x1};
  double longest = 0;
  for (const Vec3d& e : edges) longest = std::max(longest, std::hypot(e.x, e.y));
  if (longest == 0) return 0;
  return cross((1 / longest) * edges[0], (1 / longest) * edges[1]).z;
}

// 6 volume / (longest edge)^3, with the sign of the volume. Scaled first: the cube of a length may under- or overflow.
double relative_volume(const TetMesh& mesh, const Tet& tet) {
  if (is_triangle(tet)) return relative_area(mesh, tet);
  const Vec3d x0 = mesh.vertices[tet[0]], x1 = mesh.vertices[tet[1]], x2 = mesh.vertices[tet[2]],
              x3 = mesh.vertices[tet[3]];
  double largest = 0;
  const Vec3d edges[6] = {x1 - x0, x2 - x0, x3 - x0, x2 - x1, x3 - x1, x3 - x2};
  for (const Vec3d& e : edges) largest = std::max({largest, std::abs(e.x), std::abs(e.y), std::abs(e.z)});
  if (largest == 0) return 0;
  const double scale = 1 / largest;
  double longest = 0;
  for (const Vec3d& e : edges) {
    const Vec3d scaled = scale * e;
    longest = std::max(longest, dot(scaled, scaled));
  }
  return dot(scale * edges[0], cross(scale * edges[1], scale * edges[2])) / (longest * std::sqrt(longest));
}

bool has_repeated_vertex(const Tet& tet) {
  const Tet sorted = rising(tet);
  return std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end();
}

void find_duplicates(const TetMesh& mesh, std::vector<char>& removed, RepairFindings& findings) {
  std::vector<Keyed<4>> keys;
  keys.reserve(mesh.tets.size());
  for (size_t t = 0; t < mesh.tets.size(); ++t) {
    if (removed[t]) continue;
    Tet tet = mesh.tets[t];
    if (is_triangle(tet)) tet[3] = static_cast<int32_t>(mesh.vertices.size());  // sorted as an extra vertex
    keys.push_back({rising(tet), static_cast<int32_t>(t)});
  }
  std::vector<int32_t> duplicates;
  for_each_group(sort_by_vertices(keys, mesh.vertices.size() + 1), [&](std::span<const Keyed<4>> group) {
    for (const Keyed<4>& copy : group.subspan(1)) duplicates.push_back(copy.item);
  });
  std::sort(duplicates.begin(), duplicates.end());
  for (const int32_t t : duplicates) {
    removed[static_cast<size_t>(t)] = 1;
    findings.add(t);
  }
}

void find_coincident(const TetMesh& mesh, RepairFindings& findings) {
  const auto place = [&](int32_t v) {
    const Vec3d& x = mesh.vertices[v];
    return std::array{x.x, x.y, x.z};
  };
  std::vector<int32_t> order(mesh.vertices.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
    const auto pa = place(a), pb = place(b);
    return pa != pb ? pa < pb : a < b;
  });
  std::vector<int32_t> copies;
  for (size_t k = 1; k < order.size(); ++k)
    if (place(order[k]) == place(order[k - 1])) copies.push_back(order[k]);
  std::sort(copies.begin(), copies.end());
  for (const int32_t v : copies) findings.add(v);
}

void drop(TetMesh& mesh, const std::vector<char>& used, RepairReport& report) {
  std::vector<Vec3d> kept;
  report.vertex_map.assign(mesh.vertices.size(), -1);
  for (size_t v = 0; v < used.size(); ++v)
    if (used[v]) {
      report.vertex_map[v] = static_cast<int32_t>(kept.size());
      kept.push_back(mesh.vertices[v]);
    }
  mesh.vertices = std::move(kept);
  for (Tet& tet : mesh.tets)
    for (size_t k = 0; k < corner_count(tet); ++k) tet[k] = report.vertex_map[tet[k]];
}

}  // namespace

Result<RepairReport> repair(TetMesh& mesh, const RepairOptions& options) {
  if (Status status = check(mesh); !status) return status.error();
  RepairReport report;
  report.plane = !mesh.tets.empty() && is_triangle(mesh.tets.front());

  std::vector<char> removed(mesh.tets.size(), 0), flipped(mesh.tets.size(), 0);
  for (size_t t = 0; t < mesh.tets.size(); ++t) {
    const double volume = has_repeated_vertex(mesh.tets[t]) ? 0 : relative_volume(mesh, mesh.tets[t]);
    // Written so that a NaN counts as no volume.
    if (!(std::abs(volume) > options.smallest_relative_volume)) {
      removed[t] = 1;
      report.degenerate_tets.add(static_cast<int32_t>(t));
    } else if (volume < 0) {
      flipped[t] = 1;
    }
  }
  find_duplicates(mesh, removed, report.duplicate_tets);
  if (std::find(removed.begin(), removed.end(), 0) == removed.end())
    return Error{
        "mesh",
        mesh.tets.empty() ? "has no tets" : format("has no volume: all %zu tets are degenerate", mesh.tets.size()),
        "check the file and its coordinates"};

  // From here on the mesh changes.
  const bool any_removed = report.degenerate_tets.count + report.duplicate_tets.count > 0;
  size_t kept = 0;
  for (size_t t = 0; t < mesh.tets.size(); ++t) {
    if (removed[t]) continue;
    if (flipped[t]) {
      const size_t last = corner_count(mesh.tets[t]) - 1;
      std::swap(mesh.tets[t][last - 1], mesh.tets[t][last]);
      report.flipped_tets.add(static_cast<int32_t>(t));
    }
    mesh.tets[kept] = mesh.tets[t];
    if (any_removed) report.kept_tets.push_back(static_cast<int32_t>(t));
    if (!mesh.regions.empty()) mesh.regions[kept] = mesh.regions[t];
    ++kept;
  }
  mesh.tets.resize(kept);
  if (!mesh.regions.empty()) mesh.regions.resize(kept);

  std::vector<char> used(mesh.vertices.size(), 0);
  for (const Tet& tet : mesh.tets)
    for (size_t k = 0; k < corner_count(tet); ++k) used[tet[k]] = 1;
  for (size_t v = 0; v < used.size(); ++v)
    if (!used[v]) report.unreferenced_vertices.add(static_cast<int32_t>(v));
  find_coincident(mesh, report.coincident_vertices);
  if (options.drop_unreferenced && report.unreferenced_vertices.count > 0) drop(mesh, used, report);
  return report;
}

std::vector<std::string> RepairReport::sentences() const {
  std::vector<std::string> lines;
  const auto say = [&](const RepairFindings& findings, const char* one, const char* many, const char* what) {
    if (findings.count == 0) return;
    std::string line =
        format("%lld %s %s (", static_cast<long long>(findings.count), findings.count == 1 ? one : many, what);
    for (size_t k = 0; k < findings.first.size(); ++k) line += (k ? ", " : "") + std::to_string(findings.first[k]);
    if (findings.count > static_cast<int64_t>(findings.first.size())) line += ", ...";
    lines.push_back(line + ")");
  };
  const char* one = plane ? "triangle" : "tet";
  const char* many = plane ? "triangles" : "tets";
  say(flipped_tets, one, many,
      plane ? "faced down; two corners of each were swapped" : "had negative volume; two corners of each were swapped");
  say(degenerate_tets, one, many, plane ? "without area removed" : "without volume removed");
  say(duplicate_tets, one, many, "removed: the same corners as an earlier one");
  say(unreferenced_vertices, "vertex", "vertices",
      format("used by no %s; %s", one, vertex_map.empty() ? "kept, but without mass" : "dropped").c_str());
  say(coincident_vertices, "vertex", "vertices",
      "at exactly the place of an earlier one: parts of the mesh touch there and are not joined, a crack if they "
      "should be");
  return lines;
}

}  // namespace sinew
