// Solids in closed form, as distance fields, for tests of the mesher.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "meshing/distance_field.h"
#include "support/random.h"

namespace sinew::support {

class FormulaField : public DistanceField {
 public:
  FormulaField(Bounds bounds, std::function<double(Vec3d)> distance, bool continuous = true)
      : bounds_(bounds), distance_(std::move(distance)), continuous_(continuous) {}

  Bounds bounds() const override { return bounds_; }
  void distances(std::span<const Vec3d> points, std::span<double> values) const override {
    for (size_t k = 0; k < points.size(); ++k) values[k] = distance_(points[k]);
  }
  bool continuous() const override { return continuous_; }
  double operator()(Vec3d p) const { return distance_(p); }

 private:
  Bounds bounds_;
  std::function<double(Vec3d)> distance_;
  bool continuous_;
};

inline double norm(Vec3d v) {
  return std::sqrt(dot(v, v));
}

inline double box_distance(Vec3d p, Vec3d half) {
  const Vec3d q{std::abs(p.x) - half.x, std::abs(p.y) - half.y, std::abs(p.z) - half.z};
  const Vec3d out{std::max(q.x, 0.0), std::max(q.y, 0.0), std::max(q.z, 0.0)};
  return norm(out) + std::min(std::max({q.x, q.y, q.z}), 0.0);
}
inline double torus_distance(Vec3d p, double ring, double tube) {
  return std::hypot(std::hypot(p.x, p.y) - ring, p.z) - tube;
}

inline FormulaField ball_field(double radius, Vec3d centre = {0, 0, 0}) {
  const Vec3d r{radius, radius, radius};
  return {{centre - r, centre + r}, [=](Vec3d p) { return norm(p - centre) - radius; }};
}
inline FormulaField box_field(Vec3d half) {
  return {{-half, half}, [=](Vec3d p) { return box_distance(p, half); }};
}
inline FormulaField torus_field(double ring, double tube) {
  const Vec3d reach{ring + tube, ring + tube, tube};
  return {{-reach, reach}, [=](Vec3d p) { return torus_distance(p, ring, tube); }};
}
// Two tori side by side that overlap where they meet.
inline FormulaField double_torus_field(double ring, double tube) {
  const Vec3d shift{ring, 0, 0}, reach{2 * ring + tube, ring + tube, tube};
  return {{-reach, reach}, [=](Vec3d p) {
            return std::min(torus_distance(p - shift, ring, tube), torus_distance(p + shift, ring, tube));
          }};
}
struct Ball {
  Vec3d centre;
  double radius;
};
// Up to 13 of them around the origin: creases, tangencies, thin bridges and slits.
inline std::vector<Ball> random_balls(Random& random) {
  std::vector<Ball> balls;
  const int count = 2 + random.below(12);
  for (int k = 0; k < count; ++k)
    balls.push_back({{random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)}, random.between(0.1, 0.5)});
  return balls;
}
// The union is exact outside, and at most the distance inside.
inline FormulaField balls_field(std::vector<Ball> balls) {
  Bounds bounds;
  for (const Ball& b : balls) {
    bounds.add(b.centre - Vec3d{b.radius, b.radius, b.radius});
    bounds.add(b.centre + Vec3d{b.radius, b.radius, b.radius});
  }
  return {bounds, [balls = std::move(balls)](Vec3d p) {
            double least = 1e300;
            for (const Ball& b : balls) least = std::min(least, norm(p - b.centre) - b.radius);
            return least;
          }};
}

}  // namespace sinew::support
