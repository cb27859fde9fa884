// Source: Liu et al. 2017; an independent program (numpy; one large step of a cube stretched by 1.3): L-BFGS with a
// Laplacian reaches the state of Newton's method, its merit never rises, and it is far faster than descent along the
// Laplacian. Stored fields: engine/oracles_test.cpp.
#include "solver/newton/quasi_newton.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "solver/damping_merit.h"
#include "support/trial.h"

namespace sinew {
namespace {

using support::Body;
using support::body_of;
using support::box;
using support::Method;
using support::on_left;
using support::Trial;

struct Curve final : Observer {
  bool wants(int64_t, int) const override { return true; }
  void on_iteration(const IterationReport& report) override {
    energy.push_back(report.evaluation.energy);
    residual.push_back(report.evaluation.residual);
  }
  std::vector<double> energy, residual;
};

// One step of 1/30 s of a stretched block, or its equilibrium if h = 0.
struct Relaxation {
  Relaxation(const Body& body, Method how, double h) {
    how.quasistatic = h == 0;
    how.h = h == 0 ? 1 : h;
    trial = std::make_unique<Trial>(body, how);
    trial->hold(on_left);
    trial->observer = &curve;
    for (Vec3d& p : trial->state.x) p.x *= 1.3;
    report = trial->step();
  }
  Curve curve;
  std::unique_ptr<Trial> trial;
  StepReport report;
};

Method until_round_off(Method::Kind kind) {
  return {.kind = kind,
          .solve = {.iterations = 3000,
                    .relative_tolerance = 1e-13,
                    .check_every = 1,
                    .precision = double_precision,
                    .initial_guess = guess_previous}};
}

class QuasiNewtonOf : public testing::TestWithParam<MaterialKind> {};

TEST_P(QuasiNewtonOf, EndsWhereNewtonEndsAndNeverRaisesTheEnergy) {
  for (const double h : {0.0, 1 / 30.0}) {
    const Body body = body_of(box({5, 3, 3}, {0.5, 0.3, 0.3}), GetParam(), 1e4);
    const Relaxation newton(body, until_round_off(Method::newton), h);
    const Relaxation quasi(body, until_round_off(Method::quasi_newton), h);
    EXPECT_EQ(quasi.report.status, SolveStatus::converged);
    const std::vector<Vec3d> a = newton.trial->positions(), b = quasi.trial->positions();
    for (size_t v = 0; v < a.size(); ++v) EXPECT_LT(support::size(a[v] - b[v]), 1e-8);

    const std::vector<double>& e = quasi.curve.energy;
    const double noise = 1e-11 * std::abs(e.front() - e.back()) + 1e-12 * std::abs(e.back());
    for (size_t k = 1; k < e.size(); ++k) EXPECT_LE(e[k], e[k - 1] + noise) << "iteration " << k;
  }
}

INSTANTIATE_TEST_SUITE_P(All, QuasiNewtonOf, testing::ValuesIn(support::every_material()),
                         [](const auto& test) { return std::string(traits_of(test.param).name); });

// Damping is part of both merit and gradient.
TEST(QuasiNewton, EndsWhereNewtonEndsWithDamping) {
  for (const DampingForm form : {DampingForm::strain_rate, DampingForm::own_block}) {
    Body body = body_of(box({5, 3, 3}, {0.5, 0.3, 0.3}), MaterialKind::NeoHookean, 1e4);
    body.blocks[0].damping = 0.05;
    body.damping_form = form;
    const Relaxation newton(body, until_round_off(Method::newton), 1 / 30.0);
    const Relaxation quasi(body, until_round_off(Method::quasi_newton), 1 / 30.0);
    const std::vector<Vec3d> a = newton.trial->positions(), b = quasi.trial->positions();
    for (size_t v = 0; v < a.size(); ++v) EXPECT_LT(support::size(a[v] - b[v]), 1e-8);
  }
}

// The table of that program: relative losses of energy after the given iterations, to its two digits.
TEST(QuasiNewton, LosesWhatTheReferenceLoses) {
  struct Row {
    int history;
    double weight;
    double after_1, after_5, after_10;
  };
  constexpr double soft = 1 / 3.5;  // mu = 2 (2 mu + lambda) / 7 at Poisson's ratio 0.3
  const Body body = body_of(box({8, 8, 8}));
  Method m = until_round_off(Method::newton);
  const double solution = Relaxation(body, m, 1 / 30.0).curve.energy.back();
  for (const Row& row : {Row{0, 1, 5.3e-1, 1.1e-2, 2.3e-4}, Row{0, soft, 8.2e-1, 1.5e-3, 2.0e-5},
                         Row{5, 1, 5.3e-1, 2.7e-4, 6.6e-7}, Row{5, soft, 8.2e-1, 2.0e-2, 1.7e-5}}) {
    m = until_round_off(Method::quasi_newton);
    m.quasi_newton_options = {.history = row.history, .laplacian_weight = row.weight};
    const Relaxation run(body, m, 1 / 30.0);
    const std::vector<double>& e = run.curve.energy;
    ASSERT_GT(e.size(), 10u);
    const auto expect_loss = [&](int iteration, double expected) {
      EXPECT_NEAR((e[iteration] - solution) / (e[0] - solution), expected, 0.05 * expected)
          << "history " << row.history << ", weight " << row.weight << ", iteration " << iteration;
    };
    expect_loss(1, row.after_1);
    expect_loss(5, row.after_5);
    expect_loss(10, row.after_10);
  }
}

// A constant matrix serves until the step size or the held vertices change; then it must be recomputed.
TEST(QuasiNewton, FollowsPinsThatComeAndGo) {
  Method m = until_round_off(Method::quasi_newton);
  m.h = 1 / 60.0;
  const auto run = [&](Method::Kind kind) {
    m.kind = kind;
    Trial trial(body_of(box({5, 3, 3}, {0.5, 0.3, 0.3}), MaterialKind::NeoHookean, 1e4), m);
    trial.hold(on_left);
    trial.hold([](Vec3d r) { return r.x > 0.5 - 1e-12; }, [](PinScript& pin) { pin.release = 2.5 / 60; });
    for (int step = 0; step < 5; ++step) EXPECT_EQ(trial.step().status, SolveStatus::converged);
    return trial.positions();
  };
  const std::vector<Vec3d> a = run(Method::newton), b = run(Method::quasi_newton);
  for (size_t v = 0; v < a.size(); ++v) EXPECT_LT(support::size(a[v] - b[v]), 1e-9);
}

// If only the rounding of the forces remains in the residual, the solve has converged, with or without a tolerance.
TEST(QuasiNewton, EndsAtRoundOff) {
  Method m = until_round_off(Method::quasi_newton);
  m.solve.relative_tolerance = 0;
  const Relaxation run(body_of(box({5, 3, 3}, {0.5, 0.3, 0.3}), MaterialKind::NeoHookean, 1e4), m, 1 / 30.0);
  EXPECT_EQ(run.report.status, SolveStatus::converged);
  EXPECT_LT(run.report.iterations, 1000);
  EXPECT_LT(run.curve.residual.back(), 1e-12 * run.curve.residual.front());
}

TEST(QuasiNewton, HasTheSameBitsForAnyNumberOfThreads) {
  uint64_t expected = 0;
  for (const int threads : {1, 2, 4}) {
    Method m = until_round_off(Method::quasi_newton);
    m.threads = threads;
    m.solve.relative_tolerance = 0;
    m.solve.iterations = 12;
    m.h = 1 / 60.0;
    Trial trial(body_of(box({30, 25, 25}, {1.2, 1, 1})), m);  // five chunks of reductions
    trial.hold(on_left);
    trial.step();
    if (threads == 1) expected = trial.hash();
    EXPECT_EQ(trial.hash(), expected) << threads << " threads";
  }
}

}  // namespace
}  // namespace sinew
