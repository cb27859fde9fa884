// Back onto the surface of a distance field, along its gradient.
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "meshing/distance_field.h"

namespace sinew {

// Newton's steps f / |grad f| along the gradient, by differences over `step` [m]. `distances` are |f| where the points
// end: not small where the field jumps or has a crease.
class SurfaceProjection {
 public:
  explicit SurfaceProjection(const DistanceField& field, int steps = 2) : field_(field), steps_(steps) {}

  void project(std::span<Vec3d> points, double step, std::vector<double>& distances) {
    const size_t count = points.size();
    for (int k = 0; k < steps_; ++k) {
      // A tetrahedron of points: four values give f and its gradient.
      around_.resize(4 * count);
      values_.resize(4 * count);
      for (size_t p = 0; p < count; ++p)
        for (size_t c = 0; c < 4; ++c) around_[4 * p + c] = points[p] + step * kCorners[c];
      field_.distances(around_, values_);
      for (size_t p = 0; p < count; ++p) {
        Vec3d gradient{0, 0, 0};
        double mean = 0;
        for (size_t c = 0; c < 4; ++c) {
          gradient += (values_[4 * p + c] / (4 * step)) * kCorners[c];
          mean += values_[4 * p + c] / 4;
        }
        const double squared = dot(gradient, gradient);
        if (squared > 0.01) points[p] = points[p] - (mean / squared) * gradient;
      }
    }
    distances.resize(count);
    field_.distances(points, distances);
    for (double& d : distances) d = std::abs(d);
  }

 private:
  static constexpr Vec3d kCorners[4] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
  const DistanceField& field_;
  int steps_;
  std::vector<Vec3d> around_;
  std::vector<double> values_;
};

}  // namespace sinew
