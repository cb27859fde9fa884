// The connectivity of a mesh: its boundary, its components, whether it is closed. All indices must be in range (see
// mesh/repair.h); positions do not matter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "exec/thread_pool.h"
#include "mesh/tet_mesh.h"

namespace sinew {

// The corners of the face opposite to corner k of a tet of positive volume, counter-clockwise seen from outside.
inline constexpr int kTetFaces[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};

// The faces that belong to one tet only, oriented outwards if the tets have positive volume; in the order of the tets.
struct Boundary {
  std::vector<Triangle> triangles;  // vertex indices of the tet mesh
  std::vector<int32_t> tets;        // the tet behind each
  // Faces of more than two tets, and faces whose two tets lie on the same side: the mesh overlaps itself there.
  int64_t crowded_faces = 0;
  int64_t folded_faces = 0;
  int64_t faces = 0;  // all faces of the tet mesh, inner ones once
};
Boundary extract_boundary(const TetMesh& mesh, ThreadPool& pool = ThreadPool::caller());

// Renumbers the vertices that the triangles use, all in [first, last), from 0; returns their old numbers, ascending.
std::vector<int32_t> renumber(std::vector<Triangle>& triangles, int32_t first, int32_t last);

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
SurfaceTopology surface_topology(const std::vector<Triangle>& triangles, size_t vertex_count);

struct TetTopology {
  int64_t vertices = 0;  // those that a tet uses
  int64_t edges = 0;
  int64_t faces = 0;
  int64_t tets = 0;
  int64_t components = 0;  // joined by vertices
  int64_t euler_characteristic() const { return vertices - edges + faces - tets; }
};
TetTopology tet_topology(const TetMesh& mesh, const Boundary& boundary);

}  // namespace sinew
