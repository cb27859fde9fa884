// Whether triangles cross or touch, exactly: no length is compared with a tolerance (exact_sign.h). It shares nothing
// with the detection of contacts, which it judges.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "exec/thread_pool.h"
#include "math/vec.h"
#include "mesh/tet_mesh.h"

namespace sinew {

// Whether two closed triangles have a point in common. Triangles without area count as the segments or points that they
// are.
bool triangles_meet(const std::array<Vec3d, 3>& a, const std::array<Vec3d, 3>& b);

// The same of triangles of one mesh, beyond the corners that they share: neighbours meet if they cross, or if they lie
// on each other. Triangles of the same three corners do.
bool triangles_meet(std::span<const Vec3d> vertices, const Triangle& a, const Triangle& b);

// All pairs that meet, (a, b) with a < b, ascending. Positions must be finite. When `stop` is set it returns early,
// with some of them. Triangles from `others` on are not compared with each other.
std::vector<std::pair<int32_t, int32_t>> meeting_triangles(std::span<const Vec3d> vertices,
                                                           std::span<const Triangle> triangles, ThreadPool& pool,
                                                           const std::atomic<bool>* stop = nullptr,
                                                           int64_t others = INT64_MAX);

}  // namespace sinew
