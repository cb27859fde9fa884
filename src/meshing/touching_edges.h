// Edges at which a solid touches itself while it is connected around both ends: four or more boundary faces would meet
// there.
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
  int64_t halved = 0;   // edges whose wedges are now apart
  int64_t pinched = 0;  // edges still shared by four or more boundary faces
};

// Separates the wedges of tets around each edge: all but one are halved, each with a new vertex on the edge, and then
// share only its ends. The wedge with the worst halves stays whole, and none is halved if its angles would leave the
// bounds. The new tets are at the end of the mesh.
Parting part_touching_edges(TetMesh& mesh, const std::vector<TouchingEdge>& edges, const AngleCosines& bounds);

}  // namespace sinew
