// Expectations: brute force over all earlier samples of the shard.
#include "dataset/continuation.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sinew {
namespace {

DatasetPlan three_numbers() {
  DatasetPlan plan;
  plan.samples = 60;
  plan.start = DatasetStart::nearest;
  for (const double width : {1.0, 1e6, 1e-3}) {
    plan.parameters.emplace_back();
    plan.parameters.back().spread = DatasetRange{0, width};
  }
  return plan;
}

TEST(Continuation, BeginsFromTheNearestEarlierSampleOfTheShard) {
  const DatasetPlan plan = three_numbers();
  const std::vector<double> table = dataset_parameters(plan);
  const double widths[] = {1.0, 1e6, 1e-3};  // those of the table are within a few per cent
  for (const auto& [first, last] : {std::pair<int64_t, int64_t>{0, 30}, {30, 60}}) {
    const std::vector<int64_t> parents = parents_of(plan, table, first, last);
    EXPECT_EQ(parents[0], -1);
    for (int64_t k = first + 1; k < last; ++k) {
      const auto distance = [&](int64_t other) {
        double sum = 0;
        for (size_t p = 0; p < 3; ++p)
          sum += std::pow(
              (table[static_cast<size_t>(3 * k) + p] - table[static_cast<size_t>(3 * other) + p]) / widths[p], 2);
        return std::sqrt(sum);
      };
      const int64_t parent = parents[static_cast<size_t>(k - first)];
      ASSERT_GE(parent, first);
      ASSERT_LT(parent, k);
      for (int64_t other = first; other < k; ++other) EXPECT_LE(distance(parent), 1.1 * distance(other));
    }
  }
}

TEST(Continuation, BeginsFromRestWherePlanned) {
  DatasetPlan plan = three_numbers();
  plan.start = DatasetStart::rest;
  EXPECT_EQ(parents_of(plan, dataset_parameters(plan), 0, 60), std::vector<int64_t>(60, -1));
}

}  // namespace
}  // namespace sinew
