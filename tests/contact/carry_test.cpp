// Source: intersections are counted with exact predicates at many times of the motion.
#include "contact/carry.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "contact/limited_world.h"

namespace sinew {
namespace {

using namespace limits_support;

template <class Real>
struct Carried : World<Real> {
  using World<Real>::World;
  using World<Real>::surface;
  using World<Real>::x;

  SurfaceTree tree;
  IgnoredPairs ignored;

  Points to(const Points& goal, ThreadPool& pool) {
    tree.build(surface, pool);
    const auto slots = static_cast<size_t>(surface.slot_count);
    return carry({.surface = &surface,
                  .from = std::span(x).first(slots),
                  .to = std::span(goal).first(slots),
                  .single = std::is_same_v<Real, float>,
                  .colliders = std::span(x).subspan(slots),
                  .planes = surface.planes,
                  .ignored = &ignored,
                  .leave_out = [](CandidatePairs&) {},
                  .radius = 0.02,
                  .least_gap = 1e-5},
                 tree, pool);
  }
  // Where all points are at a part of the way.
  World<Real> at_part(const Points& there, double t) const {
    World<Real> world = *this;
    for (size_t s = 0; s < there.size(); ++s) world.x[s] = x[s] + t * (there[s] - x[s]);
    return world;
  }
};

bool is_at(Vec3d a, Vec3d b) {
  return a.x == b.x && a.y == b.y && a.z == b.z;
}

TEST(Carry, WhatIsFreeGoesAllTheWay) {
  Carried<float> world({ball(.1, 3), moved(ball(.1, 3), {.5, 0, 0})});
  Points goal = world.x;
  for (size_t s = 0; s < goal.size(); ++s)
    goal[s] = turned(goal[s], {0, 0, 1}, 1) + Vec3d{.1, 2, .3};  // about a common axis, by many radii
  const Points there = world.to(goal, ThreadPool::caller());
  ASSERT_EQ(there.size(), goal.size());
  for (size_t s = 0; s < goal.size(); ++s) EXPECT_TRUE(is_at(there[s], stored<float>(goal[s]))) << s;
}

TEST(Carry, WhatWouldMeetStopsWithPartOfItsGap) {
  Carried<double> world({box({.1, .1, .1}), moved(box({.1, .1, .1}), {0, .2, 0})});
  Points goal = world.x;
  for (size_t s = goal.size() / 2; s < goal.size(); ++s) goal[s].y -= .3;
  const Points there = world.to(goal, ThreadPool::caller());
  ASSERT_FALSE(there.empty());
  double lowest = 1;
  for (size_t s = goal.size() / 2; s < goal.size(); ++s) lowest = std::min(lowest, there[s].y);
  EXPECT_LT(lowest, .1);  // it has moved
  EXPECT_GE(lowest, .05 + .5 * .02 * (1 - 1e-9));
}

TEST(Carry, HalfSpacesStopOnlyWhatIsAtThem) {
  Carried<float> world({moved(box({.1, .4, .1}, {1, 4, 1}), {0, .21, 0})});
  world.surface.planes = {{.point = {0, 0, 0}, .normal = {0, 1, 0}, .along = {1, 0, 0}}};
  Points goal = world.x;
  for (Vec3d& p : goal) p = p + Vec3d{.3, -.05, 0};
  const Points there = world.to(goal, ThreadPool::caller());
  ASSERT_FALSE(there.empty());
  for (size_t s = 0; s < goal.size(); ++s) {
    EXPECT_GT(there[s].y, 0);
    // They slide, too.
    EXPECT_FLOAT_EQ(static_cast<float>(there[s].x), static_cast<float>(goal[s].x));
    if (world.x[s].y > .1) {
      EXPECT_TRUE(is_at(there[s], stored<float>(goal[s])));
    }
  }
}

TEST(Carry, WhatHasNoPlaceToGoStays) {
  Carried<double> world({box({.1, .1, .1})});
  Points goal = world.x;
  goal[0].x = std::numeric_limits<double>::quiet_NaN();
  for (size_t s = 1; s < goal.size(); ++s) goal[s].y += 1e-3;
  const Points there = world.to(goal, ThreadPool::caller());
  ASSERT_FALSE(there.empty());
  EXPECT_TRUE(is_at(there[0], world.x[0]));
  EXPECT_TRUE(is_at(there[1], goal[1]));
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
    Carried<Real> world(bodies, colliders);
    ASSERT_EQ(world.intersections(), 0);
    Points goal = world.x;
    const double size = uniform(random, .01, .5);
    std::vector<Vec3d> ways;
    for (size_t b = 0; b < world.surface.bodies.size(); ++b) ways.push_back(random_vector(random, size));
    for (size_t s = 0; s < goal.size(); ++s) {
      const auto body = static_cast<size_t>(world.surface.body_of[s]);
      goal[s] = turned(goal[s], ways[body], size) + ways[body] + random_vector(random, .02);
    }
    const Points there = world.to(goal, one);
    const Points by_three = world.to(goal, three);
    ASSERT_EQ(there.size(), by_three.size());
    for (size_t s = 0; s < there.size(); ++s) {
      ASSERT_TRUE(is_at(there[s], by_three[s])) << "on three threads";
      ASSERT_TRUE(is_at(there[s], stored<Real>(there[s]))) << "as it is stored";
      ++(is_at(there[s], stored<Real>(goal[s])) ? whole : stopped);
    }
    for (int k = 1; k <= 20 && !there.empty(); ++k)
      ASSERT_EQ(world.at_part(there, k / 20.).intersections(), 0) << "trial " << trial << " at " << k;
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
