// Weak constraints between two surfaces that are close to each other at rest (Chen et al. 2023, PBNG, section 4.1):
// each ties a vertex of one surface to the closest point of the other, given by barycentric weights in a triangle.
#pragma once

#include <span>
#include <vector>

#include "base/result.h"
#include "mesh/tet_mesh.h"
#include "model/ties.h"
#include "sinew/scene.h"

namespace sinew {

struct Bound {
  std::vector<int32_t> vertices;  // the vertices that were bound
  double nearest = 0;             // [m] the smallest distance of any of them to the surface
};

// Adds a tie for each of `vertices` within binding.distance of `triangles`, which must not be empty. Vertices of the
// triangles themselves are skipped. `rest` are the positions [m] of all vertices.
Bound bind_vertices(const SceneBinding& binding, std::span<const int32_t> vertices, std::span<const Triangle> triangles,
                    std::span<const Vec3d> rest, Ties& ties);

}  // namespace sinew
