// Edges at which a solid touches itself while it hangs together around both ends: four and more faces of the boundary
// would meet there.
#pragma once

#include <cstdint>
#include <vector>

#include "mesh/tet_mesh.h"

namespace sinew {

struct TouchingEdge {
  int32_t a, b;  // vertices
  bool operator==(const TouchingEdge&) const = default;
};

// Halves each edge, with a new vertex in its middle for every wedge of tets around it: the wedges then share the ends
// only. The new tets lie at the end of the mesh. Returns how many edges were halved.
int64_t halve_touching_edges(TetMesh& mesh, const std::vector<TouchingEdge>& edges);

}  // namespace sinew
