// Source: two convex sets that are in half spaces without a common point do not meet (planar truncation, arXiv
// 2604.15513). The exact checker of intersections judges (mesh/crossing_triangles.h).
#include "contact/limits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "contact/limited_world.h"
#include "contact/moved_planes.h"

namespace sinew {
namespace {

using namespace limits_support;

template <class Real>
class LimitsIn : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(LimitsIn, Precisions);

// A body that its solver moves as a whole, and then deforms a little, meets nothing: nor does it meet itself.
TYPED_TEST(LimitsIn, LeaveFreeFlightAlone) {
  Random random(3);
  Limited<TypeParam> world({ball(.5, 2)});
  world.least = least_gap(.01, 10, sizeof(TypeParam) == 4);
  for (int step = 0; step < 20; ++step) {
    for (Vec3d& x : world.x) x = stored<TypeParam>(turned(x, {1, 2, 3}, .5) + Vec3d{.5, 0, -.2});
    Points goal = world.x;
    for (Vec3d& x : goal) x += random_vector(random, .02);
    ASSERT_TRUE(world.detect_and_divide(goal, .01).complete());
    world.move_all(goal);
  }
  EXPECT_EQ(world.by_box + world.by_plane, 0);
}

TYPED_TEST(LimitsIn, LetNearPlatesSlide) {
  for (const double gap : {1e-1, 1e-3, 1.5e-5, 5e-6}) {  // the last two are less than twice the least gap
    Limited<TypeParam> world = triangle_over_square<TypeParam>(gap);
    for (const Vec3d way : {Vec3d{.3, .1, 0}, Vec3d{-.2, .2, 0}, Vec3d{-.3, -.3, 0}}) {
      Points goal = world.x;
      for (size_t k = 4; k < goal.size(); ++k) goal[k] += way;
      ASSERT_TRUE(world.detect_and_divide(goal, .01).complete());
      for (int part = 0; part < 10; ++part) {
        Points to = world.x;
        for (size_t k = 4; k < goal.size(); ++k) to[k] = stored<TypeParam>(to[k] + .1 * way);
        world.move_all(to);
      }
    }
    EXPECT_EQ(world.by_box + world.by_plane, 0) << gap;
  }
}

// Tilted, points of a plane are on it but for rounding, on the wrong side as often as not.
TYPED_TEST(LimitsIn, LetTiltedPlatesSlideWithoutLoss) {
  const Vec3d axis{1, 2, .5};
  const double gap = 5e-6, angle = .7;
  Limited<TypeParam> world = triangle_over_square<TypeParam>(gap);
  for (Vec3d& x : world.x) x = stored<TypeParam>(turned(x, axis, angle));
  const Points start = world.x;
  const Vec3d way = turned({.2, .1, 0}, axis, angle);
  for (int part = 0; part < 20; ++part) {
    Points goal = world.x;
    for (size_t k = 4; k < goal.size(); ++k) goal[k] = stored<TypeParam>(start[k] + ((part + 1) / 20.) * way);
    ASSERT_TRUE(world.detect_and_divide(goal, .01).complete());
    world.move_all(goal);
    ASSERT_EQ(world.intersections(), 0);
  }
  for (size_t k = 4; k < start.size(); ++k) {
    const Vec3d off = world.x[k] - (start[k] + way);
    EXPECT_LT(std::sqrt(dot(off, off)), 1e-6);
  }
}

TYPED_TEST(LimitsIn, LetTouchingPairsPartAtFullSpeed) {
  for (const double gap : {5e-6, 1e-6}) {
    Limited<TypeParam> world = triangle_over_square<TypeParam>(gap);
    Points goal = world.x;
    for (size_t k = 4; k < goal.size(); ++k) goal[k].z += 1;
    ASSERT_TRUE(world.detect_and_divide(goal, .01).complete());
    world.move_all(goal);
    EXPECT_EQ(world.by_box + world.by_plane, 0);
  }
}

// However often it is pushed, a pair never gets nearer than a fifth of the least gap, and is free to leave.
TYPED_TEST(LimitsIn, KeepAGapForEver) {
  Limited<TypeParam> world = triangle_over_square<TypeParam>(1e-2);
  for (int push = 0; push < 500; ++push) {
    Points goal = world.x;
    for (size_t k = 4; k < goal.size(); ++k) goal[k].z = -1;
    const Division division = world.detect_and_divide(goal, 0);
    ASSERT_TRUE(division.complete());
    ASSERT_GE(division.smallest_gap, .1999 * world.least);
    world.move_all(goal);
  }
  EXPECT_LT(world.x[4].z, 2 * world.least);  // it did come near
  EXPECT_GT(world.by_plane, 1000);
  Points goal = world.x;
  for (size_t k = 4; k < goal.size(); ++k) goal[k].z = .5;
  ASSERT_TRUE(world.detect_and_divide(goal, 0).complete());
  world.move_all(goal);
  EXPECT_EQ(world.x[4].z, .5);
}

// The side that moves gets the room.
TEST(Limits, ShareTheGapByWhereTheSidesWantToGo) {
  for (const bool both : {false, true}) {
    Limited<double> world = triangle_over_square<double>(.1);
    Points goal = world.x;
    for (size_t k = 4; k < goal.size(); ++k) goal[k].z -= 1;
    for (size_t k = 0; k < 4 && both; ++k) goal[k].z += 1;
    ASSERT_TRUE(world.detect_and_divide(goal, 0).complete());
    world.move_all(goal);
    EXPECT_NEAR(world.x[4].z, both ? .1 - .9 * .045 : .1 - .9 * .9 * .95 * .1, 1e-3);
    EXPECT_NEAR(world.x[0].z, both ? .9 * .045 : 0, 1e-3);
  }
}

// Who does not want to move is not asked, and yet bound by the planes that others get.
TEST(Limits, BindPointsThatAreNotDividedAnew) {
  Limited<double> world = triangle_over_square<double>(.1);
  Points goal = world.x;
  ASSERT_TRUE(world.detect_and_divide(goal, .2).complete());
  for (size_t k = 4; k < goal.size(); ++k) goal[k].z = -.1;
  ASSERT_GT(world.divide(goal).divided, 0);
  EXPECT_EQ(world.divide(world.x).divided, 0);
  world.move_all(goal);
  EXPECT_LT(world.x[4].z, .03);
  for (size_t k = 0; k < 4; ++k) goal[k].z = .04;
  world.move_all(goal);
  EXPECT_EQ(world.intersections(), 0);
  EXPECT_LT(world.x[0].z, .02);
}

TEST(Limits, ReportPairsThatTouch) {
  // The triangle lies on the square, or sticks through it, or has an edge on the square's edge.
  for (const Vec3d by : {Vec3d{0, 0, -.1}, Vec3d{0, 0, -.1} + Vec3d{.6, 0, 0}, Vec3d{.5, 0, -.1}}) {
    Limited<double> world = triangle_over_square<double>(.1);
    for (size_t k = 4; k < 7; ++k) world.x[k] += by;
    if (by.x == 0) world.x[6].z -= .1;
    Points goal = world.x;
    for (size_t k = 4; k < 7; ++k) goal[k].z += .5;
    const Division division = world.detect_and_divide(goal, .1);
    ASSERT_FALSE(division.complete());
    ASSERT_GT(world.intersections(), 0);

    // Who is part of such a pair stays.
    const Points before = world.x;
    world.move_all(goal);
    EXPECT_EQ(world.x[6].z, before[6].z);

    // Until it is moved by something else.
    world.x = goal;
    ASSERT_TRUE(world.detect_and_divide(before, .1).complete());
    world.move_all(before);
    EXPECT_GT(world.x[6].z, before[6].z);
    EXPECT_EQ(world.intersections(), 0);
  }
}

// Where a gap is too narrow for a new plane, an earlier one still holds. (Without a least gap, which prevents it.)
TEST(Limits, KeepEarlierPlanes) {
  Random random(4);
  int64_t kept = 0;
  for (int k = 0; k < 100; ++k) {
    Limited<double> world = triangle_over_square<double>(.1);
    world.least = 0;
    const Vec3d axis = random_vector(random, 1), down = turned({.1, .2, -1}, axis, 1);
    for (Vec3d& x : world.x) x = turned(x, axis, 1);
    for (int push = 0; push < 40; ++push) {
      Points goal = world.x;
      for (size_t v = 4; v < 7; ++v) goal[v] += down;
      // The list of candidates changes from time to time.
      const Division division = push % 3 ? world.divide(goal) : world.detect_and_divide(goal, push % 2 ? 0 : .3);
      if (push % 3 == 0) {
        ASSERT_TRUE(division.complete());
      }
      kept += division.kept;
      world.move_all(goal);
      ASSERT_EQ(world.intersections(), 0);
    }
  }
  EXPECT_GT(kept, 0);
}

TEST(Limits, DivideWhatHasNoArea) {
  // A sliver, a triangle on a line and one at a point, above a square.
  for (const Points& corners :
       {Points{{.2, .2, .1}, {.8, .2, .1}, {.5, .2 + 1e-12, .1}}, Points{{.2, .2, .1}, {.8, .2, .1}, {.5, .2, .1}},
        Points{{.2, .2, .1}, {.2, .2, .1}, {.2, .2, .1}}}) {
    Limited<double> world({square(0), {.vertices = corners, .triangles = {{0, 1, 2}}}});
    for (int push = 0; push < 30; ++push) {
      Points goal = world.x;
      for (size_t k = 4; k < 7; ++k) goal[k].z -= 1;
      ASSERT_TRUE(world.detect_and_divide(goal, 0).complete());
      world.move_all(goal);
      ASSERT_EQ(world.intersections(), 0);
    }
    EXPECT_LT(world.x[4].z, .01);
    EXPECT_GT(world.x[4].z, 0);
  }
}

TEST(Limits, StopWhatIsNoNumber) {
  Limited<double> world = triangle_over_square<double>(.1);
  Points goal = world.x;
  ASSERT_TRUE(world.detect_and_divide(goal, .01).complete());
  const Points before = world.x;
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    for (Vec3d& x : goal) x.y = bad;
    world.move_all(goal);
    for (size_t k = 0; k < before.size(); ++k) {
      EXPECT_TRUE(std::isfinite(world.x[k].y));
      EXPECT_NEAR(world.x[k].y, before[k].y, .011);
    }
    ASSERT_TRUE(world.divide(goal).complete());
    for (Vec3d& x : world.x) x.y += 1;
    EXPECT_EQ(world.divide(before).outside, 7);  // of what something else has moved
    world.x = before;
  }
}

TYPED_TEST(LimitsIn, KeepPointsInTheirBoxes) {
  Random random(5);
  Limited<TypeParam> world({moved(ball(.5, 1), {10, 20, 30})});
  Points goal = world.x;
  for (Vec3d& x : goal) x += random_vector(random, .02);
  const double slack = .01;
  ASSERT_TRUE(world.detect_and_divide(goal, slack).complete());
  const Points start = world.x;
  for (int k = 0; k < 2000; ++k) {
    const size_t p = random() % world.x.size();
    world.move(static_cast<int32_t>(p), world.x[p] + random_vector(random, .02));
    for (double Vec3d::*c : {&Vec3d::x, &Vec3d::y, &Vec3d::z}) {
      EXPECT_GE(world.x[p].*c, std::min(start[p].*c, goal[p].*c) - slack);
      EXPECT_LE(world.x[p].*c, std::max(start[p].*c, goal[p].*c) + slack);
    }
  }
  EXPECT_GT(world.by_box, 100);
  EXPECT_EQ(world.by_plane, 0);
}

TYPED_TEST(LimitsIn, KeepVerticesAboveHalfSpaces) {
  Limited<TypeParam> world({{.vertices = {{.5, 0, .1}, {-.2, .4, 0}, {-.2, -.4, -.1}}, .triangles = {{0, 1, 2}}}});
  world.least = least_gap(.01, 1, sizeof(TypeParam) == 4);
  const Vec3d n = turned({0, 0, 1}, {1, 2, 0}, .3);
  ContactPlane floor{.collider = 0, .group = 0, .point = -.6 * n, .normal = n};
  const auto lowest = [&] {
    double h = 1;
    for (const Vec3d& x : world.x) h = std::min(h, dot(n, x - floor.point));
    return h;
  };
  const auto pushed = [&](double by) {
    Points goal = world.x;
    for (Vec3d& x : goal) x += by * n;
    return goal;
  };
  for (int k = 0; k < 100; ++k) {
    const Points goal = pushed(-1);
    ASSERT_TRUE(world.detect_and_divide(goal, .01, {&floor, 1}).complete());
    world.move_all(goal);
    ASSERT_GT(lowest(), 0);
  }
  EXPECT_LT(lowest(), 2 * world.least);
  EXPECT_GT(lowest(), .19 * world.least);

  const auto moved = [&](const ContactPlane& now, const ContactPlane& to) {
    return moved_planes(world.surface, {&now, 1}, {&to, 1}, 0, world.at(world.x), world.least)[0];
  };

  // It comes up, and stops at them; they leave it.
  ContactPlane wanted = floor;
  wanted.point += .05 * n;
  const ContactPlane stopped = moved(floor, wanted);
  EXPECT_NEAR(dot(n, stopped.point - floor.point), 0, 2 * world.least);
  const int64_t before = world.by_plane;
  const Points away = pushed(.1);
  ASSERT_TRUE(world.detect_and_divide(away, .01, {&stopped, 1}).complete());
  world.move_all(away);
  EXPECT_EQ(world.by_plane, before);
  const ContactPlane reached = moved(stopped, wanted);
  EXPECT_EQ(dot(n, reached.point - wanted.point), 0);

  // What turns stops too.
  ContactPlane turning = reached;
  turning.normal = turned(n, {1, 0, 0}, .8);
  turning.point = .05 * turning.normal;
  floor = moved(reached, turning);
  for (const Vec3d& x : world.x) EXPECT_GT(dot(floor.normal, x - floor.point), 0);
  EXPECT_NE(floor.normal.x, reached.normal.x);

  // Starts below it are reported.
  ASSERT_TRUE(world.detect_and_divide(away, 0, {&floor, 1}).complete());
  world.x[1] = floor.point - .01 * floor.normal;
  const Division division = world.detect_and_divide(world.x, 10, {&floor, 1});
  EXPECT_EQ(division.vertex_plane, (std::vector<std::array<int32_t, 2>>{{1, 0}}));
}

TEST(Limits, LeaveOtherPointsAlone) {
  Limited<double> world = triangle_over_square<double>(.1);
  world.surface.rest.push_back({5, 5, 5});  // inside a body
  world.surface.body_of.push_back(-1);
  world.surface.slot_count = world.surface.point_count();
  world.x.push_back({5, 5, 5});
  ASSERT_TRUE(world.detect_and_divide(world.x, 0).complete());
  EXPECT_EQ(world.move(7, {-1e9, 0, 0}), StoppedBy::none);
  EXPECT_EQ(world.move(0, {-1e9, 0, 0}), StoppedBy::box);
}

}  // namespace
}  // namespace sinew
