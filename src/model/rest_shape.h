// The rest shape of an element of a mesh: a tet, or a triangle with the apex that a Model will give it (element/tet.h).
// Its volume is positive.
#pragma once

#include <span>

#include "element/tet.h"
#include "mesh/tet_mesh.h"

namespace sinew {

// x: rest positions [m] of all vertices. The third gradient of a triangle, which has no third edge, is 0.
inline TetRest<double> rest_shape(const Tet& t, std::span<const Vec3d> x) {
  const Vec3d p = x[t[1]] - x[t[0]], q = x[t[2]] - x[t[0]];
  if (is_triangle(t)) return tet_rest(p, q, Vec3d{0, 0, apex_height}, true);
  return tet_rest(p, q, x[t[3]] - x[t[0]]);
}

}  // namespace sinew
