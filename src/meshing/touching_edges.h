// Edges at which a solid touches itself while it hangs together around both ends: four and more faces of the boundary
// would meet there.
#pragma once

#include <cstdint>
#include <vector>

#include "mesh/tet_mesh.h"
#include "meshing/dihedral.h"

namespace sinew {

struct TouchingEdge {
  int32_t a, b;  // vertices
  bool operator==(const TouchingEdge&) const = default;
};

struct Parting {
  int64_t halved = 0;   // edges whose wedges have become apart
  int64_t pinched = 0;  // edges that four and more faces of the boundary still share
};

// Parts the wedges of tets around each edge: all but one of them are halved, with a new vertex on the edge for each,
// and so share its ends only. What makes the better halves is halved, and nothing whose angles would leave the bounds.
// The new tets lie at the end of the mesh.
Parting part_touching_edges(TetMesh& mesh, const std::vector<TouchingEdge>& edges, const AngleCosines& bounds);

}  // namespace sinew
