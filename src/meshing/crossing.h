// Triangles of a surface that pass through each other.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "exec/thread_pool.h"
#include "mesh/tet_mesh.h"

namespace sinew {

// The pairs (f, g), f < g, of triangles that have points in common beside corners and edges that they share, rising. A
// corner is shared where `place` is the same number for both; triangles of two such corners, and ones that touch within
// rounding, do not count. The same for any number of threads.
std::vector<std::array<int32_t, 2>> crossing_triangles(std::span<const Vec3d> vertices,
                                                       std::span<const Triangle> triangles,
                                                       std::span<const int32_t> place, ThreadPool& pool);

}  // namespace sinew
