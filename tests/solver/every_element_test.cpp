// Source: docs/theory.md, The problem of a step: the gradient and Newton's matrix are derivatives. Differences of the
// objective of bodies of each kind of element, each material, and ties of each kind; everything runs over
// materials.def and elements.def.
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <tuple>
#include <vector>

#include "element/tie.h"
#include "objective/objective.h"
#include "solver/newton/assembly.h"
#include "support/body.h"

namespace sinew {
namespace {

using support::Body;
using support::derivative;
using support::problem_of;
using support::Random;
using support::size;

enum class Elements { tets, triangles, quadratic };

// Ties of each kind between two vertices, damped where their law can be. Fibres are 0.76 of their optimal length, far
// from the jumps of their stiffness at 0.6 and 1.
void tie_up(Body& body) {
  body.muscles = {{{0}, {0.7}}};
  const std::array<int32_t, 2> ends{1, static_cast<int32_t>(body.mesh.vertices.size()) - 1};
  const std::array<double, 2> weights{0.6, -0.6};
  for (int kind = 0; kind < tie_kind_count; ++kind) {
    visit_tie(TieKind(kind), [&]<class Law>() {
      for (int k = 0; k < Law::example_count; ++k) {
        TieLaw<double> law{Law::example(k), TieKind(kind)};
        if (Law::traits.has_damping) law.damping = 0.05;
        body.ties.add(law, ends, weights);
      }
    });
  }
}

class EveryElement : public testing::TestWithParam<std::tuple<MaterialKind, Elements>> {
 protected:
  EveryElement() {
    const auto [material, elements] = GetParam();
    plane_ = elements == Elements::triangles;
    Body body = plane_ ? support::plane_body_of(support::rectangle({3, 2}, {1.2, 1}), material)
                       : support::body_of(support::box({2, 2, 1}, {1, 1, 0.6}), material);
    // Near 1/2 the bulk stiffness is split.
    if (elements == Elements::quadratic)
      body = support::body_of(support::with_middles(support::box({1, 1, 1}, {1, 1, 0.6})), material, 1000, 0.45);
    body.blocks[0].damping = 0.02;
    support::vary_stiffness(body, random_);
    tie_up(body);
    model_ = body.compile();
  }
  // A direction of the vertices that are not held, in the plane of triangles.
  std::vector<Vec3d> direction(const StepProblem& problem) {
    std::vector<Vec3d> d(model_.mass.size());
    for (size_t s = 0; s < d.size(); ++s) {
      if (problem.held[s]) continue;
      d[s] = random_.vector();
      if (plane_) d[s].z = 0;
    }
    return d;
  }
  std::vector<Vec3d> moved(std::vector<Vec3d> x, const std::vector<Vec3d>& d, double t) const {
    for (size_t s = 0; s < x.size(); ++s) x[s] += t * d[s];
    return x;
  }
  // Calls check(problem, x): quasistatic, and a step from a deformed state.
  template <class Check>
  void for_problems(const Check& check) {
    for (const double h : {0.0, 0.02}) {
      StepProblem problem = problem_of(model_, model_.rest, h);
      problem.held[static_cast<size_t>(model_.order.slot(UserVertex{0}))] = 1;
      problem.x_prev = moved(model_.rest, direction(problem), 0.01);
      check(problem, moved(problem.x_prev, direction(problem), 0.01));
    }
  }

  Random random_{7};
  bool plane_ = false;
  Model model_;
  ThreadPool pool_{1};
};

double norm(const std::vector<Vec3d>& a) {
  double sum = 0;
  for (const Vec3d& v : a) sum += dot(v, v);
  return std::sqrt(sum);
}
double product(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
  double sum = 0;
  for (size_t s = 0; s < a.size(); ++s) sum += dot(a[s], b[s]);
  return sum;
}

TEST_P(EveryElement, GradientIsTheDerivativeOfTheEnergy) {
  for_problems([&](const StepProblem& problem, const std::vector<Vec3d>& x) {
    const Objective objective(problem, pool_);
    std::vector<Vec3d> g(x.size());
    objective.gradient(x, g);
    for (int k = 0; k < 5; ++k) {
      const std::vector<Vec3d> d = direction(problem);
      const double slope = derivative([&](double t) { return objective.energy(moved(x, d, t)); }, 1e-4);
      EXPECT_NEAR(slope, product(g, d), 1e-8 * norm(g) * norm(d));
    }
  });
}

TEST_P(EveryElement, MatrixIsTheDerivativeOfTheGradient) {
  for_problems([&](const StepProblem& problem, const std::vector<Vec3d>& x) {
    const Objective objective(problem, pool_);
    Assembly assembly;
    assembly.prepare(model_, pool_);
    assembly.assemble(problem, x, Tangent::exact, pool_);
    assembly.block_matrix().hold(problem.held, {});
    const SparseSymmetric& matrix = assembly.matrix();
    for (int k = 0; k < 5; ++k) {
      const std::vector<Vec3d> d = direction(problem);
      const auto gradient = [&](double t) {
        std::vector<Vec3d> g(x.size());
        objective.gradient(moved(x, d, t), g);
        return g;
      };
      constexpr double t = 1e-4;
      const std::vector<Vec3d> a = gradient(t), b = gradient(-t), c = gradient(2 * t), e = gradient(-2 * t);
      std::vector<Vec3d> expected(x.size()), found(x.size());
      for (size_t s = 0; s < x.size(); ++s)
        expected[s] = (8 / (12 * t)) * (a[s] - b[s]) - (1 / (12 * t)) * (c[s] - e[s]);
      const auto at = [](std::vector<Vec3d>& v, int64_t unknown) -> double& {
        Vec3d& one = v[static_cast<size_t>(unknown / 3)];
        return unknown % 3 == 0 ? one.x : unknown % 3 == 1 ? one.y : one.z;
      };
      std::vector<Vec3d> in = d;
      for (int64_t j = 0; j < matrix.size; ++j) {
        for (int64_t p = matrix.column_begin[j]; p < matrix.column_begin[j + 1]; ++p) {
          const int64_t i = matrix.row[p];
          at(found, i) += matrix.value[p] * at(in, j);
          if (i != j) at(found, j) += matrix.value[p] * at(in, i);
        }
      }
      EXPECT_LT(norm(moved(found, expected, -1)), 1e-8 * norm(found));
    }
  });
}

std::string name_of(const testing::TestParamInfo<std::tuple<MaterialKind, Elements>>& test) {
  constexpr const char* elements[] = {"_tets", "_triangles", "_quadratic"};
  const auto [material, element] = test.param;
  return std::string(traits_of(material).name) + elements[static_cast<size_t>(element)];
}

INSTANTIATE_TEST_SUITE_P(All, EveryElement,
                         testing::Combine(testing::ValuesIn(support::every_material()),
                                          testing::Values(Elements::tets, Elements::triangles, Elements::quadratic)),
                         name_of);

}  // namespace
}  // namespace sinew
