#include "mesh/summary.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "base/counted.h"
#include "base/format.h"
#include "math/bounds.h"
#include "math/length.h"
#include "mesh/quality.h"
#include "mesh/topology.h"

namespace sinew {

namespace {

using Rows = std::vector<std::pair<std::string, std::string>>;

std::string whole(int64_t value) {
  return std::to_string(value);
}

BoundingBox box_of(const std::vector<Vec3d>& points) {
  Bounds bounds;
  bounds.add(std::span<const Vec3d>(points));
  return {{bounds.low.x, bounds.low.y, bounds.low.z}, {bounds.high.x, bounds.high.y, bounds.high.z}};
}

std::string box_text(const BoundingBox& box) {
  if (box.empty()) return "empty";
  return format("[%.6g, %.6g, %.6g] to [%.6g, %.6g, %.6g] m", box.low[0], box.low[1], box.low[2], box.high[0],
                box.high[1], box.high[2]);
}

std::string edges_text(double shortest, double mean, double longest) {
  return format("%.4g to %.4g m, mean %.4g m", shortest, longest, mean);
}

std::string closed_text(const SurfaceTopology& surface) {
  if (surface.watertight()) return "yes";
  std::string text = "no";
  const auto add = [&](int64_t count, const char* what, const char* of) {
    if (count > 0) text += (text == "no" ? ": " : ", ") + counted(count, what) + of;
  };
  add(surface.open_edges, "open edge", "");
  add(surface.non_manifold_edges, "edge", " of three or more triangles");
  add(surface.flipped_edges, "edge", " of triangles with opposite orientation");
  return text;
}

// Six times the volume between the origin and a triangle, relative to a point of the surface for accuracy.
double cone(const SurfaceMesh& mesh, const Triangle& t, Vec3d origin) {
  return dot(mesh.vertices[t[0]] - origin, cross(mesh.vertices[t[1]] - origin, mesh.vertices[t[2]] - origin));
}

double triangle_area(const std::vector<Vec3d>& x, const Triangle& t) {
  return 0.5 * length(cross(x[t[1]] - x[t[0]], x[t[2]] - x[t[0]]));
}

}  // namespace

MeshSummary summarize(const TetMesh& mesh) {
  MeshSummary summary;
  summary.vertices = static_cast<int64_t>(mesh.vertices.size());
  summary.tets = static_cast<int64_t>(mesh.tets.size());
  std::map<int32_t, int64_t> regions;
  for (const int32_t region : mesh.regions) ++regions[region];
  summary.regions.assign(regions.begin(), regions.end());
  summary.box = box_of(mesh.vertices);
  summary.quality = mesh_quality(mesh);
  const Boundary boundary = extract_boundary(mesh);
  summary.topology = tet_topology(mesh, boundary);
  summary.unreferenced_vertices = summary.vertices - summary.topology.vertices;
  summary.boundary = surface_topology(boundary.triangles, mesh.vertices.size());
  for (const Triangle& t : boundary.triangles) summary.boundary_area += triangle_area(mesh.vertices, t);
  summary.crowded_faces = boundary.crowded_faces;
  summary.folded_faces = boundary.folded_faces;
  return summary;
}

SurfaceSummary summarize(const SurfaceMesh& mesh) {
  SurfaceSummary summary;
  summary.vertices = static_cast<int64_t>(mesh.vertices.size());
  summary.box = box_of(mesh.vertices);
  summary.topology = surface_topology(mesh.triangles, mesh.vertices.size());
  if (mesh.triangles.empty()) return summary;
  const Vec3d origin = mesh.vertices[mesh.triangles[0][0]];
  double volume = 0;
  summary.shortest_edge = std::numeric_limits<double>::infinity();
  for (const Triangle& t : mesh.triangles) {
    const double area = triangle_area(mesh.vertices, t);
    if (area == 0) ++summary.degenerate_triangles;
    summary.area += area;
    volume += cone(mesh, t, origin) / 6;
    for (int k = 0; k < 3; ++k) {
      const double edge = length(mesh.vertices[t[(k + 1) % 3]] - mesh.vertices[t[k]]);
      summary.shortest_edge = std::min(summary.shortest_edge, edge);
      summary.longest_edge = std::max(summary.longest_edge, edge);
      summary.mean_edge += edge;
    }
  }
  summary.mean_edge /= 3 * static_cast<double>(mesh.triangles.size());
  if (summary.topology.watertight()) summary.volume = volume;
  return summary;
}

bool MeshSummary::finite() const {
  // An infinite aspect is valid: that of a flat tet.
  const MeshQuality& q = quality;
  const double measures[] = {q.volume,           q.smallest_volume,   q.worst_small_angle, q.mean_small_angle,
                             q.mean_large_angle, q.worst_large_angle, q.shortest_edge,     q.mean_edge,
                             q.longest_edge,     boundary_area};
  return std::all_of(std::begin(measures), std::end(measures), [](double m) { return std::isfinite(m); });
}

bool SurfaceSummary::finite() const {
  const double measures[] = {area, volume, shortest_edge, mean_edge, longest_edge};
  return std::all_of(std::begin(measures), std::end(measures), [](double m) { return std::isfinite(m); });
}

Rows MeshSummary::rows() const {
  Rows rows{{"vertices", whole(vertices)}, {"tets", whole(tets)}};
  if (unreferenced_vertices > 0) rows.emplace_back("unreferenced vertices", whole(unreferenced_vertices));
  if (!regions.empty()) {
    std::string text;
    constexpr size_t kShown = 12;
    for (size_t k = 0; k < std::min(regions.size(), kShown); ++k)
      text += format("%s%d (%s)", k ? ", " : "", regions[k].first, counted(regions[k].second, "tet").c_str());
    if (regions.size() > kShown) text += format(", ... (%zu in all)", regions.size());
    rows.emplace_back("regions", text);
  }
  rows.emplace_back("bounding box", box_text(box));
  rows.emplace_back("volume", format("%.6g m^3", quality.volume));
  if (quality.inverted_tets > 0) rows.emplace_back("inverted tets", whole(quality.inverted_tets));
  rows.emplace_back("smallest dihedral angle",
                    format("worst %.2f, mean %.2f degrees", quality.worst_small_angle, quality.mean_small_angle));
  rows.emplace_back("largest dihedral angle",
                    format("worst %.2f, mean %.2f degrees", quality.worst_large_angle, quality.mean_large_angle));
  rows.emplace_back("aspect (1 = regular)", format("worst %.4g (tet %d), mean %.4g", quality.worst_aspect,
                                                   quality.worst_tet, quality.mean_aspect));
  rows.emplace_back("edges", edges_text(quality.shortest_edge, quality.mean_edge, quality.longest_edge));
  rows.emplace_back("components", whole(topology.components));
  rows.emplace_back("Euler characteristic", whole(topology.euler_characteristic()));
  rows.emplace_back("boundary", format("%s, %s, %.6g m^2", counted(boundary.faces, "triangle").c_str(),
                                       counted(boundary.vertices, "vertex", "vertices").c_str(), boundary_area));
  rows.emplace_back("boundary closed", closed_text(boundary));
  rows.emplace_back("boundary components", whole(boundary.components));
  rows.emplace_back("boundary Euler characteristic", whole(boundary.euler_characteristic()));
  if (crowded_faces > 0) rows.emplace_back("faces of three or more tets", whole(crowded_faces));
  if (folded_faces > 0) rows.emplace_back("faces with both tets on one side", whole(folded_faces));
  return rows;
}

Rows SurfaceSummary::rows() const {
  Rows rows{{"vertices", whole(vertices)}, {"triangles", whole(topology.faces)}};
  if (vertices > topology.vertices) rows.emplace_back("unreferenced vertices", whole(vertices - topology.vertices));
  if (degenerate_triangles > 0) rows.emplace_back("triangles without area", whole(degenerate_triangles));
  rows.emplace_back("bounding box", box_text(box));
  rows.emplace_back("area", format("%.6g m^2", area));
  rows.emplace_back("closed", closed_text(topology));
  if (topology.watertight())
    rows.emplace_back("volume", format("%.6g m^3%s", volume, volume < 0 ? " (the triangles face inwards)" : ""));
  rows.emplace_back("edges", edges_text(shortest_edge, mean_edge, longest_edge));
  rows.emplace_back("components", whole(topology.components));
  rows.emplace_back("Euler characteristic", whole(topology.euler_characteristic()));
  return rows;
}

}  // namespace sinew
