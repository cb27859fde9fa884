#include "meshing/distance_field.h"

#include <cmath>
#include <vector>

namespace sinew {

namespace {

// A tetrahedron of samples around each point: four values give the field and its gradient.
constexpr Vec3d corners[4] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};

struct Linear {
  double mean = 0;
  Vec3d gradient{0, 0, 0};
};
Linear linear(const double* values, double step) {
  Linear f;
  for (size_t c = 0; c < 4; ++c) {
    f.gradient += (values[c] / (4 * step)) * corners[c];
    f.mean += values[c] / 4;
  }
  return f;
}

// The squared gradient below which it is unreliable, as at a ridge of the field.
constexpr double least_squared_gradient = 0.01;

std::vector<double> values_around(const DistanceField& field, std::span<const Vec3d> points, double step) {
  std::vector<Vec3d> around(4 * points.size());
  std::vector<double> values(4 * points.size());
  for (size_t p = 0; p < points.size(); ++p)
    for (size_t c = 0; c < 4; ++c) around[4 * p + c] = points[p] + step * corners[c];
  field.distances(around, values);
  return values;
}

}  // namespace

void DistanceField::project(std::span<Vec3d> points, double step, std::span<double> distances_of) const {
  // Two Newton steps f / |grad f|.
  constexpr int steps = 2;
  for (int k = 0; k < steps; ++k) {
    const std::vector<double> values = values_around(*this, points, step);
    for (size_t p = 0; p < points.size(); ++p) {
      const Linear f = linear(&values[4 * p], step);
      const double squared = dot(f.gradient, f.gradient);
      if (squared > least_squared_gradient) points[p] = points[p] - (f.mean / squared) * f.gradient;
    }
  }
  distances(points, distances_of);
  for (double& d : distances_of) d = std::abs(d);
}

void DistanceField::tangent_planes(std::span<const Vec3d> points, double step, std::span<TangentPlane> planes) const {
  const std::vector<double> values = values_around(*this, points, step);
  for (size_t p = 0; p < points.size(); ++p) {
    const Linear f = linear(&values[4 * p], step);
    const double size = std::sqrt(dot(f.gradient, f.gradient));
    planes[p] = {};
    if (size * size > least_squared_gradient)
      planes[p] = {f.mean / size, (1 / size) * f.gradient, (1 / size) * f.gradient};
  }
}

}  // namespace sinew
