// Source: intersections are counted with exact predicates at many times of the motion.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "contact/carried_world.h"

namespace sinew {
namespace {

using namespace limits_support;

TEST(Carry, WhatIsFreeGoesAllTheWay) {
  CarriedWorld<float> world({ball(.1, 3), moved(ball(.1, 3), {.5, 0, 0})});
  Points goal = world.x;
  for (size_t s = 0; s < goal.size(); ++s)
    goal[s] = turned(goal[s], {0, 0, 1}, 1) + Vec3d{.1, 2, .3};  // about a common axis, by many radii
  const Points there = world.carried(goal);
  ASSERT_EQ(there.size(), goal.size());
  for (size_t s = 0; s < goal.size(); ++s) EXPECT_TRUE(is_same_place(there[s], stored<float>(goal[s]))) << s;
}

TEST(Carry, WhatWouldMeetStopsWithPartOfItsGap) {
  CarriedWorld<double> world({box({.1, .1, .1}), moved(box({.1, .1, .1}), {0, .2, 0})});
  Points goal = world.x;
  for (size_t s = goal.size() / 2; s < goal.size(); ++s) goal[s].y -= .3;
  const Points there = world.carried(goal);
  ASSERT_FALSE(there.empty());
  double lowest = 1;
  for (size_t s = goal.size() / 2; s < goal.size(); ++s) lowest = std::min(lowest, there[s].y);
  EXPECT_LT(lowest, .1);  // it has moved
  EXPECT_GE(lowest, .05 + .5 * carried_radius * (1 - 1e-9));
}

TEST(Carry, HalfSpacesStopOnlyWhatIsAtThem) {
  CarriedWorld<float> world({moved(box({.1, .4, .1}, {1, 4, 1}), {0, .21, 0})});
  world.surface.planes = {{.point = {0, 0, 0}, .normal = {0, 1, 0}, .along = {1, 0, 0}}};
  Points goal = world.x;
  for (Vec3d& p : goal) p = p + Vec3d{.3, -.05, 0};
  const Points there = world.carried(goal);
  ASSERT_FALSE(there.empty());
  for (size_t s = 0; s < goal.size(); ++s) {
    EXPECT_GT(there[s].y, 0);
    // They slide, too.
    EXPECT_FLOAT_EQ(static_cast<float>(there[s].x), static_cast<float>(goal[s].x));
    if (world.x[s].y > .1) {
      EXPECT_TRUE(is_same_place(there[s], stored<float>(goal[s])));
    }
  }
}

TEST(Carry, WhatHasNoPlaceToGoStays) {
  CarriedWorld<double> world({box({.1, .1, .1})});
  Points goal = world.x;
  goal[0].x = std::numeric_limits<double>::quiet_NaN();
  for (size_t s = 1; s < goal.size(); ++s) goal[s].y += 1e-3;
  const Points there = world.carried(goal);
  ASSERT_FALSE(there.empty());
  EXPECT_TRUE(is_same_place(there[0], world.x[0]));
  EXPECT_TRUE(is_same_place(there[1], goal[1]));
}

// Two plates are folded to ridges that cross. Their edges, flat at rest, meet before any vertex does.
TEST(Carry, EdgesThatWereFlatStopEachOther) {
  CarriedWorld<double> world({box({.4, .02, .4}, {2, 1, 1}), moved(box({.4, .02, .4}, {1, 1, 2}), {0, .1, 0})});
  for (size_t s = 0; s < world.x.size(); ++s) {
    Vec3d& p = world.x[s];
    p.y += world.body_of(s) == 0 ? -std::abs(p.x) : std::abs(p.z);
  }
  ASSERT_EQ(world.intersections(), 0);
  const Points there = world.carried(world.shifted({{0, 0, 0}, {0, -.2, 0}}));
  ASSERT_FALSE(there.empty());
  for (int k = 1; k <= 50; ++k) ASSERT_EQ(world.intersections_at(there, k / 50.), 0) << k;
}

// Bodies fly at each other, turn and are bent; some are colliders, which stand.
template <class Real>
void expect_no_intersection(unsigned seed, int64_t& whole, int64_t& stopped) {
  Random random(seed);
  ThreadPool one(1), three(3);
  for (int trial = 0; trial < 60; ++trial) {
    std::vector<SurfaceMesh> bodies, colliders;
    for (int k = 0; k < 5; ++k) {
      const Vec3d place = Vec3d{.3 * (k % 2), .3 * (k / 2 % 2), .3 * (k / 4)} + random_vector(random, .02);
      SurfaceMesh mesh = moved(k % 2 ? ball(.1, 2) : box({.15, .15, .15}, {2, 2, 2}), place);
      (k == 3 ? colliders : bodies).push_back(std::move(mesh));
    }
    CarriedWorld<Real> world(bodies, colliders);
    ASSERT_EQ(world.intersections(), 0);
    Points goal = world.x;
    const double size = uniform(random, .01, .5);
    std::vector<Vec3d> ways;
    for (size_t b = 0; b < world.surface.bodies.size(); ++b) ways.push_back(random_vector(random, size));
    for (size_t s = 0; s < goal.size(); ++s) {
      const auto body = static_cast<size_t>(world.surface.body_of[s]);
      goal[s] = turned(goal[s], ways[body], size) + ways[body] + random_vector(random, .02);
    }
    const Points there = world.carried(goal, one);
    const Points by_three = world.carried(goal, three);
    ASSERT_EQ(there.size(), by_three.size());
    for (size_t s = 0; s < there.size(); ++s) {
      ASSERT_TRUE(is_same_place(there[s], by_three[s])) << "on three threads";
      ASSERT_TRUE(is_same_place(there[s], stored<Real>(there[s]))) << "as it is stored";
      ++(is_same_place(there[s], stored<Real>(goal[s])) ? whole : stopped);
    }
    for (int k = 1; k <= 20 && !there.empty(); ++k)
      ASSERT_EQ(world.intersections_at(there, k / 20.), 0) << "trial " << trial << " at " << k;
  }
}

TEST(Carry, NothingMeetsOnTheWayInDouble) {
  int64_t whole = 0, stopped = 0;
  expect_no_intersection<double>(1, whole, stopped);
  EXPECT_GT(whole, 5 * 60);
  EXPECT_GT(stopped, 5 * 60);
}
TEST(Carry, NothingMeetsOnTheWayInSingle) {
  int64_t whole = 0, stopped = 0;
  expect_no_intersection<float>(2, whole, stopped);
  EXPECT_GT(whole, 5 * 60);
  EXPECT_GT(stopped, 5 * 60);
}

}  // namespace
}  // namespace sinew
