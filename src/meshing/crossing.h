// Triangles of a surface that intersect.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "exec/thread_pool.h"
#include "mesh/tet_mesh.h"

namespace sinew {

// The pairs (f, g), f < g, of triangles that intersect other than in shared corners and edges, ascending. A corner is
// shared if `place` is the same number for both; triangles that share two corners, or only touch within rounding, do
// not count. The result does not depend on the number of threads.
std::vector<std::array<int32_t, 2>> crossing_triangles(std::span<const Vec3d> vertices,
                                                       std::span<const Triangle> triangles,
                                                       std::span<const int32_t> place, ThreadPool& pool);

}  // namespace sinew
