// Closed and open surfaces for the tests of meshing.
#pragma once

#include <cmath>
#include <numbers>

#include "mesh/tet_mesh.h"

namespace sinew::support {

// A cube of edge 2 around a point, twelve triangles seen counter-clockwise from outside.
inline SurfaceMesh cube(Vec3d centre = {0, 0, 0}, double half = 1) {
  SurfaceMesh cube;
  for (int k = 0; k < 8; ++k)
    cube.vertices.push_back(centre + half * Vec3d{k & 1 ? 1.0 : -1.0, k & 2 ? 1.0 : -1.0, k & 4 ? 1.0 : -1.0});
  cube.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                    {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return cube;
}

// The part of the unit sphere, by `rings` times `columns` quadrilaterals, from the pole z = 1 down to the polar angle
// `until`: closed for pi, an open half for pi / 2.
inline SurfaceMesh dome(int rings, int columns, double until) {
  SurfaceMesh dome;
  dome.vertices.push_back({0, 0, 1});
  const bool closed = until >= std::numbers::pi;
  for (int r = 1; r <= rings - closed; ++r)
    for (int c = 0; c < columns; ++c) {
      const double down = until * r / rings, around = 2 * std::numbers::pi * c / columns;
      dome.vertices.push_back({std::sin(down) * std::cos(around), std::sin(down) * std::sin(around), std::cos(down)});
    }
  const auto at = [&](int r, int c) { return 1 + (r - 1) * columns + c % columns; };
  for (int c = 0; c < columns; ++c) dome.triangles.push_back({0, at(1, c), at(1, c + 1)});
  for (int r = 1; r < rings - closed; ++r)
    for (int c = 0; c < columns; ++c) {
      dome.triangles.push_back({at(r, c), at(r + 1, c), at(r + 1, c + 1)});
      dome.triangles.push_back({at(r, c), at(r + 1, c + 1), at(r, c + 1)});
    }
  if (!closed) return dome;
  const auto pole = static_cast<int32_t>(dome.vertices.size());
  dome.vertices.push_back({0, 0, -1});
  for (int c = 0; c < columns; ++c) dome.triangles.push_back({at(rings - 1, c), pole, at(rings - 1, c + 1)});
  return dome;
}

}  // namespace sinew::support
