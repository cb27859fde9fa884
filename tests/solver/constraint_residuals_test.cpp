// Source: Chen et al. 2024 (PXPBD), eqs. 11-12: g = M (x - y) - sum l grad C and h = C + a~ l; if h = 0, |g|/h^2 is the
// residual of the step. In an independent program (numpy, double precision) XPBD has g = 1.3 N and h = 1.5e-15 after
// 100 iterations.
#include "solver/by_constraint/constraint_residuals.h"

#include <gtest/gtest.h>

#include "solver/by_constraint/b_pxpbd.h"
#include "support/constraint_bar.h"

namespace sinew {
namespace {

using support::body_of;
using support::box;
using support::constraint_materials;
using support::Method;
using support::on_left;
using support::problem_of;
using support::Random;
using support::shaken;
using support::StretchedBar;
using support::Trial;

Method by_xpbd(int iterations) {
  return {.kind = Method::xpbd, .solve = {.iterations = iterations, .precision = double_precision}};
}
Method by_b_pxpbd(int iterations, bool quasistatic = false) {
  return {.solve = {.iterations = iterations, .precision = double_precision},
          .quasistatic = quasistatic,
          .make = [](const SolveOptions& common) { return make_b_pxpbd(common, {.pseudo_step = 0.03}); }};
}

TEST(ConstraintResiduals, OfXpbdAreTheResidualOfTheStepAndNothing) {
  for (const MaterialKind material : support::xpbd_materials()) {
    const StretchedBar bar(by_xpbd(1000), material);
    const auto r = bar.trial.stepper->solver().constraint_residuals();
    ASSERT_TRUE(r);
    const double residual = bar.residuals.seen.back();
    EXPECT_GT(residual, 0.3);
    EXPECT_NEAR(r->primary, residual, 1e-9 * residual) << "the one is from multipliers, the other from stresses";
    EXPECT_LT(r->secondary, 1e-12);
    // At first it is the other way round: x = y and l = 0.
    const StretchedBar early(by_xpbd(1), material);
    EXPECT_GT(early.trial.stepper->solver().constraint_residuals()->secondary, 1e-3);
  }
}

TEST(ConstraintResiduals, OfBPxpbdBothVanish) {
  for (const MaterialKind material : constraint_materials()) {
    const StretchedBar bar(by_b_pxpbd(300), material);
    const auto r = bar.trial.stepper->solver().constraint_residuals();
    ASSERT_TRUE(r);
    EXPECT_LT(r->primary, 1e-10) << "[N], of 8 at the start";
    EXPECT_LT(r->secondary, 1e-12);
  }
  support::HangingBar hanging(by_b_pxpbd(6000, true));
  const auto r = hanging.trial.stepper->solver().constraint_residuals();
  EXPECT_LT(r->primary, 1e-9);
  EXPECT_LT(r->secondary, 1e-9);
}

TEST(ConstraintResiduals, AreThereForMethodsWithMultipliersOnly) {
  EXPECT_FALSE(make_vbd({}, {})->constraint_residuals());
}

// With stiffness factors, in single precision, for any number of threads.
TEST(ConstraintResiduals, SameBitsForAnyNumberOfThreadsAndNearTheSameInSinglePrecision) {
  for (const MaterialKind material : {MaterialKind::NeoHookean, MaterialKind::Stvk}) {
    support::Body body = body_of(box({24, 13, 13}, {1, 0.55, 0.55}), material);
    Random random(5);
    support::vary_stiffness(body, random);
    const Model model = body.compile();
    const StepProblem problem = problem_of(model, shaken(model.rest, 0.005, random), 0.01);
    ConstraintResiduals expected;
    for (const int precision : {double_precision, single_precision}) {
      ConstraintResiduals first;
      for (const int threads : {1, 2, 4}) {
        ThreadPool pool(threads);
        const auto solver = make_xpbd({.precision = precision}, {});
        solver->prepare(model, pool);
        const Objective objective(problem, pool);
        solver->begin_step(objective);
        for (int k = 0; k < 3; ++k) solver->iterate();
        const ConstraintResiduals r = solver->constraint_residuals().value();
        if (threads == 1) first = r;
        EXPECT_EQ(r.primary, first.primary) << threads;
        EXPECT_EQ(r.secondary, first.secondary) << threads;
      }
      if (precision == double_precision) expected = first;
      EXPECT_NEAR(first.primary, expected.primary, 1e-3 * expected.primary);
      EXPECT_NEAR(first.secondary, expected.secondary, 1e-3 * expected.secondary);
    }
  }
}

}  // namespace
}  // namespace sinew
