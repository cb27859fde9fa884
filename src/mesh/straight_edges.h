// Tets of ten nodes as files have them, whose edges may be curved, taken as tets with straight edges.
#pragma once

#include <string>
#include <vector>

#include "mesh/mesh_group.h"
#include "mesh/tet_mesh.h"

namespace sinew {

// Whether a mesh that is read has tets with straight edges only, or also middles where its file has them.
enum class TetEdges { straight, as_in_file };

// Takes the middles away, counts their tets, and takes away the vertices that are a middle but no corner; the other
// vertices keep their order, and `groups` follow. add_middles (mesh/middles.h) gives the tets straight middles again.
// Returns a sentence that says how far middles were off the middles of their edges, or nothing if they were not: by no
// more than a thousandth of the edge, and the digits of single precision. The former is less than elements resolve and
// more than files of six digits round by, up to 200 edges across.
std::string take_straight(TetMesh& mesh, std::vector<MeshGroup>& groups);

}  // namespace sinew
