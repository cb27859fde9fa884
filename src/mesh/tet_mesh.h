// Tetrahedral and surface meshes as a user has them: rest positions in metres, the user's vertex order.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "math/vec.h"

namespace sinew {

using Tet = std::array<int32_t, 4>;
using Triangle = std::array<int32_t, 3>;

// tets[e] are vertex indices with positive volume, det[x1-x0, x2-x0, x3-x0] > 0, once `repair` has run.
struct TetMesh {
  std::vector<Vec3d> vertices;   // [m], V
  std::vector<Tet> tets;         // T
  std::vector<int32_t> regions;  // region label per tet: T entries, or empty when the file has none
};

// triangles[f] are counter-clockwise seen from outside.
struct SurfaceMesh {
  std::vector<Vec3d> vertices;
  std::vector<Triangle> triangles;
};

}  // namespace sinew
