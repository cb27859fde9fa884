// Sines against those of the C library in long double, and known values.
#include "math/sine.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

namespace sinew {
namespace {

// Units in the last place of a number.
double ulps(double a, long double exact) {
  const double near = static_cast<double>(exact);
  const double unit = std::nextafter(std::abs(near), 2.0) - std::abs(near);
  return static_cast<double>(std::abs(static_cast<long double>(a) - exact) / unit);
}

TEST(Sine, IsWithinOneAndAHalfUnits) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> angles(-50, 50), turns(-3600, 3600);
  for (int k = 0; k < 200000; ++k) {
    const double a = angles(random), d = turns(random);
    EXPECT_LT(ulps(sine(a), std::sin(static_cast<long double>(a))), 1.5) << a;
    const long double radians =
        std::remainder(static_cast<long double>(d), 360.0L) * std::numbers::pi_v<long double> / 180;
    // Near whole turns the angle in radians has been rounded.
    if (std::abs(std::remainder(d, 180)) > 0.1) {
      EXPECT_LT(ulps(sine_of_degrees(d), std::sin(radians)), 1.5) << d;
    }
  }
}

TEST(Sine, IsExactAtRightAngles) {
  for (int k = -8; k <= 8; ++k) {
    const double exact = k % 2 == 0 ? 0 : (k % 4 + 4) % 4 == 1 ? 1 : -1;
    EXPECT_EQ(sine_of_degrees(90.0 * k), exact) << k;
  }
  EXPECT_EQ(sine(0), 0);
  EXPECT_EQ(sine_of_degrees(1e-300), 1e-300 * 0.017453292519943295);
  EXPECT_EQ(sine(1e-300), 1e-300);
  EXPECT_DOUBLE_EQ(sine_of_degrees(30), 0.5);
}

}  // namespace
}  // namespace sinew
