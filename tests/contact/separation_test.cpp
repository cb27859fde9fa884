// Source: separating planes. Two convex sets are apart iff a plane lies between them; the exact checker of
// intersections (mesh/crossing_triangles.h) says whether they are.
#include "contact/separation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "mesh/crossing_triangles.h"

namespace sinew {
namespace {

using Corners = std::array<Vec3d, 4>;

bool meet(const Corners& x, int first_side) {
  return first_side == 1 ? triangles_meet({x[0], x[0], x[0]}, {x[1], x[2], x[3]})
                         : triangles_meet({x[0], x[1], x[1]}, {x[2], x[3], x[3]});
}

// On a small grid most triangles and segments are parallel, touch, or lack area or length; and those that are apart
// are so by far more than rounding.
TEST(Separation, IsFoundExactlyWhereSidesAreApart) {
  std::mt19937 random(1);
  for (const int size : {1, 2, 3, 9}) {
    std::uniform_int_distribution<int> coordinate(0, size);
    int apart = 0;
    for (int k = 0; k < 20000; ++k) {
      Corners x;
      for (Vec3d& p : x) p = {double(coordinate(random)), double(coordinate(random)), double(coordinate(random))};
      for (const int first_side : {1, 2}) {
        const bool found = separate(x, first_side).gap() > 0;
        ASSERT_EQ(found, !meet(x, first_side)) << size << " " << k << " " << first_side;
        apart += found;
      }
    }
    EXPECT_GT(apart, 1000);
    EXPECT_LT(apart, 39900);
  }
}

// Both sides of a thin gap, at any angle and place.
TEST(Separation, IsAsWideAsTheGap) {
  std::mt19937 random(2);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> unit(0, 1);
  const auto vector = [&] { return Vec3d{normal(random), normal(random), normal(random)}; };
  for (int k = 0; k < 20000; ++k) {
    const Vec3d a = vector(), b = vector(), c = vector();
    const Vec3d across = cross(b - a, c - a);
    const double gap = std::pow(10., -7 * unit(random));
    const Vec3d n = (1 / std::sqrt(dot(across, across))) * across;
    const double p = unit(random), q = unit(random);
    {
      const double u = std::min(p, q), v = std::abs(p - q);
      const Vec3d foot = a + (u * (b - a) + v * (c - a));
      const Separation s = separate({foot + gap * n, a, b, c}, 1);
      EXPECT_NEAR(s.gap(), gap, 1e-2 * gap + 1e-14);
    }
    {  // segments that cross, one above the other
      const Vec3d u = b - a, v = c - a, crossing = vector();
      const Separation s = separate(
          {crossing - p * u + gap * n, crossing + (1 - p) * u + gap * n, crossing - q * v, crossing + (1 - q) * v}, 2);
      EXPECT_NEAR(s.gap(), gap, 1e-2 * gap + 1e-14);
    }
  }
}

TEST(Separation, OfWhatIsNotFiniteIsNone) {
  const double none = std::numeric_limits<double>::quiet_NaN(), infinite = std::numeric_limits<double>::infinity();
  for (const double bad : {none, infinite, -infinite}) {
    for (size_t corner = 0; corner < 4; ++corner) {
      for (const int first_side : {1, 2}) {
        Corners x{Vec3d{0, 0, 1}, Vec3d{1, 0, first_side == 1 ? 0. : 1.}, Vec3d{0, 1, 0}, Vec3d{0, 0, 0}};
        ASSERT_GT(separate(x, first_side).gap(), 0);
        x[corner].y = bad;
        EXPECT_FALSE(separate(x, first_side).gap() > 0) << bad << " " << corner << " " << first_side;
      }
    }
  }
}

}  // namespace
}  // namespace sinew
