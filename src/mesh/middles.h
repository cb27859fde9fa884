// Vertices at the middles of edges, which make linear tets quadratic.
#pragma once

#include <cstdint>
#include <vector>

#include "exec/thread_pool.h"
#include "mesh/mesh_group.h"
#include "mesh/tet_mesh.h"
#include "mesh/topology.h"

namespace sinew {

// Gives every tet of a linear mesh its middles, straight at rest and shared by the tets of an edge, numbered after the
// vertices in the order in which the tets first meet their edges.
void add_middles(TetMesh& mesh);

// Adds to the groups of a mesh of linear tets, which was given its middles, those between two of their vertices; points
// stay points.
void add_middles(const TetMesh& mesh, std::vector<MeshGroup>& groups);

// The boundary of a mesh with middles: each face as the four flat triangles over its corners and middles, in a row;
// those of tets that have none as they are.
Boundary with_middles(const Boundary& boundary, const TetMesh& mesh);

}  // namespace sinew
