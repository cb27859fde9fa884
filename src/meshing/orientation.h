// Triangles of a surface that agree on its outside.
#pragma once

#include <span>
#include <vector>

#include "math/vec.h"
#include "mesh/tet_mesh.h"

namespace sinew {

// Turns triangles until any two that share an edge, which no third one has, run through it in opposite directions: of
// each part joined by such edges the smaller half, by area. A part that has no two sides (a Moebius strip) stays as it
// is. Equal places have equal numbers in `triangles`. Returns how many were turned.
int64_t orient(std::span<const Vec3d> vertices, std::vector<Triangle>& triangles);

}  // namespace sinew
