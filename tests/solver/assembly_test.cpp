// Source: docs/theory.md, Elements, Tangent and its projection, Damping. The matrix is compared with central
// differences of the gradient.
#include "solver/newton/assembly.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "solver/newton_run.h"

namespace sinew {
namespace {

struct Dense {
  explicit Dense(int64_t n) : size(n), value(static_cast<size_t>(n * n)) {}
  double& operator()(int64_t i, int64_t j) { return value[i * size + j]; }
  double operator()(int64_t i, int64_t j) const { return value[i * size + j]; }
  double norm() const {
    double sum = 0;
    for (const double v : value) sum += v * v;
    return std::sqrt(sum);
  }

  int64_t size;
  std::vector<double> value;
};

Dense operator-(Dense a, const Dense& b) {
  for (size_t k = 0; k < a.value.size(); ++k) a.value[k] -= b.value[k];
  return a;
}

Dense dense(const SparseSymmetric& a) {
  Dense m(a.size);
  for (int64_t j = 0; j < a.size; ++j) {
    for (int64_t p = a.column_begin[j]; p < a.column_begin[j + 1]; ++p) {
      m(a.row[p], j) = m(j, a.row[p]) = a.value[p];
    }
  }
  return m;
}

// Whether no eigenvalue is below -shift: then the Cholesky factorization of A + shift I exists.
bool above(Dense a, double shift) {
  for (int64_t j = 0; j < a.size; ++j) {
    a(j, j) += shift;
    for (int64_t k = 0; k < j; ++k) a(j, j) -= a(j, k) * a(j, k);
    if (!(a(j, j) > 0)) return false;
    a(j, j) = std::sqrt(a(j, j));
    for (int64_t i = j + 1; i < a.size; ++i) {
      for (int64_t k = 0; k < j; ++k) a(i, j) -= a(i, k) * a(j, k);
      a(i, j) /= a(j, j);
    }
  }
  return true;
}
bool is_positive(const Dense& a) {
  return above(a, 1e-12 * a.norm());
}

// A small body with random displacements, `amount` in sizes of a cell; large ones invert elements.
struct Case {
  Body body;
  Model model;
  StepProblem problem;
  std::vector<Vec3d> x;
  ThreadPool pool{1};

  Case(MaterialKind material, double amount, double h, double damping = 0, DampingForm form = DampingForm::strain_rate,
       bool varied = false) {
    body.mesh = box({2, 2, 1}, {1, 1, 0.5});
    body.material = material;
    body.damping = damping;
    body.damping_form = form;
    std::mt19937 engine(3);
    std::uniform_real_distribution<double> factor(0.25, 4);
    for (size_t e = 0; varied && e < body.mesh.tets.size(); ++e) body.stiffness_factor.push_back(factor(engine));
    model = body.compile();
    std::uniform_real_distribution<double> shift(-amount / 2, amount / 2);
    const auto moved = [&](std::vector<Vec3d> a) {
      for (Vec3d& v : a) v += Vec3d{shift(engine), shift(engine), shift(engine)};
      return a;
    };
    problem.model = &model;
    problem.quasistatic = h == 0;
    problem.h = h;
    problem.x_prev = problem.x_target = moved(model.rest);
    x = moved(problem.x_prev);
    for (const double m : model.mass) problem.held.push_back(m <= 0);
  }

  // dg/dx by central differences, not necessarily symmetric; rows and columns of padding are those of an identity.
  Dense difference() {
    const Objective objective(problem, pool);
    const auto slots = static_cast<size_t>(model.slot_count());
    Dense k(3 * int64_t{model.slot_count()});
    for (int64_t i = 0; i < k.size; ++i) k(i, i) = problem.held[i / 3];
    std::vector<Vec3d> ahead(slots), behind(slots);
    constexpr double step = 1e-6;
    for (size_t s = 0; s < slots; ++s) {
      if (problem.held[s]) continue;
      for (int a = 0; a < 3; ++a) {
        const Vec3d d = step * Vec3d{a == 0 ? 1.0 : 0, a == 1 ? 1.0 : 0, a == 2 ? 1.0 : 0};
        std::vector<Vec3d> y = x;
        y[s] += d;
        objective.gradient(y, ahead);
        y[s] -= 2.0 * d;
        objective.gradient(y, behind);
        for (size_t r = 0; r < slots; ++r) {
          if (problem.held[r]) continue;
          const Vec3d column = (0.5 / step) * (ahead[r] - behind[r]);
          k(3 * r, 3 * s + a) = column.x;
          k(3 * r + 1, 3 * s + a) = column.y;
          k(3 * r + 2, 3 * s + a) = column.z;
        }
      }
    }
    return k;
  }
  Dense assembled(Tangent tangent, int64_t* clamped = nullptr) {
    Assembly assembly;
    assembly.prepare(model, pool);
    const int64_t count = assembly.assemble(problem, x, tangent, pool);
    if (clamped) *clamped = count;
    assembly.block_matrix().hold(problem.held, {});
    return dense(assembly.matrix());
  }
};

class AssemblyOf : public testing::TestWithParam<MaterialKind> {};

// Central differences with a step of 1e-6 at lengths of 1 have an error of about 1e-9 times the size of K.
constexpr double difference_error = 2e-8;

TEST_P(AssemblyOf, IsTheDerivativeOfTheGradient) {
  for (const double amount : {0.0, 0.1, 1.0}) {
    for (const double h : {0.0, 0.02}) {
      Case c(GetParam(), amount, h);
      const Dense expected = c.difference(), k = c.assembled(Tangent::exact);
      EXPECT_LT((k - expected).norm(), difference_error * expected.norm()) << "amount " << amount << " h " << h;
    }
  }
}

TEST_P(AssemblyOf, IsTheDerivativeWithDampingToo) {
  for (const double amount : {0.1, 0.5}) {
    Case c(GetParam(), amount, 0.02, 0.03);
    const Dense expected = c.difference(), k = c.assembled(Tangent::exact);
    EXPECT_LT((k - expected).norm(), 5 * difference_error * expected.norm());
  }
}

TEST_P(AssemblyOf, IsTheDerivativeWithStiffnessFactorsToo) {
  for (const double damping : {0.0, 0.03}) {
    Case c(GetParam(), 0.1, 0.02, damping, DampingForm::strain_rate, true);
    const Dense expected = c.difference(), k = c.assembled(Tangent::exact);
    EXPECT_LT((k - expected).norm(), 5 * difference_error * expected.norm()) << damping;
  }
}

// The own-block force is r K_ii (x_i - x_i_prev), whose derivative is r K_ii alone if the body has not moved.
TEST_P(AssemblyOf, AddsTheOwnBlocksOfDamping) {
  for (const bool varied : {false, true}) {
    Case c(GetParam(), 0.1, 0.02, 0.03, DampingForm::own_block, varied);
    c.problem.x_prev = c.x;
    const Dense expected = c.difference(), k = c.assembled(Tangent::exact);
    EXPECT_LT((k - expected).norm(), difference_error * expected.norm());
  }
}

TEST_P(AssemblyOf, ProjectedIsPositiveAndAboveTheExact) {
  for (const double amount : {0.1, 1.0, 3.0}) {
    for (const double damping : {0.0, 0.03}) {
      Case c(GetParam(), amount, damping > 0 ? 0.02 : 0, damping);
      const Dense projected = c.assembled(Tangent::projected);
      EXPECT_TRUE(is_positive(projected));
      if (damping == 0) {
        EXPECT_TRUE(above(projected - c.assembled(Tangent::exact), 1e-12 * projected.norm()));
      }
    }
  }
}

TEST_P(AssemblyOf, ProjectionLeavesAPositiveMatrixAsItIs) {
  Case c(GetParam(), 0.0, 0);
  // Stretched along every axis, each element is in tension, and no material has a negative mode there.
  for (Vec3d& v : c.x) v = {1.1 * v.x, 1.2 * v.y, 1.15 * v.z};
  int64_t clamped = -1;
  const Dense exact = c.assembled(Tangent::exact), projected = c.assembled(Tangent::projected, &clamped);
  EXPECT_EQ(clamped, 0);
  EXPECT_EQ((exact - projected).norm(), 0);
  EXPECT_TRUE(is_positive(exact));
}

INSTANTIATE_TEST_SUITE_P(All, AssemblyOf, testing::ValuesIn(every_material()),
                         [](const auto& test) { return std::string(traits_of(test.param).name); });

TEST(Assembly, ClampsInInvertedBodies) {
  Case c(MaterialKind::NeoHookean, 3.0, 0);
  int64_t clamped = 0;
  EXPECT_FALSE(above(c.assembled(Tangent::exact), 1));
  c.assembled(Tangent::projected, &clamped);
  EXPECT_GT(clamped, 0);
}

TEST(Assembly, HoldsAndReleasesWithinOnePattern) {
  Case c(MaterialKind::FixedCorotated, 0.1, 0.02);
  Assembly assembly;
  assembly.prepare(c.model, c.pool);
  const std::vector<int32_t> rows = assembly.matrix().row;
  assembly.assemble(c.problem, c.x, Tangent::exact, c.pool);
  assembly.block_matrix().hold(c.problem.held, {});
  const Dense free = dense(assembly.matrix());

  std::vector<uint8_t> held = c.problem.held;
  const auto pinned = static_cast<int64_t>(std::find(held.begin(), held.end(), 0) - held.begin());
  held[pinned] = 1;
  assembly.assemble(c.problem, c.x, Tangent::exact, c.pool);
  assembly.block_matrix().hold(held, {});
  const Dense fixed = dense(assembly.matrix());
  for (int64_t i = 0; i < free.size; ++i) {
    for (int64_t j = 0; j < free.size; ++j) {
      const bool identity = i / 3 == pinned || j / 3 == pinned;
      EXPECT_EQ(fixed(i, j), identity ? (i == j) : free(i, j));
    }
  }

  assembly.assemble(c.problem, c.x, Tangent::exact, c.pool);
  assembly.block_matrix().hold(c.problem.held, {});
  EXPECT_EQ((dense(assembly.matrix()) - free).norm(), 0);
  EXPECT_EQ(assembly.matrix().row, rows);
}

TEST(Assembly, RegularizesAndTakesItBack) {
  Case c(MaterialKind::NeoHookean, 0.1, 0);
  Assembly assembly;
  assembly.prepare(c.model, c.pool);
  assembly.assemble(c.problem, c.x, Tangent::exact, c.pool);
  assembly.block_matrix().hold(c.problem.held, {});
  const std::vector<double> before = assembly.matrix().value;
  assembly.block_matrix().regularize(0.5);
  for (int64_t j = 0; j < assembly.matrix().size; ++j) {
    const int64_t p = assembly.matrix().column_begin[j];
    if (c.problem.held[j / 3]) {
      EXPECT_EQ(assembly.matrix().value[p], 1);
    } else {
      EXPECT_GT(assembly.matrix().value[p], 1.5 * before[p]);
    }
  }
  assembly.block_matrix().regularize(0);
  EXPECT_EQ(assembly.matrix().value, before);
}

TEST(Assembly, MultipliesByTheWholeMatrix) {
  Case c(MaterialKind::NeoHookean, 0.1, 0.02);
  Assembly assembly;
  assembly.prepare(c.model, c.pool);
  assembly.assemble(c.problem, c.x, Tangent::exact, c.pool);
  const int64_t size = assembly.matrix().size;
  std::vector<double> x(size), y(size);
  for (size_t k = 0; k < x.size(); ++k) x[k] = std::sin(static_cast<double>(k));
  multiply(assembly.matrix(), x, y);
  const Dense m = dense(assembly.matrix());
  for (int64_t i = 0; i < size; ++i) {
    double expected = 0;
    for (int64_t j = 0; j < size; ++j) expected += m(i, j) * x[j];
    EXPECT_NEAR(y[i], expected, 1e-13 * m.norm());
  }
}

// 10 240 tets in three chunks; no number of threads may have an effect at their borders.
TEST(Assembly, HasTheSameBitsForAnyNumberOfThreads) {
  Body body;
  body.mesh = box({16, 16, 8}, {1, 1, 0.5});
  body.material = MaterialKind::FixedCorotated;
  const Model model = body.compile();
  StepProblem problem;
  problem.model = &model;
  problem.h = 0.01;
  problem.x_prev = model.rest;
  std::vector<Vec3d> x = model.rest;
  for (Vec3d& v : x) v = {v.x + 0.1 * v.y * v.y, v.y - 0.2 * v.x * v.z, 0.7 * v.z};
  std::vector<double> expected;
  for (const int threads : {1, 2, 3, 4, 7}) {
    ThreadPool pool(threads);
    Assembly assembly;
    assembly.prepare(model, pool);
    assembly.assemble(problem, x, Tangent::projected, pool);
    if (threads == 1) expected = assembly.matrix().value;
    EXPECT_EQ(assembly.matrix().value, expected) << threads << " threads";
  }
}

}  // namespace
}  // namespace sinew
