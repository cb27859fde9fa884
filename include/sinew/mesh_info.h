// What a mesh is like: counts, volume, the shape of its tets, whether it is closed.
//
//   auto info = sinew::mesh_info("body.msh");
//   if (info && info->tets) std::printf("%g degrees\n", info->tets->quality.worst_small_angle);
//   for (const auto& [name, value] : info->rows()) std::printf("%s: %s\n", name.c_str(), value.c_str());
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sinew/real3.h"
#include "sinew/result.h"

namespace sinew {

struct FilledSolid;

// [m]; without points low is above high.
struct BoundingBox {
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  Real3 low{infinity, infinity, infinity}, high{-infinity, -infinity, -infinity};

  bool empty() const { return !(low[0] <= high[0]); }
};

// The number of dihedral angles in [0, 10), [10, 20), ... [170, 180] degrees.
using AngleHistogram = std::array<int64_t, 18>;

// Over all tets. The aspect of a tet is h / (2 sqrt(6) r), h the longest edge and r the radius of the inscribed sphere:
// 1 for a regular tet, infinite for a flat one. "Worst" is the smallest of the smallest angles, the largest of the
// largest, the largest aspect.
struct MeshQuality {
  double volume = 0;  // [m^3]
  double smallest_volume = 0;
  double worst_small_angle = 0, mean_small_angle = 0;  // [degrees]
  double worst_large_angle = 0, mean_large_angle = 0;  // [degrees]
  double worst_aspect = 0, mean_aspect = 0;
  AngleHistogram angles{};  // six per tet, without NaN
  int32_t worst_tet = -1;   // the one with the largest aspect
  int64_t inverted_tets = 0;
  // An edge counts once for every tet that has it.
  double shortest_edge = 0, mean_edge = 0, longest_edge = 0;  // [m]
};

// How triangles are connected.
struct SurfaceTopology {
  int64_t vertices = 0;  // those that a triangle uses
  int64_t edges = 0;
  int64_t faces = 0;
  int64_t open_edges = 0;          // of one triangle
  int64_t non_manifold_edges = 0;  // of three or more
  int64_t flipped_edges = 0;       // of two triangles with opposite orientation
  int64_t unbalanced_edges = 0;    // traversed more often in one direction than in the other
  int64_t components = 0;          // joined by vertices
  int64_t euler_characteristic() const { return vertices - edges + faces; }
  // Every edge has two triangles of consistent orientation: the surface encloses a volume.
  bool watertight() const { return faces > 0 && open_edges + non_manifold_edges + flipped_edges == 0; }
  // The surface has no border: its winding number is an integer everywhere off the surface, though it may cross or
  // touch itself or be doubled.
  bool closed() const { return faces > 0 && unbalanced_edges == 0; }
};

// How tets are connected.
struct TetTopology {
  int64_t vertices = 0;  // those that a tet uses
  int64_t edges = 0;
  int64_t faces = 0;
  int64_t tets = 0;
  int64_t components = 0;  // joined by vertices
  int64_t euler_characteristic() const { return vertices - edges + faces - tets; }
};

// Of tets.
struct MeshSummary {
  int64_t vertices = 0, tets = 0;
  int64_t unreferenced_vertices = 0;
  std::vector<std::pair<int32_t, int64_t>> regions;  // label, tets; ascending
  BoundingBox box;                                   // of all vertices
  MeshQuality quality;
  TetTopology topology;
  SurfaceTopology boundary;
  double boundary_area = 0;  // [m^2]
  int64_t crowded_faces = 0, folded_faces = 0;

  // False if volumes, areas or lengths exceed the range of doubles.
  bool finite() const;
  // (name, value) in the order to print them.
  std::vector<std::pair<std::string, std::string>> rows() const;
};

// Of triangles.
struct SurfaceSummary {
  int64_t vertices = 0;
  BoundingBox box;  // of all vertices
  SurfaceTopology topology;
  double area = 0;    // [m^2]
  double volume = 0;  // [m^3], if it is watertight; negative if it is inside out
  double shortest_edge = 0, mean_edge = 0, longest_edge = 0;  // [m], counted once per triangle
  int64_t degenerate_triangles = 0;                           // without area, or with a vertex twice

  bool finite() const;  // as in MeshSummary
  std::vector<std::pair<std::string, std::string>> rows() const;
};

// A part of a mesh that has a name in its file: a physical group of Gmsh.
struct NamedGroup {
  std::string name;
  int dimension = 3;       // of its elements: 0 points, 1 curves, 2 surfaces, 3 volumes
  int32_t label = 0;       // its number in the file
  bool is_region = false;  // it labels elements of the mesh, which may have a material of their own
  int64_t elements = 0, vertices = 0;
};

// A mesh file: of tets, or else of a surface.
struct MeshInfo {
  std::optional<MeshSummary> tets;
  std::optional<SurfaceSummary> surface;
  // Of tets: what was repaired before they were looked at, in sentences, and the colours that sweeps need.
  std::vector<std::string> repairs;
  int32_t vertex_colors = 0, tet_colors = 0;
  int64_t ten_node_tets = 0;  // that the file has; all else is of their corners, with straight edges
  std::vector<NamedGroup> groups;
  double read_milliseconds = 0;

  // All of it as (name, value), in the order to print it.
  std::vector<std::pair<std::string, std::string>> rows() const;
};

// Errors: an unreadable file, a suffix that no mesh has, coordinates so large that volumes are not finite.
Result<MeshInfo> mesh_info(const std::filesystem::path& file, int threads = 0);

// Of a mesh that mesh_surface, mesh_shape or mesh_file made. Linear in its size.
MeshSummary summarize(const FilledSolid& solid);

}  // namespace sinew
