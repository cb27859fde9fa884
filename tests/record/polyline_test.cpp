// Source: the promise of record/polyline.h, by brute force.
#include "record/polyline.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/random.h"

namespace sinew {
namespace {

using Line = std::vector<std::array<double, 2>>;

double distance_to(std::array<double, 2> p, std::array<double, 2> a, std::array<double, 2> b) {
  double least = 1e300;
  for (int k = 0; k <= 2000; ++k) {
    const double t = k / 2000.0;
    least = std::min(least, std::hypot(a[0] + t * (b[0] - a[0]) - p[0], a[1] + t * (b[1] - a[1]) - p[1]));
  }
  return least;
}

TEST(Polyline, LeavesOutWhatLiesOnTheLine) {
  Line straight;
  for (int k = 0; k <= 100; ++k) straight.push_back({k * 0.5, 3 - k * 0.25});
  EXPECT_EQ(simplified(straight, 0.01), (std::vector<size_t>{0, 100}));
  straight[40][1] += 1;
  EXPECT_EQ(simplified(straight, 0.01), (std::vector<size_t>{0, 39, 40, 41, 100}));
  EXPECT_EQ(simplified({}, 1), std::vector<size_t>());
  EXPECT_EQ(simplified({{1, 2}}, 1), (std::vector<size_t>{0}));
  EXPECT_EQ(simplified({{1, 2}, {1, 2}, {1, 2}}, 1), (std::vector<size_t>{0, 2}));
}

TEST(Polyline, StaysWithinTheTolerance) {
  support::Random random(5);
  for (const double noise : {0.0, 0.05, 1.0}) {
    Line line;
    for (int k = 0; k < 300; ++k) line.push_back({k * 0.3, 50 * std::exp(-k * 0.02) + noise * random.between(-1, 1)});
    const std::vector<size_t> kept = simplified(line, 0.1);
    if (noise < 0.1) {
      EXPECT_LT(kept.size(), 30u);
    }
    for (size_t n = 0; n + 1 < kept.size(); ++n)
      for (size_t k = kept[n]; k <= kept[n + 1]; ++k)
        ASSERT_LT(distance_to(line[k], line[kept[n]], line[kept[n + 1]]), 0.101) << k;
  }
}

}  // namespace
}  // namespace sinew
