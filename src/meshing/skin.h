// A fine surface carried by the tets of an object, shown in place of their boundary:
//   x = sum_j w_j x_j    over the vertices of one tet, sum_j w_j = 1 (meshing/embedding.h)
// four of them, or if it is quadratic ten, with w_j = N_j. Non-negative values (strain, residual) are a mean with
// negative weights omitted, so that beyond the tets a value stays within the range of its carriers.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "math/vec.h"
#include "mesh/tet_mesh.h"

namespace sinew {

// For one body; an object of several bodies shows it for each.
struct Skin {
  std::vector<Triangle> triangles;              // of points, counter-clockwise seen from outside
  std::vector<int32_t> materials;               // of each triangle, by number in the scene
  std::vector<int32_t> carriers;                // the body's vertices that carry points, ascending, from 0
  std::vector<std::array<int32_t, 4>> corners;  // of each point, in `carriers`
  std::vector<std::array<double, 4>> weights;   // of each point
  std::vector<std::array<int32_t, 6>> middles;  // of each point, if the tets are quadratic
  std::vector<std::array<double, 6>> middle_weights;
  int32_t body_vertices = 0;  // offset from one body to the next
  int32_t bodies = 1;
  int64_t outside = 0;  // points in no tet
  double farthest = 0;  // [m] the largest distance of one of them

  size_t point_count() const { return corners.size(); }  // of one body
  size_t memory_bytes() const {
    return triangles.capacity() * sizeof(Triangle) + (materials.capacity() + carriers.capacity()) * sizeof(int32_t) +
           corners.capacity() * sizeof(corners[0]) + weights.capacity() * sizeof(weights[0]) +
           middles.capacity() * sizeof(middles[0]) + middle_weights.capacity() * sizeof(middle_weights[0]);
  }

  // sum_j w_j of(c_j), c_j in `carriers`
  template <class Of>
  Vec3d sum(size_t point, const Of& of) const {
    const auto& [a, b, c, d] = corners[point];
    const auto& w = weights[point];
    Vec3d sum = w[0] * of(a) + w[1] * of(b) + w[2] * of(c) + w[3] * of(d);
    for (size_t j = 0; j < 6 && !middles.empty(); ++j) sum += middle_weights[point][j] * of(middles[point][j]);
    return sum;
  }
  template <class Of>
  double mean(size_t point, const Of& of) const {
    double sum = 0, whole = 0;
    const auto add = [&](double weight, int32_t carrier) {
      const double w = std::max(weight, 0.0);
      sum += w * of(carrier);
      whole += w;
    };
    for (size_t j = 0; j < 4; ++j) add(weights[point][j], corners[point][j]);
    for (size_t j = 0; j < 6 && !middles.empty(); ++j) add(middle_weights[point][j], middles[point][j]);
    return sum / whole;
  }
};

}  // namespace sinew
