// Expectations: projective geometry; the fit is the tightest for its direction, so some point touches a margin.
#include "render/camera.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace sinew {
namespace {

struct Projected {
  double x, y, depth;  // x, y in [-1, 1] inside the picture
};

Projected project(const Camera& camera, double aspect, Vec3d p) {
  const auto unit = [](Vec3d a) { return (1 / std::sqrt(dot(a, a))) * a; };
  const Vec3d forward = unit(camera.target - camera.eye), right = unit(cross(forward, camera.up));
  const Vec3d above = cross(right, forward), d = p - camera.eye;
  const double depth = dot(d, forward), half = std::tan(camera.vertical_fov_degrees * M_PI / 360);
  return {dot(d, right) / (depth * half * aspect), dot(d, above) / (depth * half), depth};
}

TEST(CameraFit, HoldsAllPointsOfAllFramesTightly) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int trial = 0; trial < 50; ++trial) {
    FitOptions options = default_view(trial % 2 ? Vec3d{0, 0, 1} : Vec3d{0, 1, 0}, 16.0 / 9);
    options.direction = {uniform(random), uniform(random), uniform(random)};
    options.margin = 0.05 * (trial % 4);
    options.right_margin = 0.1 * (trial % 3);
    Result<CameraFit> fit = CameraFit::create(options);
    ASSERT_TRUE(fit.ok());
    std::vector<Vec3d> points;
    const Vec3d centre{100 * uniform(random), 100 * uniform(random), 100 * uniform(random)};
    for (int k = 0; k < 100; ++k)
      points.push_back(centre + Vec3d{3 * uniform(random), uniform(random), 2 * uniform(random)});
    fit->add(points);
    const Result<Camera> camera = fit->camera();
    ASSERT_TRUE(camera.ok());

    const double side = 1 - options.margin + 1e-9, right = side - 2 * options.right_margin;
    double slack = 1;
    for (Vec3d p : points) {
      const Projected q = project(*camera, options.aspect, p);
      EXPECT_GT(q.depth, 0);
      EXPECT_GE(q.x, -side);
      EXPECT_LE(q.x, right);
      EXPECT_LE(std::abs(q.y), side);
      slack = std::min({slack, right - q.x, side + q.x, side - std::abs(q.y)});
    }
    EXPECT_LT(slack, 1e-6);
  }
}

TEST(CameraFit, HoldsABoxAndASinglePoint) {
  Bounds box;
  box.add({-1, 0, -2});
  box.add({1, 3, 2});
  const FitOptions options = default_view({0, 1, 0}, 1.5);
  const Result<Camera> camera = fit_camera(box, options);
  ASSERT_TRUE(camera.ok());
  for (int k = 0; k < 8; ++k) EXPECT_LE(std::abs(project(*camera, 1.5, box.corner(k)).x), 1 - options.margin + 1e-9);

  Bounds point;
  point.add({4, 5, 6});
  const Result<Camera> close = fit_camera(point, options);
  ASSERT_TRUE(close.ok());
  EXPECT_NEAR(project(*close, 1.5, {4, 5, 6}).x, 0, 1e-9);
  EXPECT_GT(project(*close, 1.5, {4, 5, 6}).depth, 0);
}

TEST(CameraFit, RefusesImpossibleViews) {
  FitOptions options;
  EXPECT_FALSE(fit_camera(Bounds{}, options).ok());
  Bounds box;
  box.add({0, 0, 0});
  box.add({1, 1, 1});
  options.direction = {0, -1, 0};
  EXPECT_FALSE(fit_camera(box, options).ok());
  options = {};
  options.vertical_fov_degrees = 180;
  EXPECT_FALSE(fit_camera(box, options).ok());
  options = {};
  options.margin = 0.7;
  options.right_margin = 0.5;
  EXPECT_FALSE(fit_camera(box, options).ok());
  box.add({NAN, 0, 0});
  box.add({INFINITY, 0, 0});
  EXPECT_FALSE(fit_camera(box, FitOptions{}).ok());
}

}  // namespace
}  // namespace sinew
