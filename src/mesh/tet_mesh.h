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
