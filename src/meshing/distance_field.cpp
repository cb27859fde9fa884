#include "meshing/distance_field.h"

#include <cmath>
#include <vector>

namespace sinew {

void DistanceField::project(std::span<Vec3d> points, double step, std::span<double> distances_of) const {
  // Two of Newton's steps f / |grad f|. A tetrahedron of points: four values give f and its gradient.
  constexpr int steps = 2;
  constexpr Vec3d corners[4] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
  std::vector<Vec3d> around(4 * points.size());
  std::vector<double> values(4 * points.size());
  for (int k = 0; k < steps; ++k) {
    for (size_t p = 0; p < points.size(); ++p)
      for (size_t c = 0; c < 4; ++c) around[4 * p + c] = points[p] + step * corners[c];
    distances(around, values);
    for (size_t p = 0; p < points.size(); ++p) {
      Vec3d gradient{0, 0, 0};
      double mean = 0;
      for (size_t c = 0; c < 4; ++c) {
        gradient += (values[4 * p + c] / (4 * step)) * corners[c];
        mean += values[4 * p + c] / 4;
      }
      const double squared = dot(gradient, gradient);
      if (squared > 0.01) points[p] = points[p] - (mean / squared) * gradient;
    }
  }
  distances(points, distances_of);
  for (double& d : distances_of) d = std::abs(d);
}

}  // namespace sinew
