// Source: the determinants in integers of 128 bits.
#include "mesh/exact_sign.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <random>

namespace sinew {
namespace {

__extension__ using Wide = __int128;
using Point = std::array<int64_t, 3>;

Vec3d real(const Point& p) {
  return {static_cast<double>(p[0]), static_cast<double>(p[1]), static_cast<double>(p[2])};
}
int sign(Wide a) {
  return (a > 0) - (a < 0);
}
int by_integers(const Point& a, const Point& b, const Point& c, const Point& d) {
  const auto from_a = [&](const Point& p, size_t k) { return Wide{p[k]} - a[k]; };
  const auto minor = [&](size_t i, size_t j) { return from_a(c, i) * from_a(d, j) - from_a(c, j) * from_a(d, i); };
  return sign(from_a(b, 0) * minor(1, 2) + from_a(b, 1) * minor(2, 0) + from_a(b, 2) * minor(0, 1));
}

// Points near a plane through large coordinates, where plain arithmetic cannot tell.
TEST(ExactSign, IsThatOfTheDeterminantInIntegers) {
  std::mt19937_64 random(1);
  const auto number = [&](int64_t most) { return static_cast<int64_t>(random() % (2 * most + 1)) - most; };
  const auto point = [&](int64_t most) { return Point{number(most), number(most), number(most)}; };
  std::array<int, 3> seen{};
  int hard = 0;
  for (int trial = 0; trial < 100000; ++trial) {
    const int64_t large = int64_t{1} << (10 + trial % 28);
    const Point a = point(large), u = point(large), v = point(large);
    Point b, c, d;
    const int64_t i = number(3), j = number(3);
    for (size_t k = 0; k < 3; ++k) {
      b[k] = a[k] + u[k];
      c[k] = a[k] + v[k];
      d[k] = a[k] + i * u[k] + j * v[k] + (trial % 3 ? number(1) : 0);
    }
    const int expected = by_integers(a, b, c, d);
    EXPECT_EQ(orientation(real(a), real(b), real(c), real(d)), expected);
    ++seen[static_cast<size_t>(expected + 1)];
    const Vec3d p = real(b) - real(a), q = real(c) - real(a), r = real(d) - real(a);
    const double plain = dot(cross(p, q), r);
    hard += (plain > 0) - (plain < 0) != expected;
    const Wide area = (Wide{b[0]} - a[0]) * (Wide{d[1]} - a[1]) - (Wide{b[1]} - a[1]) * (Wide{d[0]} - a[0]);
    EXPECT_EQ(orientation(real(a), real(b), real(d), 2), sign(area));
  }
  for (const int count : seen) EXPECT_GT(count, 10000);
  EXPECT_GT(hard, 100);  // the rounded determinant has another sign
}

// A point beside a plane, or a line, by far less than the rounding of differences of coordinates.
TEST(ExactSign, IsExactWhereDifferencesAreNot) {
  const double tiny = std::ldexp(1, -80);
  for (const double height : {-tiny, 0.0, tiny}) {
    const int expected = (height > 0) - (height < 0);
    EXPECT_EQ(orientation({1, 0, 0}, {0, 1, 0}, {-1, -1, 0}, {0.3, 0.1, height}), expected);
    EXPECT_EQ(orientation({0, height, 7}, {12, 12, -1}, {24, 24, 3}, 2), expected);
  }
}

TEST(ExactSign, OfAPlaneIsThatOfTheProductInIntegers) {
  std::mt19937_64 random(2);
  const auto number = [&](int64_t most) { return static_cast<int64_t>(random() % (2 * most + 1)) - most; };
  std::array<int, 3> seen{};
  int hard = 0;
  for (int trial = 0; trial < 100000; ++trial) {
    const int64_t large = int64_t{1} << (10 + trial % 40);
    Point normal{}, p{}, x{};
    // A way across the normal, and one step off the plane or none.
    for (size_t k = 0; k < 3; ++k) {
      normal[k] = number(1000) + 1;
      p[k] = number(large);
    }
    const int64_t i = number(large / 1024), j = number(large / 1024);
    const Point across{i * normal[1], j * normal[2] - i * normal[0], -j * normal[1]};
    for (size_t k = 0; k < 3; ++k) x[k] = p[k] + across[k];
    x[static_cast<size_t>(trial) % 3] += number(1);
    Wide height = 0;
    for (size_t k = 0; k < 3; ++k) height += Wide{normal[k]} * (Wide{x[k]} - p[k]);
    const int expected = sign(height);
    EXPECT_EQ(side_of_plane(real(normal), real(p), real(x)), expected);
    ++seen[static_cast<size_t>(expected + 1)];
    const Vec3d n = real(normal);
    const double plain = dot(n, real(x)) - dot(n, real(p));
    hard += (plain > 0) - (plain < 0) != expected;
  }
  for (const int count : seen) EXPECT_GT(count, 10000);
  EXPECT_GT(hard, 100);
  // A difference that a double does not hold.
  const double tiny = std::ldexp(1, -80);
  for (const double height : {-tiny, 0.0, tiny})
    EXPECT_EQ(side_of_plane({1, 1, 0}, {1, 0, 7}, {1, height, 9}), (height > 0) - (height < 0));
  EXPECT_EQ(side_of_plane({1, 1, 0}, {tiny, 1, 0}, {1, 0, 0}), -1);
}

TEST(ExactSign, TurnsWithTheOrderOfPoints) {
  const Vec3d a{0.1, 0.2, 0.3}, b{1.1, 0.25, 0.35}, c{0.15, 1.2, 0.3}, d{0.2, 0.3, 1.7};
  EXPECT_EQ(orientation(a, b, c, d), 1);
  EXPECT_EQ(orientation(b, a, c, d), -1);
  EXPECT_EQ(orientation(b, c, a, d), 1);
  for (int axis = 0; axis < 3; ++axis) EXPECT_EQ(orientation(a, b, c, axis), -orientation(b, a, c, axis));
  EXPECT_EQ(orientation({0, 0, 5}, {1, 0, 2}, {0, 1, 9}, 2), 1);
  EXPECT_EQ(orientation({5, 0, 0}, {2, 1, 0}, {9, 0, 1}, 0), 1);
  EXPECT_EQ(orientation({0, 5, 0}, {0, 2, 1}, {1, 9, 0}, 1), 1);
}

}  // namespace
}  // namespace sinew
