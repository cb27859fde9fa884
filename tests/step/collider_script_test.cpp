// Sources: step/collider_script.h; a moved plane is the image of its points; pins under the same motion.
#include "step/collider_script.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "step/script.h"

namespace sinew {
namespace {

constexpr double pi = std::numbers::pi;

// Two slots, then a collider of three points, then one of two planes.
struct Stage {
  ContactSurface surface;
  std::vector<ColliderScript> scripts;

  Stage() {
    surface.slot_count = 2;
    surface.rest = {{9, 9, 9}, {9, 9, 9}, {0, 0, 0}, {1, 0, 0}, {0, 2, 0.5}};
    surface.planes = {{.collider = 1, .group = 1, .point = {0, 1, 0}, .normal = {0, 1, 0}, .along = {1, 0, 0}},
                      {.collider = 1, .group = 1, .point = {3, 0, 0}, .normal = {0.6, 0.8, 0}, .along = {0, 0, 1}}};
    scripts.resize(2);
    scripts[0].first_point = 2;
    scripts[0].last_point = scripts[1].first_point = scripts[1].last_point = 5;
    scripts[1].last_plane = 2;
  }
  std::vector<Vec3d> points_at(double time) const { return at(time).first; }
  std::vector<ContactPlane> planes_at(double time) const { return at(time).second; }

 private:
  std::pair<std::vector<Vec3d>, std::vector<ContactPlane>> at(double time) const {
    std::vector<Vec3d> points(3);
    std::vector<ContactPlane> planes(2);
    place_colliders(scripts, time, surface, points, planes);
    return {points, planes};
  }
};
void expect_near(Vec3d a, Vec3d b) {
  EXPECT_NEAR(a.x, b.x, 1e-14);
  EXPECT_NEAR(a.y, b.y, 1e-14);
  EXPECT_NEAR(a.z, b.z, 1e-14);
}
bool same(Vec3d a, Vec3d b) {
  return a.x == b.x && a.y == b.y && a.z == b.z;
}

TEST(ColliderScript, RestsWithoutKeyframes) {
  const Stage stage;
  for (size_t k = 0; k < 3; ++k) EXPECT_TRUE(same(stage.points_at(5)[k], stage.surface.rest[k + 2]));
  for (size_t k = 0; k < 2; ++k) {
    const ContactPlane plane = stage.planes_at(5)[k];
    EXPECT_TRUE(same(plane.point, stage.surface.planes[k].point));
    EXPECT_TRUE(same(plane.normal, stage.surface.planes[k].normal));
    EXPECT_TRUE(same(plane.along, stage.surface.planes[k].along));
    EXPECT_EQ(plane.collider, 1);
    EXPECT_EQ(plane.group, 1);
  }
  EXPECT_FALSE(stage.scripts[0].moves());
}

TEST(ColliderScript, MovesItsPointsAsAPinDoes) {
  Stage stage;
  stage.scripts[0].center = {1, 2, 3};
  stage.scripts[0].axis = {1, 1, 0};
  stage.scripts[0].keys = {{0, {0, 0, 0}, 0, {1, 1, 1}}, {2, {1, 0, -1}, 3 * pi, {2, 1, 0.5}}};
  EXPECT_TRUE(stage.scripts[0].moves());
  PinScript pin;
  static_cast<MotionScript&>(pin) = stage.scripts[0];
  pin.slots = {0, 1, 2};
  pin.start = {stage.surface.rest[2], stage.surface.rest[3], stage.surface.rest[4]};
  for (const double time : {0.0, 0.3, 1.0, 1.9, 2.0, 7.0}) {
    std::vector<uint8_t> held(3);
    std::vector<Vec3d> x(3);
    std::vector<Glide> glides;
    apply_pins({&pin, 1}, time, held, x, glides);
    for (size_t k = 0; k < 3; ++k) EXPECT_TRUE(same(stage.points_at(time)[k], x[k])) << time;
  }
}

TEST(ColliderScript, MovesPlanesAndTurnsTheirNormals) {
  Stage stage;
  ColliderScript& script = stage.scripts[1];
  script.center = {0, 0, 0};
  script.keys = {{0, {0, 0, 0}, 0, {1, 1, 1}}, {1, {0, 0, 5}, pi / 2, {1, 1, 1}}};
  script.smooth = false;
  expect_near(stage.planes_at(1)[0].point, {-1, 0, 5});
  expect_near(stage.planes_at(1)[0].normal, {-1, 0, 0});
  expect_near(stage.planes_at(1)[0].along, {0, 1, 0});
  expect_near(stage.planes_at(1)[1].along, {0, 0, 1});
  expect_near(stage.planes_at(1)[1].normal, {-0.8, 0.6, 0});
  const double half = std::sqrt(0.5);
  expect_near(stage.planes_at(0.5)[0].normal, {-half, half, 0});
}

TEST(ColliderScript, APlaneIsTheImageOfItsPoints) {
  Stage stage;
  ColliderScript& script = stage.scripts[1];
  script.center = {1, -1, 2};
  script.axis = {1, 2, 3};
  script.keys = {{0, {0.5, 0.25, 0}, 1, {2, 0.5, 1}}};
  const Placement placement = placement_at(script, 0);
  const ContactPlane &before = stage.surface.planes[1], after = stage.planes_at(0)[1];
  EXPECT_NEAR(dot(after.normal, after.normal), 1, 1e-14);
  EXPECT_NEAR(dot(after.along, after.along), 1, 1e-14);
  EXPECT_NEAR(dot(after.along, after.normal), 0, 1e-14);
  // Two points of the plane, and one in its solid.
  for (const Vec3d along : {Vec3d{-0.8, 0.6, 0}, Vec3d{0, 0, 1}})
    EXPECT_NEAR(dot(placement.moved(before.point + along, script.center) - after.point, after.normal), 0, 1e-14);
  EXPECT_LT(dot(placement.moved(before.point - before.normal, script.center) - after.point, after.normal), -0.1);
}

}  // namespace
}  // namespace sinew
