// Source: math/exp.h; the C library's exponential function. Every lane has the bits of the scalar, and those within the
// range are within two units of the last place.
#include "math/exp.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/random.h"

namespace sinew {
namespace {

using support::Random;

template <class Real>
void compare_with_library(double range) {
  Random random(2);
  for (int k = 0; k < 20000; ++k) {
    const auto x = static_cast<Real>(random.between(-range, range));
    const Real expected = std::exp(x);
    EXPECT_NEAR(exp<Real>(x), expected, 2 * std::numeric_limits<Real>::epsilon() * expected) << x;
  }
}

TEST(Exp, IsTheExponentialFunction) {
  compare_with_library<double>(3);
  compare_with_library<double>(700);
  compare_with_library<float>(3);
  compare_with_library<float>(86);
  EXPECT_EQ(exp(0.0), 1);
  EXPECT_EQ(exp(1e9), exp(708.0)) << "beyond its range it stays what it is there";
  EXPECT_EQ(exp(-1e9), exp(-708.0));
}

TEST(Exp, HasTheScalarsBitsInEveryLane) {
  using T = Lane<float, 8>;
  Random random(3);
  for (int k = 0; k < 1000; ++k) {
    T x{};
    for (int lane = 0; lane < 8; ++lane) x[lane] = static_cast<float>(random.between(-20, 20));
    const T y = exp(x);
    for (int lane = 0; lane < 8; ++lane) EXPECT_EQ(y[lane], exp(x[lane]));
  }
}

}  // namespace
}  // namespace sinew
