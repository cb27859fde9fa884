// Source: the defining properties of the decompositions; docs/theory.md, section 1, for the sign convention.
#include "math/svd.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace sinew {
namespace {

// About ten rotations, each of a few roundings of 1.1e-16.
constexpr double round_off = 5e-15;

double size(Mat3d m) {
  return std::sqrt(contract(m, m));
}
double distance_to_rotation(Mat3d r) {
  return size(transpose(r) * r - diagonal(1.0, 1.0, 1.0)) + std::abs(determinant(r) - 1);
}
Mat3d rebuilt(const SignedSvd& d) {
  return d.u * diagonal(d.s.x, d.s.y, d.s.z) * transpose(d.v);
}

class Random {
 public:
  double number() { return distribution_(engine_); }
  Vec3d vector() { return {number(), number(), number()}; }
  Mat3d matrix() { return {vector(), vector(), vector()}; }
  Mat3d rotation() { return signed_svd(matrix()).u; }

 private:
  std::mt19937 engine_{7};
  std::normal_distribution<double> distribution_;
};

void expect_decomposed(Mat3d f) {
  const SignedSvd d = signed_svd(f);
  const double scale = size(f);
  EXPECT_LT(distance_to_rotation(d.u), round_off);
  EXPECT_LT(distance_to_rotation(d.v), round_off);
  EXPECT_LE(size(rebuilt(d) - f), 2 * round_off * scale);
  // In order up to the rounding of a length.
  EXPECT_GE(d.s.x * (1 + 1e-15), d.s.y);
  EXPECT_GE(d.s.y, 0);
  EXPECT_GE(d.s.y * (1 + 1e-15), std::abs(d.s.z));
}

TEST(Svd, RebuildsRandomMatricesInvertedOnesToo) {
  Random random;
  int inverted = 0;
  for (int k = 0; k < 20000; ++k) {
    const Mat3d f = random.matrix();
    expect_decomposed(f);
    const double j = determinant(f), sign = signed_svd(f).s.z;
    inverted += j < 0;
    if (std::abs(j) > 1e-10) {
      EXPECT_EQ(j < 0, sign < 0);
    }
  }
  EXPECT_GT(inverted, 5000);
}

TEST(Svd, TreatsSingularMatrices) {
  const Vec3d a{1, 2, -0.5}, b{0.3, -1, 2}, zero{0, 0, 0};
  const std::vector<Mat3d> matrices = {
      {zero, zero, zero},
      diagonal(1.0, 1.0, 1.0),
      diagonal(-1.0, -1.0, -1.0),
      diagonal(1.0, -1.0, 1.0),
      diagonal(2.0, 0.0, 0.0),
      diagonal(0.0, 0.0, -3.0),
      diagonal(0.0, 1.0, 0.0),
      outer(a, b),
      {a, b, zero},
      {a, a, a},
      {a, b, a + b},
      {a, zero, zero},
      {zero, a, a},
      outer(a, b) + 1e-17 * diagonal(1.0, 1.0, 1.0),
  };
  for (const Mat3d& f : matrices) expect_decomposed(f);
}

TEST(Svd, HoldsFromTheSmallestToTheLargestNumbers) {
  Random random;
  for (const double scale : {1e-300, 1e-200, 1e-30, 1e30, 1e150, 1e300}) {
    const Mat3d f = random.matrix();
    const SignedSvd one = signed_svd(f), far = signed_svd(scale * f);
    EXPECT_LT(distance_to_rotation(far.u), round_off);
    EXPECT_LT(distance_to_rotation(far.v), round_off);
    EXPECT_NEAR(far.s.x / scale, one.s.x, 1e-14);
    EXPECT_NEAR(far.s.y / scale, one.s.y, 1e-14);
    EXPECT_NEAR(far.s.z / scale, one.s.z, 1e-14);
  }
}

// F = U diag(s) with a rotation U and columns scaled by powers of ten is stored to relative round-off per column, so
// its singular values are determined to relative round-off, however different they are (Demmel & Veselic 1992).
TEST(Svd, KeepsTheDigitsOfSmallSingularValues) {
  Random random;
  for (int k = 0; k < 100; ++k) {
    const Mat3d u = random.rotation();
    const SignedSvd d = signed_svd({u.c0, 1e-7 * u.c1, -1e-14 * u.c2});
    EXPECT_NEAR(d.s.x, 1, 1e-15);
    EXPECT_NEAR(d.s.y / 1e-7, 1, 1e-14);
    EXPECT_NEAR(d.s.z / -1e-14, 1, 1e-13);
  }
}

TEST(Svd, NearlyEqualSingularValues) {
  Random random;
  for (const double gap : {0.0, 1e-16, 1e-13, 1e-9, 1e-5}) {
    for (const double sign : {1.0, -1.0}) {
      const Mat3d f = random.rotation() * diagonal(1 + gap, 1.0, sign * (1 - gap)) * transpose(random.rotation());
      expect_decomposed(f);
    }
  }
}

TEST(Eigen3, RebuildsSymmetricMatrices) {
  Random random;
  for (int k = 0; k < 20000; ++k) {
    const double scale = std::pow(10.0, k % 40 - 20);
    const Sym3<double> a = scale * Sym3<double>{random.number(), random.number(), random.number(),
                                                random.number(), random.number(), random.number()};
    const Eigen3 e = eigen_decomposition(a);
    EXPECT_LT(distance_to_rotation(e.vectors), round_off);
    EXPECT_LE(e.values.x, e.values.y);
    EXPECT_LE(e.values.y, e.values.z);
    const Mat3d full{{a.xx, a.xy, a.xz}, {a.xy, a.yy, a.yz}, {a.xz, a.yz, a.zz}};
    const Mat3d again = e.vectors * diagonal(e.values.x, e.values.y, e.values.z) * transpose(e.vectors);
    EXPECT_LE(size(again - full), 2 * round_off * size(full));
  }
}

TEST(Eigen3, DiagonalAndMultipleEigenvalues) {
  const Eigen3 d = eigen_decomposition({3, 0, 0, -1, 0, 2});
  EXPECT_EQ(d.values.x, -1);
  EXPECT_EQ(d.values.y, 2);
  EXPECT_EQ(d.values.z, 3);
  EXPECT_LT(distance_to_rotation(d.vectors), round_off);
  // 1 + n n^T with |n|^2 = 3: eigenvalues 1, 1, 4.
  const Eigen3 e = eigen_decomposition({2, 1, 1, 2, 1, 2});
  EXPECT_NEAR(e.values.x, 1, 1e-15);
  EXPECT_NEAR(e.values.y, 1, 1e-15);
  EXPECT_NEAR(e.values.z, 4, 1e-15);
}

}  // namespace
}  // namespace sinew
