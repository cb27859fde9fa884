// Source: Martins and Astudillo (2016), the definition of sparsemax as a minimum over weights; Quilez's polynomial for
// two numbers.
#include "meshing/smooth_minimum.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/random.h"

namespace sinew {
namespace {

using support::Random;

double smooth_minimum(double k, const std::vector<double>& numbers) {
  SmoothMinimum<double> least(k);
  for (const double d : numbers) least.add(d);
  return least.value();
}

TEST(SmoothMinimum, OfTwoIsThePolynomial) {
  Random random(1);
  for (int trial = 0; trial < 1000; ++trial) {
    const double a = random.normal(), b = random.normal(), k = random.between(0.01, 3);
    const double h = std::max(k - std::abs(a - b), 0.0) / k;
    EXPECT_NEAR(smooth_minimum(k, {a, b}), std::min(a, b) - k * h * h / 4, 1e-14);
    EXPECT_EQ(smooth_minimum(0, {a, b}), std::min(a, b));
  }
}

// No weights of a fine grid on the simplex of three give less, and some give nearly as little.
TEST(SmoothMinimum, OfThreeIsTheLeastOverWeights) {
  Random random(2);
  for (int trial = 0; trial < 100; ++trial) {
    const double a = random.normal(), b = random.normal(), c = random.normal(), k = random.between(0.1, 3);
    const double found = smooth_minimum(k, {a, b, c});
    double least = 1e9;
    constexpr int steps = 200;
    for (int i = 0; i <= steps; ++i)
      for (int j = 0; i + j <= steps; ++j) {
        const double p = double(i) / steps, q = double(j) / steps, r = 1 - p - q;
        least = std::min(least, p * a + q * b + r * c - k / 2 * (1 - p * p - q * q - r * r));
      }
    EXPECT_LE(found, least + 1e-14);
    EXPECT_GE(found, least - k * 2.0 / (steps * steps));  // curvature times half a step squared, three times
  }
}

TEST(SmoothMinimum, DependsNeitherOnOrderNorOnWhatIsFar) {
  Random random(3);
  for (int trial = 0; trial < 500; ++trial) {
    const double k = random.between(0.1, 2);
    std::vector<double> numbers(random.below(12) + 1);
    for (double& d : numbers) d = random.normal();
    const double value = smooth_minimum(k, numbers), least = *std::min_element(numbers.begin(), numbers.end());
    EXPECT_LE(value, least + 1e-15);
    EXPECT_GE(value, least - k / 2);
    std::vector<double> other = numbers;
    other.push_back(std::nextafter(least + k, 1e9));
    other.push_back(least + k + random.between(0, 5));
    std::reverse(other.begin(), other.end());
    EXPECT_EQ(smooth_minimum(k, other), value);
    // All moved equally, and each moved by at most that.
    for (double& d : other) d += random.between(-0.01, 0.01);
    EXPECT_NEAR(smooth_minimum(k, other), value, 0.01);
  }
}

}  // namespace
}  // namespace sinew
