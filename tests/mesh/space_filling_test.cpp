// Source: Morton's code (1966), interleaved bit by bit here.
#include "mesh/space_filling.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace sinew {
namespace {

std::vector<int32_t> iota(size_t count) {
  std::vector<int32_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  return order;
}

// Points on a cubic grid whose side is a power of two: their codes are the interleaved bits of their coordinates.
TEST(SpaceFilling, FollowsTheMortonCode) {
  constexpr int n = 8;
  std::vector<Vec3d> points;
  std::vector<uint32_t> code;
  for (int i = 0; i < n * n * n; ++i) {
    const int x = i % n, y = i / n % n, z = i / (n * n);
    points.push_back({1.0 + x, -5.0 + y, 0.0 + z});
    uint32_t c = 0;
    for (int bit = 0; bit < 3; ++bit) {
      c |= static_cast<uint32_t>((x >> bit & 1) | (y >> bit & 1) << 1 | (z >> bit & 1) << 2) << (3 * bit);
    }
    code.push_back(c);
  }
  std::vector<int32_t> expected = iota(points.size());
  std::stable_sort(expected.begin(), expected.end(), [&](int32_t a, int32_t b) { return code[a] < code[b]; });
  EXPECT_EQ(space_filling_order(points), expected);
}

TEST(SpaceFilling, VisitsEveryPointOnceAndKeepsNeighboursNear) {
  std::mt19937 engine(1);
  std::uniform_real_distribution<double> uniform(-3, 7);
  std::vector<Vec3d> points;
  for (int k = 0; k < 20000; ++k) points.push_back({uniform(engine), uniform(engine), uniform(engine)});
  std::vector<int32_t> order = space_filling_order(points);
  // Steps along the curve compared with steps in random order: 20 000 points in a cube of side 10 lie 0.37 apart,
  // random pairs 6.6. The curve jumps now and then.
  double along = 0;
  for (size_t k = 1; k < order.size(); ++k) {
    const Vec3d d = points[order[k]] - points[order[k - 1]];
    along += std::sqrt(dot(d, d));
  }
  EXPECT_LT(along / 20000, 1.0);
  std::sort(order.begin(), order.end());
  EXPECT_EQ(order, iota(points.size()));
}

TEST(SpaceFilling, IsTheSameForAnyNumberOfThreads) {
  std::mt19937 engine(2);
  std::uniform_real_distribution<double> uniform(-3, 7);
  std::vector<Vec3d> points;
  for (int k = 0; k < 90000; ++k) points.push_back({uniform(engine), 0.5, std::round(uniform(engine))});
  const std::vector<int32_t> one = space_filling_order(points);
  for (const int threads : {2, 3, 4}) {
    ThreadPool pool(threads);
    EXPECT_EQ(space_filling_order(points, pool), one);
  }
}

TEST(SpaceFilling, TiesAndFlatSetsKeepTheirOrder) {
  EXPECT_TRUE(space_filling_order({}).empty());
  EXPECT_EQ(space_filling_order({{2, 3, 4}}), iota(1));
  EXPECT_EQ(space_filling_order(std::vector<Vec3d>(5, Vec3d{1, 1, 1})), iota(5));
  EXPECT_EQ(space_filling_order({{0, 0, 0}, {3, 0, 0}, {1, 0, 0}, {2, 0, 0}, {1, 0, 0}}),
            (std::vector<int32_t>{0, 2, 4, 3, 1}));
}

// The scale is that of the longest side: a beam's cells stay cubes.
TEST(SpaceFilling, UsesOneScaleForAllAxes) {
  // Along x the beam is 8 long, along y 1: the first split separates x below 4 from above.
  const std::vector<Vec3d> points{{7, 0, 0}, {0, 1, 0}, {3, 0, 0}, {8, 1, 0}};
  EXPECT_EQ(space_filling_order(points), (std::vector<int32_t>{1, 2, 0, 3}));
}

}  // namespace
}  // namespace sinew
