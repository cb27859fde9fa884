// Source: the interface in solver/linear_solver.h. Matrices are the seven-point Laplacian of a box.
#include "linear/linear_solvers.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sinew {
namespace {

// 6 + shift on the diagonal, -1 between neighbours in an n^3 grid: eigenvalues in (shift, 12 + shift).
SparseSymmetric laplacian(int32_t n, double shift) {
  SparseSymmetric a;
  a.size = int64_t{n} * n * n;
  a.column_begin.push_back(0);
  for (int32_t k = 0; k < n; ++k) {
    for (int32_t j = 0; j < n; ++j) {
      for (int32_t i = 0; i < n; ++i) {
        const int32_t column = i + n * (j + n * k);
        const auto add = [&](int32_t row, double value) {
          a.row.push_back(row);
          a.value.push_back(value);
        };
        add(column, 6 + shift);
        if (i + 1 < n) add(column + 1, -1);
        if (j + 1 < n) add(column + n, -1);
        if (k + 1 < n) add(column + n * n, -1);
        a.column_begin.push_back(static_cast<int64_t>(a.row.size()));
      }
    }
  }
  return a;
}

std::vector<double> product(const SparseSymmetric& a, const std::vector<double>& x) {
  std::vector<double> y(x.size());
  for (int64_t j = 0; j < a.size; ++j) {
    for (int64_t p = a.column_begin[j]; p < a.column_begin[j + 1]; ++p) {
      const int32_t i = a.row[p];
      y[i] += a.value[p] * x[j];
      if (i != j) y[j] += a.value[p] * x[i];
    }
  }
  return y;
}

class LinearSolvers : public testing::TestWithParam<std::string_view> {
 protected:
  std::unique_ptr<LinearSolver> solver_ = make_linear_solver(GetParam());
};

TEST_P(LinearSolvers, SolvesSmallAndLargeSystems) {
  EXPECT_EQ(solver_->name(), GetParam());
  for (const int32_t n : {1, 2, 5, 16}) {
    const SparseSymmetric a = laplacian(n, 0.01);
    std::vector<double> expected(a.size), x(a.size);
    for (size_t k = 0; k < expected.size(); ++k) expected[k] = std::sin(static_cast<double>(k));
    ASSERT_TRUE(solver_->analyze(a));
    ASSERT_TRUE(solver_->factorize(a));
    ASSERT_TRUE(solver_->solve(product(a, expected), x));
    // Condition number below 1200.
    for (size_t k = 0; k < x.size(); ++k) EXPECT_NEAR(x[k], expected[k], 1e-12);
  }
}

TEST_P(LinearSolvers, RefusesIndefiniteMatricesAndGoesOn) {
  for (const int32_t n : {2, 16}) {
    ASSERT_TRUE(solver_->analyze(laplacian(n, 0.01)));
    std::vector<double> b(int64_t{n} * n * n, 1), x(b.size());
    EXPECT_FALSE(solver_->solve(b, x));  // not factorized yet
    EXPECT_FALSE(solver_->factorize(laplacian(n, -4.0)));
    EXPECT_FALSE(solver_->solve(b, x));
    EXPECT_FALSE(solver_->factorize(laplacian(n, -20.0)));  // negative definite
    const SparseSymmetric a = laplacian(n, 0.01);
    ASSERT_TRUE(solver_->factorize(a));
    ASSERT_TRUE(solver_->solve(b, x));
    const std::vector<double> again = product(a, x);
    for (size_t k = 0; k < b.size(); ++k) EXPECT_NEAR(again[k], b[k], 1e-11);
  }
}

TEST_P(LinearSolvers, RepeatsItselfBitForBit) {
  const SparseSymmetric a = laplacian(20, 0.01);
  std::vector<double> b(a.size), first(a.size), second(a.size);
  for (size_t k = 0; k < b.size(); ++k) b[k] = std::cos(static_cast<double>(k));
  ASSERT_TRUE(solver_->analyze(a) && solver_->factorize(a) && solver_->solve(b, first));
  const auto other = make_linear_solver(GetParam());
  ASSERT_TRUE(other->analyze(a) && other->factorize(a) && other->solve(b, second));
  EXPECT_EQ(first, second);
}

INSTANTIATE_TEST_SUITE_P(All, LinearSolvers,
                         testing::ValuesIn(linear_solver_names().begin(), linear_solver_names().end()),
                         [](const auto& test) { return std::string(test.param); });

TEST(LinearSolverNames, FindTheFastestAndRefuseOthers) {
  ASSERT_FALSE(linear_solver_names().empty());
  EXPECT_EQ(make_linear_solver()->name(), linear_solver_names().front());
  EXPECT_EQ(make_linear_solver("abacus"), nullptr);
}

}  // namespace
}  // namespace sinew
