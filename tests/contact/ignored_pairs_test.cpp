// Sources: the definition in contact/ignored_pairs.h, on surfaces whose gaps are known.
#include "contact/ignored_pairs.h"

#include <gtest/gtest.h>

#include "support/touching.h"

namespace sinew {
namespace {

using support::Touching;

constexpr double radius = 0.1;

Touching two_boxes(Vec3d at, Vec3d size, bool one_body = false) {
  Touching world;
  world.rule.radius = radius;
  const int32_t first = world.add_body(true), second = one_body ? first : world.add_body(true);
  world.add_box(first, 2, 2, 2, [](double u, double v, double w) { return Vec3d{u, v, w}; });
  world.add_box(second, 1, 2, 3, [&](double u, double v, double w) {
    return at + Vec3d{u * size.x, v * size.y, w * size.z};
  });
  world.surface.planes.push_back({.point = {0, -0.05, 0}, .normal = {0, 1, 0}, .along = {1, 0, 0}});
  world.finish();
  return world;
}
bool stays(Touching& world, IgnoredPair pair) {
  IgnoredPairs ignored;
  ignored.add({&pair, 1});
  EXPECT_TRUE(ignored.fit(world.surface));
  EXPECT_TRUE(ignored.has(pair.first, pair.second));
  world.find_pairs(1.25 * radius, world.x);
  ignored.forget_apart(world.surface, world.at(world.x), world.pairs, world.surface.planes, ThreadPool::caller());
  return !ignored.empty();
}

TEST(IgnoredPairs, StayUntilBodiesAreApartByTheirRadius) {
  const auto stays_at = [](Vec3d at, Vec3d size) {
    Touching world = two_boxes(at, size);
    return stays(world, {0, 1});
  };
  EXPECT_TRUE(stays_at({0.9, 0.1, 0.1}, {1, 1, 1}));
  EXPECT_TRUE(stays_at({1.05, 0.1, 0.1}, {1, 1, 1})) << "nearer than the radius";
  EXPECT_FALSE(stays_at({1.11, 0.1, 0.1}, {1, 1, 1}));
  EXPECT_FALSE(stays_at({1.08, 1.08, 0.1}, {1, 1, 1})) << "edges, .113 apart";
  EXPECT_TRUE(stays_at({0.4, 0.4, 0.4}, {0.2, 0.2, 0.2})) << "inside";
  EXPECT_TRUE(stays_at({-3, -3, -3}, {7, 7, 7})) << "around it";
  EXPECT_TRUE(stays_at({0.4, 0.4, -5}, {0.2, 0.2, 10})) << "through it, with no vertex near";
}

TEST(IgnoredPairs, OfABodyWithItselfStayWhileItCrossesItself) {
  Touching crossed = two_boxes({0.9, 0.1, 0.1}, {1, 1, 1}, true), near = two_boxes({1.01, 0.1, 0.1}, {1, 1, 1}, true);
  EXPECT_TRUE(stays(crossed, {0, 0}));
  EXPECT_FALSE(stays(near, {0, 0}));
}

TEST(IgnoredPairs, OfHalfSpacesStayWhileAVertexIsNear) {
  Touching world = two_boxes({3, 0.06, 0}, {1, 1, 1});
  EXPECT_TRUE(stays(world, {0, -1})) << ".05 above";
  EXPECT_FALSE(stays(world, {1, -1})) << ".11 above";
}

TEST(IgnoredPairs, AreLookedUpInAnyOrderAndMapped) {
  IgnoredPairs ignored;
  const IgnoredPair pairs[] = {{3, 1}, {2, -2}, {1, 3}};
  ignored.add(pairs);
  EXPECT_EQ(ignored.all().size(), 2u);
  EXPECT_TRUE(ignored.has(1, 3));
  EXPECT_TRUE(ignored.has(3, 1));
  EXPECT_TRUE(ignored.has_plane(2, 1));
  EXPECT_FALSE(ignored.has_plane(2, 0));
  SurfaceMap map;
  map.bodies = {-1, 2, 0, 1};
  map.planes = {-1, 0};
  IgnoredPairs moved;
  moved.add_of(ignored, map);
  EXPECT_EQ(moved.all(), (std::vector<IgnoredPair>{{0, -1}, {1, 2}}));
  map.bodies[3] = -1;
  map.planes[1] = -1;
  IgnoredPairs none;
  none.add_of(ignored, map);
  EXPECT_TRUE(none.empty());
}

}  // namespace
}  // namespace sinew
