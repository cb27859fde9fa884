// Source: the definition of a stable sort (std::stable_sort), for any number of threads.
#include "exec/counting_sort.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

namespace sinew {
namespace {

TEST(CountingSort, IsStableForAnyNumberOfThreads) {
  std::mt19937 engine(1);
  for (const auto& [count, keys] : {std::pair{0, 3}, {5, 1}, {1000, 30}, {40000, 7}, {200000, 50000}}) {
    std::vector<int32_t> key(static_cast<size_t>(count)), expected(key.size());
    for (int32_t& k : key) k = static_cast<int32_t>(engine() % static_cast<uint32_t>(keys));
    std::iota(expected.begin(), expected.end(), 0);
    std::stable_sort(expected.begin(), expected.end(), [&](int32_t a, int32_t b) { return key[a] < key[b]; });
    for (const int threads : {1, 2, 3, 4, 11}) {
      ThreadPool pool(threads);
      std::vector<int64_t> begin{99};
      std::vector<int32_t> items{99};
      counting_sort(
          pool, count, static_cast<size_t>(keys), [&](int64_t k) { return key[k]; }, begin, items);
      EXPECT_EQ(items, expected) << threads;
      ASSERT_EQ(begin.size(), static_cast<size_t>(keys) + 1);
      EXPECT_EQ(begin.front(), 0);
      EXPECT_EQ(begin.back(), count);
      for (int32_t k = 0; k < keys; ++k) {
        for (int64_t at = begin[k]; at < begin[k + 1]; ++at) ASSERT_EQ(key[items[at]], k);
      }
    }
  }
}

}  // namespace
}  // namespace sinew
