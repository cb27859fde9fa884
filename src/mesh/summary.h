// The summary of a mesh (sinew/mesh_info.h).
#pragma once

#include "mesh/tet_mesh.h"
#include "sinew/mesh_info.h"

namespace sinew {

// Indices must be in range (mesh/repair.h). Linear in the size of the mesh.
MeshSummary summarize(const TetMesh& mesh);

SurfaceSummary summarize(const SurfaceMesh& mesh);

}  // namespace sinew
