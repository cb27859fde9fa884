// Source: the guarantee of bit-identical results for any number of threads, and the kernels that solver/sweep.h says
// are found.
#include "solver/sweep.h"

#include <gtest/gtest.h>

#include <atomic>
#include <vector>

#include "sinew/lanes.h"
#include "solver/sweep_case.h"
#include "solver/sweep_solver.h"

namespace sinew {
namespace {

TEST(Kernels, AreFoundByTheirWidth) {
  for (const int lanes : lane_counts()) EXPECT_EQ(kernels_with_lanes(lanes)->float_lanes, lanes);
  EXPECT_EQ(kernels_with_lanes(0)->float_lanes, lane_counts().back()) << "the widest";
  for (const int lanes : lane_counts()) {
    ASSERT_TRUE(set_lanes(lanes).ok());
    EXPECT_EQ(kernels_with_lanes(0), kernels_with_lanes(lanes)) << "those that were chosen";
  }
  ASSERT_TRUE(set_lanes(0).ok());
  for (const int lanes : {2, 3, 5, 32, -1}) EXPECT_EQ(kernels_with_lanes(lanes), nullptr);
  EXPECT_GE(lane_counts().size(), 2u) << "scalar and four lanes are everywhere";
}

// With all threads on one colour at a time, every batch is visited once, in the order of the colours.
TEST(Colors, AreSweptInOrderByAllThreads) {
  const std::vector<int32_t> begin{0, 5, 5, 12, 13};
  for (const int threads : {1, 2, 3}) {
    for (const int64_t grain : {1, 3, 100}) {
      ThreadPool pool(threads);
      std::vector<int> visits(13);
      std::atomic<int> finished{0}, faults{0};
      for_each_color(pool, begin, grain, [&](int32_t color, int64_t first, int64_t last) {
        faults += finished < begin[color];  // an earlier colour is not finished
        for (int64_t b = first; b < last; ++b) ++visits[b];
        finished += static_cast<int>(last - first);
      });
      EXPECT_EQ(visits, std::vector<int>(13, 1));
      EXPECT_EQ(faults, 0);
    }
  }
}

}  // namespace
}  // namespace sinew
