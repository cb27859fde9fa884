// Source: Macklin et al. 2016, eqs. 17-18 (one projection of XPBD), and docs/theory.md, The Green strain as one
// constraint, written out in reference_sweeps.h; and the guarantee that all lane widths agree with the scalar kernel.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "solver/by_constraint/xpbd.h"
#include "solver/reference_sweeps.h"
#include "solver/sweep_case.h"
#include "support/constraint_bar.h"

namespace sinew {
namespace {

using support::xpbd_materials;

class ConstraintSweepOf : public testing::TestWithParam<MaterialKind> {};
class ScalarConstraintSweepOf : public testing::TestWithParam<MaterialKind> {};

// Each pair of materials, then one material with stiffness factors.
TEST_P(ConstraintSweepOf, IsTheDefinition) {
  const std::vector<MaterialKind> seconds = xpbd_materials();
  for (size_t second = 0; second <= seconds.size(); ++second) {
    Body body = assorted_body(GetParam(), seconds[second % seconds.size()]);
    Random random(5);
    if (second == seconds.size()) support::vary_stiffness(body, random);
    SweepCase c(body, time_step, 0.05);
    // XPBD starts at the inertial target, which is shaken.
    for (int32_t s = 0; s < c.model.slot_count(); ++s) {
      if (!c.problem.held[s]) c.problem.x_target[s] = c.problem.x_start[s];
    }
    for (const int iterations : {1, 100}) {
      ReferenceXpbd reference(c.problem);
      std::vector<Vec3d> expected = c.problem.x_start;
      for (int k = 0; k < iterations; ++k) reference.sweep(expected);
      for (const int precision : {double_precision, single_precision}) {
        for (const int lanes : lane_counts()) {
          const auto xpbd = make_xpbd({.precision = precision}, {.lanes = lanes});
          const std::vector<Vec3d> x = iterated(*xpbd, c.problem, c.pool, iterations);
          EXPECT_LT(largest_difference(c.model, x, expected), precision == double_precision ? 1e-11 : 1e-4)
              << iterations << " iterations, " << lanes << " lanes, " << precision_names[precision];
        }
      }
    }
  }
}

// The scalar kernel keeps its multipliers tet by tet and sweeps colour by colour. At convergence C + a~ l = 0, while
// the forces are not balanced.
TEST_P(ScalarConstraintSweepOf, MultipliersAreThoseOfTheDefinitionAndSolveTheConstraints) {
  SweepCase c(body_of(box({3, 2, 2}, {1.5, 1, 1}), GetParam()), time_step, 0.05);
  c.problem.x_target = c.problem.x_start;
  for (const int iterations : {1, 3000}) {
    ReferenceXpbd reference(c.problem);
    std::vector<Vec3d> expected = c.problem.x_start;
    for (int k = 0; k < iterations; ++k) reference.sweep(expected);
    const auto xpbd = make_xpbd({.precision = double_precision}, {.lanes = 1});
    const std::vector<Vec3d> x = iterated(*xpbd, c.problem, c.pool, iterations);
    const Buffer<double>& kept = std::get<Iterate<double>*>(xpbd->iterate_ref())->multipliers;
    const int count = traits_of(GetParam()).constraint_count;
    ASSERT_EQ(kept.size(), count * c.model.tets.size());
    std::vector<double> multipliers(reference.multipliers.size());
    size_t at = 0;
    for (int32_t color = 0; color < reference.coloring().count; ++color) {
      for (size_t e = 0; e < c.model.tets.size(); ++e) {
        if (reference.coloring().color[e] != color) continue;
        for (int k = 0; k < count; ++k) multipliers[most_constraints * e + static_cast<size_t>(k)] = kept[at++];
      }
    }
    double largest = 0, difference = 0;
    for (size_t k = 0; k < multipliers.size(); ++k) {
      largest = std::max(largest, std::abs(reference.multipliers[k]));
      difference = std::max(difference, std::abs(multipliers[k] - reference.multipliers[k]));
    }
    EXPECT_GT(largest, 0);
    EXPECT_LT(difference, 1e-10 * largest);
    const double fault = reference.secondary_residual(x, multipliers);
    EXPECT_EQ(fault<1e-10, iterations> 1) << fault;
  }
}

// Numbers of an independent program (numpy, double precision) with tets in their own order: the residual of the step
// after 1, 5, 20, 50 and 100 iterations.
TEST(ConstraintSweep, StagnatesWithTheNumbersOfTheReference) {
  const Body body = body_of(box({4, 2, 2}, {0.4, 0.2, 0.2}), MaterialKind::FixedCorotated);
  const Model model = body.compile();
  std::vector<Vec3d> stretched = model.rest;
  for (Vec3d& p : stretched) p.x *= 1.2;
  StepProblem problem = problem_of(model, stretched, 0.01);
  for (int32_t s = 0; s < model.slot_count(); ++s) {
    if (model.rest[s].x > 1e-9 || model.order.is_padding(Slot{s})) continue;
    problem.held[s] = 1;
    problem.x_target[s] = problem.x_start[s];
  }
  ThreadPool pool(1);
  const Objective objective(problem, pool);
  ReferenceXpbd reference(problem, TetOrder::as_given);
  std::vector<Vec3d> x = problem.x_target;
  std::vector<double> residual;
  for (int k = 1; k <= 100; ++k) {
    reference.sweep(x);
    residual.push_back(objective.evaluate(x).residual);
  }
  // The numbers are printed with three digits.
  EXPECT_NEAR(residual[0], 2.63, 0.005);
  EXPECT_NEAR(residual[4], 1.33, 0.005);
  EXPECT_NEAR(residual[19], 1.35, 0.005);
  EXPECT_NEAR(residual[49], 1.35, 0.005);
  EXPECT_NEAR(residual[99], 1.35, 0.005);
}

// Without a safeguard, |F| = 0 and no gradient of J would give 0 / 0.
TEST(ConstraintSweep, LeavesATetCollapsedToAPointWhereItIs) {
  for (const MaterialKind material : {MaterialKind::NeoHookean, MaterialKind::Stvk}) {
    SweepCase c(body_of(support::one_tet(), material), time_step);
    c.problem.held.assign(c.problem.held.size(), 0);
    c.problem.x_target.assign(c.problem.x_target.size(), Vec3d{1, 2, 3});
    for (const int precision : {double_precision, single_precision}) {
      for (const int lanes : lane_counts()) {
        const auto xpbd = make_xpbd({.precision = precision}, {.lanes = lanes});
        EXPECT_EQ(largest_difference(c.model, iterated(*xpbd, c.problem, c.pool, 3), c.problem.x_target), 0) << lanes;
      }
    }
  }
}

// Strongly deformed tets, some of them inverted, of a body so stiff that its matrix is regular only by 1e-8 of its
// size, or so soft that nothing else remains: single precision ends where double precision does.
TEST(ConstraintSweep, OfStrainsEndsTheSameInSinglePrecisionHoweverStiff) {
  for (const double youngs_modulus : {1e-3, 1e3, 1e10}) {
    SweepCase c(body_of(box({3, 2, 2}, {1.5, 1, 1}), MaterialKind::Stvk, youngs_modulus), time_step, 0.05);
    c.problem.x_target = c.problem.x_start;
    const auto run = [&](int precision) {
      const auto xpbd = make_xpbd({.precision = precision}, {});
      return iterated(*xpbd, c.problem, c.pool, 200);
    };
    EXPECT_LT(largest_difference(c.model, run(single_precision), run(double_precision)), 1e-4) << youngs_modulus;
  }
}

TEST_P(ConstraintSweepOf, SameBitsForEveryLaneWidth) {
  SweepCase c(assorted_body(GetParam(), MaterialKind::NeoHookean), time_step, 0.05);
  for (const int precision : {double_precision, single_precision}) {
    std::vector<Vec3d> expected;
    for (const int lanes : lane_counts()) {
      const auto xpbd = make_xpbd({.precision = precision}, {.lanes = lanes});
      const std::vector<Vec3d> x = iterated(*xpbd, c.problem, c.pool, 1);
      if (lanes == 1) expected = x;
      EXPECT_LE(largest_difference(c.model, x, expected), lane_error(precision, 2000)) << lanes;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, ScalarConstraintSweepOf, testing::ValuesIn(support::constraint_materials()),
                         [](const auto& test) { return std::string(traits_of(test.param).name); });
INSTANTIATE_TEST_SUITE_P(All, ConstraintSweepOf, testing::ValuesIn(xpbd_materials()),
                         [](const auto& test) { return std::string(traits_of(test.param).name); });

}  // namespace
}  // namespace sinew
