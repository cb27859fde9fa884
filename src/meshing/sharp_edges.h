// The sharp edges and corners of a triangle surface, to be reproduced in meshes (snapping.h).
#pragma once

#include <array>
#include <vector>

#include "mesh/tet_mesh.h"

namespace sinew {

struct SharpFeatures {
  std::vector<std::array<Vec3d, 2>> segments;
  std::vector<Vec3d> corners;
};

// Edges between two triangles whose normals differ by more than `angle` [degrees]; corners where a chain of them ends,
// three or more meet, or two turn by more than that. Vertices at the same place count as one, as in files of separate
// triangles. Edges of one triangle, or of three or more, do not count: they do not bound a solid.
SharpFeatures sharp_edges(const SurfaceMesh& surface, double angle = 40);

}  // namespace sinew
