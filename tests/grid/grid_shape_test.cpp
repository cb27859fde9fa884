// Shapes of colliders: where points are inside, and which way is out.
#include "grid/grid_shape.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "grid/solid_mesh.h"
#include "math/length.h"
#include "math/rotation.h"
#include "meshing/surfaces.h"
#include "support/random.h"

namespace sinew {
namespace {

using support::Random;

const ShapeFrame world(diagonal(1.0, 1.0, 1.0), {0, 0, 0});

void expect_near(Vec3d a, Vec3d b, double tolerance = 1e-12) {
  EXPECT_NEAR(length(a - b), 0, tolerance) << a.x << " " << a.y << " " << a.z;
}
void expect_way(const GridShape& shape, Vec3d x, Vec3d normal) {
  const WaysOut out = shape.at(x, 0);
  ASSERT_EQ(out.count, 1) << x.x << " " << x.y << " " << x.z;
  expect_near(out.normals[0], normal);
}

TEST(GridShape, BehindSeveralWallsHasAWayOutOfEach) {
  const SolidWalls room(
      {{{0, 0, 0}, {1, 0, 0}}, {{0, 0, 0}, {0, 1, 0}}, {{0, 0, 0}, {0, 0, 1}}, {{3, 3, 3}, {-1, 0, 0}}});
  EXPECT_FALSE(room.bounds());
  EXPECT_EQ(room.at({1, 1, 1}, 0).count, 0);
  EXPECT_EQ(room.at({-1, 1, 1}, 0).count, 1);
  EXPECT_EQ(room.at({-1, -1, 1}, 0).count, 2);
  EXPECT_EQ(room.at({4, -1, -1}, 0).count, 3);
  EXPECT_EQ(room.at({1e-3, 1, 1}, 1e-2).count, 1);
}

TEST(GridShape, OutOfABoxIsThroughItsNearestFace) {
  const SolidBox box(world, {0, 0, 0}, {1, 2, 3});
  expect_way(box, {0.1, 1, 1}, {-1, 0, 0});
  expect_way(box, {0.5, 1.9, 1}, {0, 1, 0});
  expect_way(box, {0.5, 1, 2.9}, {0, 0, 1});
  EXPECT_EQ(box.at({1.1, 1, 1}, 0).count, 0);
  EXPECT_EQ(box.at({1.1, 1, 1}, 0.2).count, 1);
}

TEST(GridShape, OutOfACapsuleIsAwayFromItsAxis) {
  const SolidCapsule capsule(world, {0, 0, 0}, {2, 0, 0}, 0.5);
  expect_way(capsule, {1, 0.1, 0}, {0, 1, 0});
  expect_way(capsule, {-0.3, 0, 0}, {-1, 0, 0});
  EXPECT_EQ(capsule.at({-0.4, 0.4, 0}, 0).count, 0);
  const WaysOut centre = capsule.at({1, 0, 0}, 0);
  ASSERT_EQ(centre.count, 1);
  EXPECT_NEAR(dot(centre.normals[0], {1, 0, 0}), 0, 1e-12);
  const Bounds bounds = *capsule.bounds();
  expect_near(bounds.low, {-0.5, -0.5, -0.5});
  expect_near(bounds.high, {2.5, 0.5, 0.5});
}

// Of an ellipsoid the normals are those of its level sets; of turned shapes, the turned ones.
TEST(GridShape, StandsInAFrame) {
  const Mat3d turn = rotation({1, 2, 3}, 40);
  const ShapeFrame frame(turn * diagonal(2.0, -1.0, 0.5), {5, 6, 7});
  const SolidCapsule ellipsoid(frame, {0, 0, 0}, {0, 0, 0}, 1);
  const SolidBox box(frame, {-1, -1, -1}, {1, 1, 1});
  Random random(3);
  int inside = 0;
  for (int k = 0; k < 200; ++k) {
    const Vec3d u{2.5 * random.between(-1, 1), 1.2 * random.between(-1, 1), 0.6 * random.between(-1, 1)};
    const Vec3d x = turn * u + Vec3d{5, 6, 7}, slope{u.x / 4, u.y, 4 * u.z};
    const WaysOut out = ellipsoid.at(x, 0);
    ASSERT_EQ(out.count, dot(u, slope) <= 1 ? 1 : 0);
    if (out.count == 1) expect_near(out.normals[0], turn * ((1 / length(slope)) * slope), 1e-9);
    const double depth[] = {2 - std::abs(u.x), 1 - std::abs(u.y), 0.5 - std::abs(u.z)};
    const auto nearest = std::min_element(std::begin(depth), std::end(depth));
    const WaysOut through = box.at(x, 0);
    ASSERT_EQ(through.count, *nearest >= 0 ? 1 : 0);
    if (through.count == 0) continue;
    ++inside;
    const Vec3d axes[] = {{u.x, 0, 0}, {0, u.y, 0}, {0, 0, u.z}};
    const Vec3d axis = axes[nearest - std::begin(depth)];
    expect_near(through.normals[0], turn * ((1 / length(axis)) * axis), 1e-9);
  }
  EXPECT_GT(inside, 20);
}

TEST(SolidMesh, OfACubeIsTheBox) {
  const SolidMesh mesh(support::cube({0, 0, 0}, 1), ThreadPool::caller());
  const SolidBox box(world, {-1, -1, -1}, {1, 1, 1});
  Random random(5);
  for (int k = 0; k < 500; ++k) {
    const Vec3d x{random.between(-1.2, 1.2), random.between(-1.2, 1.2), random.between(-1.2, 1.2)};
    const WaysOut a = mesh.at(x, 1e-9), b = box.at(x, 1e-9);
    ASSERT_EQ(a.count, b.count);
    if (a.count > 0) expect_near(a.normals[0], b.normals[0], 1e-9);
  }
}

// On faces, edges and corners, and a rounding outside.
TEST(SolidMesh, HasWeightedNormalsOnItsSurface) {
  const SolidMesh mesh(support::cube({0, 0, 0}, 1), ThreadPool::caller());
  for (const Vec3d direction : {Vec3d{1, 0, 0}, Vec3d{0, -1, 0}, Vec3d{1, 1, 0}, Vec3d{0, -1, 1}, Vec3d{1, 1, -1}}) {
    const Vec3d normal = (1 / length(direction)) * direction;
    for (const double off : {0.0, 1e-12}) {
      const WaysOut out = mesh.at(direction + off * normal, 1e-9);
      ASSERT_EQ(out.count, 1);
      expect_near(out.normals[0], normal, 1e-6);
    }
    EXPECT_EQ(mesh.at(direction + 1e-6 * normal, 1e-9).count, 0);
  }
}

TEST(SolidMesh, FacingInwardsIsSolidOutside) {
  SurfaceMesh room = support::cube({0, 0, 0}, 1);
  for (Triangle& t : room.triangles) std::swap(t[1], t[2]);
  const SolidMesh mesh(room, ThreadPool::caller());
  EXPECT_FALSE(mesh.bounds());
  EXPECT_EQ(mesh.at({0.9, 0.2, 0.1}, 0).count, 0);
  expect_way(mesh, {1.1, 0.2, 0.1}, {-1, 0, 0});
  expect_way(mesh, {0.2, -30, 0.1}, {0, 1, 0});
}

// Two cubes that overlap: solid where either is.
TEST(SolidMesh, MayCrossItself) {
  SurfaceMesh both = support::cube({0, 0, 0}, 1);
  const SurfaceMesh other = support::cube({1, 0.5, 0}, 1);
  for (const Triangle& t : other.triangles) both.triangles.push_back({t[0] + 8, t[1] + 8, t[2] + 8});
  both.vertices.insert(both.vertices.end(), other.vertices.begin(), other.vertices.end());
  const SolidMesh mesh(both, ThreadPool::caller());
  for (const Vec3d x : {Vec3d{-0.9, -0.9, 0.3}, Vec3d{0.5, 0.5, 0.1}, Vec3d{1.9, 1.4, 0.2}})
    EXPECT_EQ(mesh.at(x, 0).count, 1);
  EXPECT_EQ(mesh.at({-0.5, 1.4, 0.2}, 0).count, 0);
}

}  // namespace
}  // namespace sinew
