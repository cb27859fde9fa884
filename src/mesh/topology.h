// The connectivity of a mesh: its boundary, its components, whether it is closed. All indices must be in range (see
// mesh/repair.h); positions do not matter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "exec/thread_pool.h"
#include "mesh/tet_mesh.h"
#include "sinew/mesh_info.h"

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

SurfaceTopology surface_topology(const std::vector<Triangle>& triangles, size_t vertex_count);

TetTopology tet_topology(const TetMesh& mesh, const Boundary& boundary);

}  // namespace sinew
