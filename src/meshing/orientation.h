// Makes the triangles of a surface agree on its outside.
#pragma once

#include <span>
#include <vector>

#include "math/vec.h"
#include "mesh/tet_mesh.h"

namespace sinew {

// Turns triangles until any two that share an edge, without a third, traverse it in opposite directions: in each part
// joined by such edges it turns the smaller half, by area. A non-orientable part (a Moebius strip) is unchanged.
// Vertices at the same place must have the same number in `triangles`. Returns how many were turned.
int64_t orient(std::span<const Vec3d> vertices, std::vector<Triangle>& triangles);

}  // namespace sinew
