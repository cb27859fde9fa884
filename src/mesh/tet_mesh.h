// Tetrahedral and surface meshes as the user provides them: rest positions in metres, the user's vertex order.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "math/vec.h"

namespace sinew {

using Tet = std::array<int32_t, 4>;
using Triangle = std::array<int32_t, 3>;

// The most vertices or elements that an int32 can index.
inline constexpr int64_t most_items = 2147483647;

// Marks a triangle of a plane body, stored as a tet without a fourth corner. Plane bodies lie in a plane of constant z,
// their triangles counter-clockwise seen from above, and are 1 m thick.
inline constexpr int32_t no_corner = -1;
inline bool is_triangle(const Tet& t) {
  return t[3] == no_corner;
}
inline size_t corner_count(const Tet& t) {
  return is_triangle(t) ? 3 : 4;
}
inline std::span<const int32_t> corners_of(const Tet& t) {
  return {t.data(), corner_count(t)};
}
// [m^3]
inline double volume_of(const std::vector<Vec3d>& x, const Tet& t) {
  const Vec3d p = x[t[1]] - x[t[0]], q = x[t[2]] - x[t[0]];
  return is_triangle(t) ? cross(p, q).z / 2 : dot(p, cross(q, x[t[3]] - x[t[0]])) / 6;
}

// The vertices at the middles of a tet's edges (edge_ends), which make it a quadratic one of ten nodes.
using Middles = std::array<int32_t, 6>;
inline constexpr int edge_ends[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
// In place of each middle of a linear tet among quadratic ones.
inline constexpr int32_t no_middle = -1;

// tets[e] are vertex indices with positive volume, det[x1-x0, x2-x0, x3-x0] > 0, once `repair` has run.
struct TetMesh {
  std::vector<Vec3d> vertices;   // [m], V
  std::vector<Tet> tets;         // T
  std::vector<int32_t> regions;  // region label per tet: T entries, or empty when the file has none
  std::vector<Middles> middles;  // T entries, or empty: all tets are linear
  int64_t ten_node_tets = 0;     // that a file had, before their middles were taken away (straight_edges.h)
};

// triangles[f] are counter-clockwise seen from outside.
struct SurfaceMesh {
  std::vector<Vec3d> vertices;
  std::vector<Triangle> triangles;
};

}  // namespace sinew
