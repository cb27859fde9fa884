// Source: A x = b, checked by multiplying; docs/theory.md, section 9.2, for what is skipped: |det A| <= eps |A|^3.
#include "math/solve.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/random.h"

namespace sinew {
namespace {

using support::full;
using support::Random;
using support::size;

constexpr double skip_below = 1e-12;

Sym3<double> symmetric(Mat3d q, Vec3d w) {
  Sym3<double> a{};
  add_outer(a, w.x, q.c0);
  add_outer(a, w.y, q.c1);
  add_outer(a, w.z, q.c2);
  return a;
}

// The adjugate of a matrix with condition number c loses a factor of about c^2 in accuracy at worst.
TEST(Solve, DefiniteAndIndefiniteMatrices) {
  Random random(1);
  for (int k = 0; k < 5000; ++k) {
    const Vec3d w{random.between(0.1, 10), random.between(-10, -0.1), random.between(0.1, 10)};
    const Sym3<double> a = symmetric(random.rotation(), k % 2 ? w : Vec3d{w.x, -w.y, w.z});
    const Vec3d b = random.vector();
    const Vec3d x = solve_or_skip(a, b, skip_below);
    EXPECT_LT(size(full(a) * x - b), 1e-11 * size(b));
  }
}

// Scenes come in all units, and single precision ends at 3e38: |A|^3 must not be formed.
TEST(Solve, AnySizeInSinglePrecision) {
  for (const float unit : {1e-25f, 1e-12f, 1.0f, 1e12f, 1e25f}) {
    const Sym3<float> a{4 * unit, 1 * unit, -1 * unit, 3 * unit, 0.5f * unit, 5 * unit};
    const Vec3f b{1 * unit, 2 * unit, 3 * unit};
    const Vec3f x = solve_or_skip(a, b, skip_below);
    const Vec3f back = a * x;
    EXPECT_NEAR(back.x / unit, 1, 1e-5);
    EXPECT_NEAR(back.y / unit, 2, 1e-5);
    EXPECT_NEAR(back.z / unit, 3, 1e-5);
  }
}

TEST(Solve, SkipsSingularMatricesWhateverTheirUnit) {
  Random random(2);
  for (const double unit : {1e-30, 1.0, 1e30}) {
    for (const Vec3d& w : {Vec3d{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {1, 1, 1e-13}, {1, -1, 0}}) {
      const Vec3d x = solve_or_skip(unit * symmetric(random.rotation(), w), random.vector(), skip_below);
      EXPECT_EQ(size(x), 0) << unit << ": " << w.x << ' ' << w.y << ' ' << w.z;
    }
    const Vec3d x = solve_or_skip(unit * symmetric(random.rotation(), {1, 1, 1e-10}), {unit, unit, unit}, skip_below);
    EXPECT_GT(size(x), 0) << "badly conditioned, and yet regular";
  }
}

TEST(Solve, ALaneThatIsSkippedDoesNotDisturbTheOthers) {
  using T = Lane<float, 4>;
  const T zero{}, two = splat<T>(2);
  Sym3<T> a{two, zero, zero, two, zero, two};
  a.xx[1] = a.yy[1] = a.zz[1] = 0;  // a zero matrix
  a.yy[2] = 0;                      // a singular one
  const Vec3<T> x = solve_or_skip(a, Vec3<T>{two, two, two}, skip_below);
  for (int k = 0; k < 4; ++k) {
    const bool skipped = k == 1 || k == 2;
    for (const float found : {x.x[k], x.y[k], x.z[k]}) {
      EXPECT_NEAR(found, skipped ? 0 : 1, skipped ? 0 : 1e-6);
    }
  }
}

// Relative error 1e-9 in each component along the axes of the matrix, although these are nine digits apart.
TEST(Solve, DownhillKeepsTheSoftWaysOfAStiffMatrix) {
  Random random(3);
  for (int k = 0; k < 2000; ++k) {
    const Vec3d w{random.between(0.1, 10), 1e5 * random.between(0.1, 10), 1e9 * random.between(0.1, 10)};
    const Mat3d q = random.rotation();
    const Vec3d solution = random.vector(), b = q * Vec3d{w.x * solution.x, w.y * solution.y, w.z * solution.z};
    const Vec3d x = transpose(q) * solve_downhill(symmetric(q, w), b);
    EXPECT_LT(size(x - solution), 1e-5 * size(solution));
    EXPECT_EQ(size(solve_or_skip(symmetric(q, {w.x, 0, w.z}), b, skip_below)), 0);
  }
}

TEST(Solve, DownhillMovesAlongTheForceWhateverTheMatrix) {
  Random random(4);
  const Vec3d weights[] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 1}, {-1, 0, 2}, {-1, -2, -3}, {1, 1, 1e-17}, {1e-30, 0, 0}};
  for (const Vec3d& w : weights) {
    for (int k = 0; k < 200; ++k) {
      const Mat3d q = k == 0 ? Mat3d{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}} : random.rotation();
      const Vec3d b = random.vector(), x = solve_downhill(symmetric(q, w), b);
      EXPECT_GT(dot(b, x), 0);
      if (std::min({w.x, w.y, w.z}) < 0) continue;  // a small pivot may have any value
      const double largest = std::max({std::abs(w.x), std::abs(w.y), std::abs(w.z)});
      EXPECT_LT(size(x), 1e5 / largest * size(b));
    }
  }
  EXPECT_EQ(size(solve_downhill(Sym3<double>{}, Vec3d{1, 2, 3})), 0);
  // A straight hanging chain resists only along itself.
  const Vec3d x = solve_downhill(symmetric({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 2000, 0}), Vec3d{0, -1, 0});
  EXPECT_EQ(x.x, 0);
  EXPECT_DOUBLE_EQ(x.y, -1.0 / 2000);
  EXPECT_EQ(x.z, 0);
}

}  // namespace
}  // namespace sinew
