// Source: the promises of render/camera_path.h, on clouds of points that move like bodies.
#include "render/camera_path.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sinew {
namespace {

constexpr size_t frames = 61;

CameraPathOptions options_with(double orbit_degrees, Follow follow = Follow::automatic) {
  CameraPathOptions options;
  options.fit = default_view({0, 1, 0}, 16.0 / 9);
  options.orbit_degrees = orbit_degrees;
  options.follow = follow;
  return options;
}

// A ball of unit radius.
std::vector<Vec3f> ball_at(Vec3d c) {
  std::vector<Vec3f> points;
  for (int i = 0; i <= 20; ++i)
    for (int j = 0; j < 40; ++j) {
      const double a = M_PI * i / 20, b = 2 * M_PI * j / 40;
      points.push_back({static_cast<float>(c.x + std::sin(a) * std::cos(b)), static_cast<float>(c.y + std::cos(a)),
                        static_cast<float>(c.z + std::sin(a) * std::sin(b))});
    }
  return points;
}

// The largest distance of a point from the middle of the picture, 1 at its border; infinite behind the camera.
double furthest(const Camera& camera, const std::vector<Vec3f>& points, double aspect) {
  const auto unit = [](Vec3d a) { return (1 / std::sqrt(dot(a, a))) * a; };
  const Vec3d forward = unit(camera.target - camera.eye), right = unit(cross(forward, camera.up));
  const Vec3d above = cross(right, forward);
  const double half = std::tan(camera.vertical_fov_degrees * M_PI / 360);
  double most = 0;
  for (const Vec3f& p : points) {
    const Vec3d d = Vec3d{p.x, p.y, p.z} - camera.eye;
    const double depth = dot(d, forward);
    if (depth <= 0) return INFINITY;
    most =
        std::max({most, std::abs(dot(d, right)) / (depth * half * aspect), std::abs(dot(d, above)) / (depth * half)});
  }
  return most;
}

Vec3d falling(size_t frame) {
  const double t = static_cast<double>(frame) / 30;
  return {0, -4.9 * t * t, 0};
}
Vec3d swaying(size_t frame) {
  return {0.5 * std::sin(0.2 * static_cast<double>(frame)), 0, 0};
}

std::vector<Camera> cameras_of(const CameraPathOptions& options, Vec3d (*centre)(size_t)) {
  CameraPath path(options, frames);
  for (size_t k = 0; k < frames; ++k) path.add(k, ball_at(centre(k)));
  const auto cameras = path.cameras();
  EXPECT_TRUE(cameras.ok());
  EXPECT_EQ(cameras->size(), frames);
  return *cameras;
}

double distance(const Camera& camera) {
  const Vec3d d = camera.target - camera.eye;
  return std::sqrt(dot(d, d));
}

TEST(CameraPath, HoldsAllFramesInViewAndFillsIt) {
  for (const double orbit : {0.0, 20.0, -360.0}) {
    SCOPED_TRACE(orbit);
    for (const auto centre : {falling, swaying}) {
      for (const Follow follow : {Follow::never, Follow::always}) {
        const std::vector<Camera> cameras = cameras_of(options_with(orbit, follow), centre);
        double most = 0;
        for (size_t k = 0; k < frames; ++k) most = std::max(most, furthest(cameras[k], ball_at(centre(k)), 16.0 / 9));
        EXPECT_LT(most, 1);
        EXPECT_GT(most, 0.75) << "no closer than need be";
      }
    }
  }
}

TEST(CameraPath, TurnsByTheOrbitAndKeepsItsDistance) {
  const std::vector<Camera> cameras = cameras_of(options_with(30), swaying);
  const auto azimuth = [](const Camera& c) { return std::atan2(c.eye.x - c.target.x, c.eye.z - c.target.z); };
  EXPECT_NEAR((azimuth(cameras.back()) - azimuth(cameras.front())) * 180 / M_PI, 30, 1e-9);
  for (const Camera& camera : cameras) EXPECT_NEAR(distance(camera), distance(cameras[0]), 1e-9);
}

TEST(CameraPath, GoesAlongWithWhatTravelsFarOnly) {
  const std::vector<Camera> along = cameras_of(options_with(0), falling);
  EXPECT_NEAR(along.back().target.y, falling(frames - 1).y, 1);
  EXPECT_NEAR(along.front().target.y, 0, 1);
  // Nearer than a camera that shows the whole fall.
  EXPECT_LT(distance(along[0]), 0.4 * distance(cameras_of(options_with(0, Follow::never), falling)[0]));
  // Smooth: the second difference is that of the fall, 9.8 m/s^2 in steps of a thirtieth, at most.
  for (size_t k = 1; k + 1 < frames; ++k)
    EXPECT_LT(std::abs(along[k + 1].eye.y - 2 * along[k].eye.y + along[k - 1].eye.y), 1.5 * 9.8 / 900);

  const std::vector<Camera> still = cameras_of(options_with(0), swaying);
  for (const Camera& camera : still) EXPECT_EQ(camera.eye.x, still[0].eye.x);
}

// A small body is as large in its pictures as a large one, from the first frame to the last.
TEST(CameraPath, StaysNearWhatIsSmallAndFallsFar) {
  const auto small = [](size_t frame) {
    std::vector<Vec3f> points = ball_at({0, 0, 0});
    const Vec3d centre = falling(frame);
    for (Vec3f& p : points) p = {0.05f * p.x, static_cast<float>(0.05 * p.y + centre.y), 0.05f * p.z};
    return points;
  };
  for (const double orbit : {0.0, 20.0}) {
    CameraPath path(options_with(orbit), frames);
    for (size_t k = 0; k < frames; ++k) path.add(k, small(k));
    const auto cameras = path.cameras();
    ASSERT_TRUE(cameras.ok());
    for (size_t k = 0; k < frames; ++k) {
      const double share = furthest((*cameras)[k], small(k), 16.0 / 9);
      EXPECT_LT(share, 1) << k;
      EXPECT_GT(share, 0.6) << k;
    }
  }
}

TEST(CameraPath, PassesOverFramesWithoutPoints) {
  CameraPath path(options_with(20, Follow::always), 3);
  path.add(1, ball_at({1, 2, 3}));
  path.add(2, std::vector<Vec3f>{{NAN, 0, 0}});
  const auto cameras = path.cameras();
  ASSERT_TRUE(cameras.ok());
  for (const Camera& camera : *cameras) EXPECT_NEAR(camera.target.y, 2, 1e-5);
  EXPECT_FALSE(CameraPath(options_with(20), 3).cameras().ok()) << "nothing to look at";
}

}  // namespace
}  // namespace sinew
