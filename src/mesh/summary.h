// A summary of a mesh, as `sinew info` prints it.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "math/bounds.h"
#include "mesh/quality.h"
#include "mesh/tet_mesh.h"
#include "mesh/topology.h"

namespace sinew {

struct MeshSummary {
  int64_t vertices = 0, tets = 0;
  int64_t unreferenced_vertices = 0;
  std::vector<std::pair<int32_t, int64_t>> regions;  // label, tets; ascending
  Bounds box;                                        // of all vertices; empty if there are none
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
// Indices must be in range (mesh/repair.h). Linear in the size of the mesh.
MeshSummary summarize(const TetMesh& mesh);

struct SurfaceSummary {
  int64_t vertices = 0;
  Bounds box;  // of all vertices; empty if there are none
  SurfaceTopology topology;
  double area = 0;    // [m^2]
  double volume = 0;  // [m^3], if it is watertight; negative if it is inside out
  double shortest_edge = 0, mean_edge = 0, longest_edge = 0;  // [m], counted once per triangle
  int64_t degenerate_triangles = 0;                           // without area, or with a vertex twice

  bool finite() const;  // as in MeshSummary
  std::vector<std::pair<std::string, std::string>> rows() const;
};
SurfaceSummary summarize(const SurfaceMesh& mesh);

}  // namespace sinew
