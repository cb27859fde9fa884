// Source: the promises of contact/limits.h: the same limits for any threads and order of points, one by one or all at
// once.
#include "contact/limits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "contact/limited_world.h"

namespace sinew {
namespace {

using namespace limits_support;

// An arbitrary state of many pairs.
Limited<float> tangle(Points& goal) {
  Random random(7);
  std::vector<SurfaceMesh> bodies;
  for (int k = 0; k < 8; ++k)
    bodies.push_back(moved(ball(.5, 3), {1.02 * (k % 2), 1.02 * (k / 2 % 2), 1.02 * (k / 4)}));
  Limited<float> world(bodies);
  goal = world.x;
  for (Vec3d& x : goal) x += random_vector(random, .2);
  return world;
}

template <class Real>
std::vector<Vec4<Real>> rows(const Points& x) {
  std::vector<Vec4<Real>> rows;
  for (const Vec3d& p : x)
    rows.push_back({static_cast<Real>(p.x), static_cast<Real>(p.y), static_cast<Real>(p.z), static_cast<Real>(2)});
  return rows;
}

TEST(Limits, AreTheSameBitsForAnyThreads) {
  Points goal;
  Limited<float> world = tangle(goal);
  ASSERT_TRUE(world.detect_and_divide(goal, .01).complete());
  const std::vector<Vec4<float>> from = rows<float>(world.x), wanted = rows<float>(goal);
  const int64_t pairs = world.limits.pair_count();
  ASSERT_GT(pairs, 10000);  // more than one thread's share
  std::vector<Vec4<float>> first;
  LimitCounts first_counts;
  double first_step = 0;
  for (const int threads : {1, 2, 4}) {
    ThreadPool pool(threads);
    Limits limits;
    limits.set_boxes(world.surface, world.at(world.x), world.at(goal), .01);
    for (int k = 0; k < 2; ++k)
      ASSERT_TRUE(
          limits.divide(world.surface, world.pairs, world.at(world.x), world.at(goal), world.least, pool).complete());
    std::vector<Vec4<float>> to = wanted;
    const LimitCounts counts = limits.limit_all<Vec4<float>>(from, to, pool);
    const double step = limits.longest_step<Vec4<float>>(from, wanted, pool);
    if (first.empty()) {
      first = to;
      first_counts = counts;
      first_step = step;
    }
    EXPECT_EQ(counts.by_box, first_counts.by_box);
    EXPECT_EQ(counts.by_plane, first_counts.by_plane);
    EXPECT_EQ(step, first_step);
    for (size_t k = 0; k < to.size(); ++k) {
      ASSERT_TRUE(to[k].x == first[k].x && to[k].y == first[k].y && to[k].z == first[k].z);
      ASSERT_EQ(to[k].w, 2);
    }
  }
  // And as points moved one by one, in any order.
  for (size_t k = world.x.size(); k-- > 0;) world.move(static_cast<int32_t>(k), goal[k]);
  for (size_t k = 0; k < first.size(); ++k) ASSERT_EQ(world.x[k].x, static_cast<double>(first[k].x));
  EXPECT_GT(first_counts.by_plane, 100);
  EXPECT_EQ(world.intersections(), 0);
}

// The same points by other numbers, last first.
TEST(Limits, DoNotDependOnTheOrderOfPoints) {
  const auto positions = [](bool reversed) {
    std::vector<SurfaceMesh> bodies{ball(.5, 2), moved(ball(.5, 2), {.9, .3, .2})};
    Random random(8);
    for (SurfaceMesh& mesh : bodies) {
      for (Vec3d& x : mesh.vertices) x += random_vector(random, .01);
      if (!reversed) continue;
      std::reverse(mesh.vertices.begin(), mesh.vertices.end());
      for (Triangle& t : mesh.triangles)
        for (int32_t& p : t) p = static_cast<int32_t>(mesh.vertices.size()) - 1 - p;
    }
    if (reversed) std::reverse(bodies.begin(), bodies.end());
    Limited<double> world(bodies);
    Points goal = world.x;
    for (Vec3d& x : goal) x = x + .1 * (Vec3d{.5, .1, .1} - x) + .05 * Vec3d{std::sin(9 * x.y), std::sin(9 * x.z), 0};
    EXPECT_TRUE(world.detect_and_divide(goal, .01).complete());
    world.move_all(goal);
    EXPECT_GT(world.by_plane, 3);
    if (reversed) std::reverse(world.x.begin(), world.x.end());
    return world.x;
  };
  const Points a = positions(false), b = positions(true);
  for (size_t k = 0; k < a.size(); ++k) {
    const Vec3d off = a[k] - b[k];
    EXPECT_LT(std::sqrt(dot(off, off)), 1e-9) << k;
  }
}

TEST(Limits, FindTheLongestStep) {
  Points goal;
  Limited<float> world = tangle(goal);
  ASSERT_TRUE(world.detect_and_divide(goal, .01).complete());
  const std::vector<Vec4<float>> from = rows<float>(world.x), to = rows<float>(goal);
  ThreadPool& pool = ThreadPool::caller();
  const double t = world.limits.longest_step<Vec4<float>>(from, to, pool);
  EXPECT_GT(t, 0);
  EXPECT_LT(t, 1);
  const auto limited_at = [&](double part) {
    std::vector<Vec4<float>> x = from;
    const auto s = static_cast<float>(part);
    for (size_t k = 0; k < x.size(); ++k) {
      x[k].x += s * (to[k].x - from[k].x);
      x[k].y += s * (to[k].y - from[k].y);
      x[k].z += s * (to[k].z - from[k].z);
    }
    return world.limits.limit_all<Vec4<float>>(from, x, pool).sum();
  };
  EXPECT_EQ(limited_at(t), 0);
  EXPECT_GT(limited_at(1.2 * t), 0);  // it left a tenth of the room
  EXPECT_EQ(world.limits.longest_step<Vec4<float>>(from, from, pool), 1);
}

}  // namespace
}  // namespace sinew
