// Source: the definition of least squares: the residual is orthogonal to every column.
#include "accel/least_squares.h"

#include <gtest/gtest.h>

#include <deque>

#include "support/random.h"

namespace sinew {
namespace {

using Doubles = Column<double>;
using Window = ColumnWindow<Doubles, 8>;

Doubles random_column(size_t length, support::Random& random) {
  Doubles column(length);
  for (double& v : column) v = random.between(-1, 1);
  return column;
}

// Columns are added and removed: after each change the window solves the problem of its current columns.
TEST(ColumnWindow, SolvesForTheColumnsItHolds) {
  support::Random random(3);
  ThreadPool pool(2);
  for (const size_t length : {size_t{9}, size_t{30001}}) {
    Window window;
    std::deque<Doubles> held;
    const Doubles right = random_column(length, random);
    for (int round = 0; round < 20; ++round) {
      if (round % 7 == 6) {
        window.drop_oldest(pool);
        held.pop_front();
      }
      if (held.size() == 6) {
        window.drop_oldest(pool);
        held.pop_front();
      }
      held.push_back(random_column(length, random));
      ASSERT_TRUE(window.add(held.back(), pool));
      ASSERT_EQ(window.size(), static_cast<int>(held.size()));
      const auto c = window.solve(right, pool);
      Doubles rest = right;
      for (size_t j = 0; j < held.size(); ++j) {
        for (size_t i = 0; i < length; ++i) rest[i] -= c[j] * held[j][i];
      }
      for (size_t j = 0; j < held.size(); ++j) {
        // Round-off of sums of `length` products below 1.
        EXPECT_NEAR(dot_piece(rest.data(), held[j].data(), static_cast<int64_t>(length)), 0,
                    1e-15 * static_cast<double>(length));
      }
    }
  }
}

TEST(ColumnWindow, TellsHowDependentColumnsAre) {
  support::Random random(5);
  ThreadPool pool(1);
  Window window;
  const Doubles first = random_column(100, random), other = random_column(100, random);
  Doubles close = first;
  for (size_t i = 0; i < close.size(); ++i) close[i] += 1e-7 * other[i];
  EXPECT_TRUE(window.add(first, pool));
  EXPECT_EQ(window.diagonal_ratio(), 1);
  EXPECT_TRUE(window.add(close, pool));
  EXPECT_LT(window.diagonal_ratio(), 1e-6);
  EXPECT_GT(window.diagonal_ratio(), 1e-8);
  window.drop_oldest(pool);
  EXPECT_EQ(window.diagonal_ratio(), 1);
  EXPECT_FALSE(window.add(Doubles(100, 0.0), pool)) << "a zero column";
  EXPECT_EQ(window.size(), 1);
}

TEST(ColumnWindow, HasTheSameBitsForAnyNumberOfThreads) {
  constexpr size_t length = 200000;  // several chunks per thread
  Window::Coefficients expected{};
  for (const int threads : {1, 2, 4}) {
    support::Random random(7);
    ThreadPool pool(threads);
    Window window;
    for (int k = 0; k < 5; ++k) window.add(random_column(length, random), pool);
    window.drop_oldest(pool);
    const auto c = window.solve(random_column(length, random), pool);
    if (threads == 1) expected = c;
    EXPECT_EQ(c, expected) << threads << " threads";
  }
}

}  // namespace
}  // namespace sinew
