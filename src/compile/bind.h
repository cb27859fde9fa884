// Weak constraints between two surfaces that lie near each other at rest (Chen et al. 2023, PBNG, section 4.1): each
// vertex of the one and the closest point of the other, which the corners of a triangle give by barycentric weights.
#pragma once

#include <span>
#include <vector>

#include "base/result.h"
#include "mesh/tet_mesh.h"
#include "model/ties.h"
#include "sinew/scene.h"

namespace sinew {

struct Bound {
  std::vector<int32_t> vertices;  // those that were bound
  double nearest = 0;             // [m] the smallest distance of any to the surface
};

// Adds a tie for each of `vertices` that lies within binding.distance of `triangles`, of which there is one at least.
// Vertices that the triangles use themselves are left out. `rest` are the positions [m] of all vertices.
Bound bind_vertices(const SceneBinding& binding, std::span<const int32_t> vertices, std::span<const Triangle> triangles,
                    std::span<const Vec3d> rest, Ties& ties);

}  // namespace sinew
