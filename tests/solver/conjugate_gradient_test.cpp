// Source: Nocedal & Wright 2006, section 5.1: conjugate gradients solve SPD systems in as many iterations as the
// preconditioned matrix has distinct eigenvalues; every iterate is a direction of descent; an indefinite matrix is
// detected by p.A p <= 0. Products are compared with those of the lower triangle (assembly.h).
#include "solver/newton/conjugate_gradient.h"

#include <gtest/gtest.h>

#include <cmath>

#include "solver/newton/assembly.h"
#include "support/body.h"

namespace sinew {
namespace {

using support::body_of;
using support::box;
using support::problem_of;
using support::Random;
using support::shaken;

// Newton's matrix of a shaken block for a step of size h.
struct Matrix {
  explicit Matrix(std::array<int32_t, 3> cells, double h, double shake, Tangent tangent)
      : model(body_of(box(cells)).compile()), pool(2) {
    StepProblem problem = problem_of(model, model.rest, h);
    const std::vector<Vec3d> rest = model.rest;
    for (size_t s = 0; s < rest.size(); ++s) problem.held[s] |= rest[s].x < 1e-12;
    Random random(2);
    assembly.prepare(model, pool);
    assembly.assemble(problem, shaken(rest, shake, random), tangent, pool);
    assembly.block_matrix().hold(problem.held, {});
    b.resize(static_cast<size_t>(assembly.matrix().size));
    for (double& v : b) v = random.between(-1, 1);
  }
  double relative_residual(const std::vector<double>& x) const {
    std::vector<double> ax(x.size());
    multiply(assembly.matrix(), x, ax);
    double rest = 0, all = 0;
    for (size_t k = 0; k < b.size(); ++k) {
      rest += (b[k] - ax[k]) * (b[k] - ax[k]);
      all += b[k] * b[k];
    }
    return std::sqrt(rest / all);
  }
  Model model;
  ThreadPool pool;
  Assembly assembly;
  std::vector<double> b;
};

TEST(BlockRows, MultiplyAsTheLowerTriangleDoes) {
  Matrix m({4, 3, 2}, 0.01, 0.05, Tangent::exact);
  BlockRows rows;
  rows.analyze(m.assembly.matrix());
  rows.read(m.assembly.matrix(), m.pool);
  std::vector<double> expected(m.b.size());
  multiply(m.assembly.matrix(), m.b, expected);
  double size = 0;
  for (const double v : expected) size = std::max(size, std::abs(v));
  for (int64_t row = 0; row < rows.size(); ++row) {
    const Vec3d y = rows.times(row, m.b);
    // Sums of about 60 products.
    EXPECT_NEAR(y.x, expected[3 * row], 1e-14 * size);
    EXPECT_NEAR(y.y, expected[3 * row + 1], 1e-14 * size);
    EXPECT_NEAR(y.z, expected[3 * row + 2], 1e-14 * size);
  }
}

TEST(ConjugateGradient, SolvesToItsTolerance) {
  Matrix m({6, 5, 4}, 0.03, 0.02, Tangent::projected);
  for (const double tolerance : {1e-2, 1e-6, 1e-12}) {
    ConjugateGradient cg(m.pool, 0, tolerance);
    std::vector<double> x(m.b.size(), 7);
    ASSERT_TRUE(cg.analyze(m.assembly.matrix()));
    ASSERT_TRUE(cg.factorize(m.assembly.matrix()));
    ASSERT_TRUE(cg.solve(m.b, x));
    EXPECT_LT(m.relative_residual(x), 1.1 * tolerance);
    EXPECT_GT(m.relative_residual(x), 1e-3 * tolerance) << "no more than asked for";
  }
}

// One free vertex: its three unknowns are one diagonal block, whose inverse solves the system at once.
TEST(ConjugateGradient, SolvesOneBlockInOneIteration) {
  const Model model = body_of(support::one_tet()).compile();
  ThreadPool pool(1);
  StepProblem problem = problem_of(model, model.rest, 0.01);
  for (size_t s = 0; s < problem.held.size(); ++s) problem.held[s] |= model.rest[s].z < 0.5;
  Assembly assembly;
  assembly.prepare(model, pool);
  assembly.assemble(problem, model.rest, Tangent::exact, pool);
  assembly.block_matrix().hold(problem.held, {});
  ConjugateGradient cg(pool, 0, 1e-12);
  ASSERT_TRUE(cg.analyze(assembly.matrix()));
  ASSERT_TRUE(cg.factorize(assembly.matrix()));
  std::vector<double> b(static_cast<size_t>(assembly.matrix().size)), x(b.size());
  for (size_t k = 0; k < b.size(); ++k) b[k] = problem.held[k / 3] ? 0 : 1 + static_cast<double>(k % 3);
  ASSERT_TRUE(cg.solve(b, x));
  EXPECT_EQ(cg.iterations(), 1);
}

TEST(ConjugateGradient, StopsAfterItsIterationsWithADescentDirection) {
  Matrix m({6, 5, 4}, 0.03, 0.02, Tangent::projected);
  double before = 0;
  for (const int most : {1, 7, 30}) {
    ConjugateGradient cg(m.pool, most, 1e-12);
    std::vector<double> x(m.b.size());
    ASSERT_TRUE(cg.analyze(m.assembly.matrix()));
    ASSERT_TRUE(cg.factorize(m.assembly.matrix()));
    ASSERT_TRUE(cg.solve(m.b, x));
    EXPECT_EQ(cg.iterations(), most);
    double product = 0;  // b.x grows towards b.A^-1 b
    for (size_t k = 0; k < x.size(); ++k) product += m.b[k] * x[k];
    EXPECT_GT(product, before);
    before = product;
  }
}

// Without a preconditioner the first direction is the right-hand side, with the step that minimizes along it.
TEST(ConjugateGradient, GoesWithoutPreconditioner) {
  Matrix m({6, 5, 4}, 0.03, 0.02, Tangent::projected);
  BlockRows rows;
  rows.analyze(m.assembly.matrix());
  rows.read(m.assembly.matrix(), m.pool);
  double slope = 0, curvature = 0;
  for (int64_t row = 0; row < rows.size(); ++row) {
    const Vec3d b{m.b[3 * row], m.b[3 * row + 1], m.b[3 * row + 2]};
    slope += dot(b, b);
    curvature += dot(b, rows.times(row, m.b));
  }
  ConjugateGradient once(m.pool, 1, 1e-12, Preconditioner::none);
  std::vector<double> x(m.b.size());
  ASSERT_TRUE(once.analyze(m.assembly.matrix()));
  ASSERT_TRUE(once.factorize(m.assembly.matrix()));
  ASSERT_TRUE(once.solve(m.b, x));
  double size = 0;
  for (const double v : m.b) size = std::max(size, std::abs(v * slope / curvature));
  for (size_t k = 0; k < x.size(); ++k) EXPECT_NEAR(x[k], slope / curvature * m.b[k], 1e-12 * size);

  ConjugateGradient plain(m.pool, 0, 1e-10, Preconditioner::none), blocks(m.pool, 0, 1e-10);
  for (ConjugateGradient* cg : {&plain, &blocks}) {
    ASSERT_TRUE(cg->analyze(m.assembly.matrix()));
    ASSERT_TRUE(cg->factorize(m.assembly.matrix()));
    ASSERT_TRUE(cg->solve(m.b, x));
    EXPECT_LT(m.relative_residual(x), 1.1e-10);
  }
  EXPECT_GT(plain.iterations(), blocks.iterations());
}

TEST(ConjugateGradient, FailsWhereTheMatrixIsIndefinite) {
  Matrix m({4, 3, 2}, 0, 0.4, Tangent::exact);  // inverts elements
  ConjugateGradient cg(m.pool, 0, 1e-10);
  ASSERT_TRUE(cg.analyze(m.assembly.matrix()));
  std::vector<double> x(m.b.size());
  EXPECT_FALSE(cg.factorize(m.assembly.matrix()) && cg.solve(m.b, x));
}

TEST(ConjugateGradient, IsDoneWithoutARightHandSide) {
  Matrix m({2, 2, 2}, 0.01, 0, Tangent::exact);
  ConjugateGradient cg(m.pool, 7, 1e-4);
  ASSERT_TRUE(cg.analyze(m.assembly.matrix()));
  ASSERT_TRUE(cg.factorize(m.assembly.matrix()));
  std::vector<double> x(m.b.size(), 7);
  ASSERT_TRUE(cg.solve(std::vector<double>(m.b.size(), 0), x));
  for (const double v : x) EXPECT_EQ(v, 0);
}

TEST(ConjugateGradient, HasTheSameBitsForAnyNumberOfThreads) {
  Matrix m({28, 28, 28}, 0.03, 0.005, Tangent::projected);  // six chunks of reductions
  std::vector<double> expected;
  for (const int threads : {1, 2, 4}) {
    ThreadPool pool(threads);
    ConjugateGradient cg(pool, 20, 1e-12);
    std::vector<double> x(m.b.size());
    ASSERT_TRUE(cg.analyze(m.assembly.matrix()));
    ASSERT_TRUE(cg.factorize(m.assembly.matrix()));
    ASSERT_TRUE(cg.solve(m.b, x));
    if (threads == 1) expected = x;
    EXPECT_EQ(x, expected) << threads << " threads";
  }
}

}  // namespace
}  // namespace sinew
