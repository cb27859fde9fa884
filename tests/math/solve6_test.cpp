// Source: A x = b, checked by multiplying.
#include "math/solve6.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/random.h"

namespace sinew {
namespace {

using support::Random;

// A = B B^T + e 1 for random B, of which `rank` columns are not 0.
template <class Real>
Sym6<Real> positive(Random& random, int rank, double e) {
  double b[6][6] = {};
  for (auto& row : b) {
    for (int k = 0; k < rank; ++k) row[k] = random.between(-1, 1);
  }
  Sym6<Real> a{};
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j <= i; ++j) {
      double sum = i == j ? e : 0;
      for (int k = 0; k < 6; ++k) sum += b[i][k] * b[j][k];
      a.at[place_in_sym6(i, j)] = static_cast<Real>(sum);
    }
  }
  return a;
}
template <class Real>
Vec6<Real> vector(Random& random) {
  Vec6<Real> b{};
  for (Real& n : b.at) n = static_cast<Real>(random.between(-1, 1));
  return b;
}
template <class Real>
double residual(const Sym6<Real>& a, const Vec6<Real>& x, const Vec6<Real>& b) {
  double largest = 0;
  for (int i = 0; i < 6; ++i) {
    double sum = -b.at[i];
    for (int j = 0; j < 6; ++j) sum += double{a.at[i > j ? place_in_sym6(i, j) : place_in_sym6(j, i)]} * x.at[j];
    largest = std::max(largest, std::abs(sum));
  }
  return largest;
}
template <class Real>
double size(const Vec6<Real>& x) {
  double sum = 0;
  for (const Real n : x.at) sum += double{n} * n;
  return std::sqrt(sum);
}

// Cholesky is backward stable: the residual is rounding times |A| |x|, and |A| is at most 12.
TEST(Solve6, SolvesPositiveDefiniteSystems) {
  Random random(1);
  for (int k = 0; k < 2000; ++k) {
    const double e = std::pow(10, random.between(-4, 2));
    const auto a = positive<double>(random, k % 7, e);
    const auto b = vector<double>(random);
    const auto x = solve(a, b);
    EXPECT_LT(residual(a, x, b), 1e-14 * (12 + e) * (size(x) + 1));
    const auto narrow = positive<float>(random, k % 7, e);
    const auto right = vector<float>(random);
    const auto found = solve(narrow, right);
    EXPECT_LT(residual(narrow, found, right), 1e-5 * (12 + e) * (size(found) + 1));
  }
}

// Singular up to rounding: a pivot is only noise, of either sign, and dividing by it would amplify. x . b > 0, and
// bounded by the effect of two pivots of 16 roundings each.
TEST(Solve6, GoesDownhillWhereTheMatrixIsSingularInItsPrecision) {
  Random random(2);
  for (int k = 0; k < 2000; ++k) {
    const auto a = positive<float>(random, 1 + k % 5, 1e-9);
    const auto b = vector<float>(random);
    const auto x = solve(a, b);
    double along = 0;
    for (int i = 0; i < 6; ++i) along += double{x.at[i]} * b.at[i];
    EXPECT_GT(along, 0);
    EXPECT_LT(along, 1e12);
  }
}

TEST(Solve6, LanesAreTheScalar) {
  using T = Lane<double, 2>;
  Random random(3);
  const auto a = positive<double>(random, 6, 0.1), c = positive<double>(random, 3, 0.1);
  const auto b = vector<double>(random), d = vector<double>(random);
  Sym6<T> both;
  Vec6<T> right;
  for (int k = 0; k < 21; ++k) both.at[k] = T{a.at[k], c.at[k]};
  for (int k = 0; k < 6; ++k) right.at[k] = T{b.at[k], d.at[k]};
  const auto x = solve(a, b), y = solve(c, d);
  const auto found = solve(both, right);
  // The same operations in the same order; a compiler may contract them differently.
  for (int k = 0; k < 6; ++k) {
    EXPECT_NEAR(found.at[k][0], x.at[k], 1e-13 * size(x));
    EXPECT_NEAR(found.at[k][1], y.at[k], 1e-13 * size(y));
  }
}

}  // namespace
}  // namespace sinew
