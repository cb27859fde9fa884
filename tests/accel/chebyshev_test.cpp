// Source: the recurrence of Golub & Van Loan (docs/theory.md, Acceleration): x^(n) = w_n (x~^(n) - x^(n-2)) + x^(n-2);
// its error after n steps, for a linear iteration with eigenvalues in [-rho, rho], is T_n(lambda/rho) / T_n(1/rho).
#include "accel/chebyshev.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "accel/accelerator_list.h"
#include "accel/linear_iteration.h"
#include "support/trial.h"

namespace sinew {
namespace {

using support::body_of;
using support::box;
using support::Method;
using support::on_left;
using support::Trial;

double chebyshev_polynomial(int n, double x) {
  return std::abs(x) <= 1 ? std::cos(n * std::acos(x))
                          : std::pow(x < 0 ? -1 : 1, n) * std::cosh(n * std::acosh(std::abs(x)));
}

TEST(Chebyshev, HasTheErrorOfTheChebyshevPolynomials) {
  const std::vector<double> eigenvalues{-0.9, -0.5, 0.1, 0.5, 0.8, 0.95};
  constexpr double rho = 0.95;
  LinearIteration problem(eigenvalues);
  problem.iterate.multipliers = {1, 1};
  ThreadPool pool(1);
  const auto accelerator = make_chebyshev({.rho = rho, .delay = 1});
  accelerator->begin_step(&problem.iterate, pool);
  for (int n = 1; n <= 60; ++n) {
    problem.sweep();
    accelerator->apply(&problem.iterate, n, pool);
    for (size_t k = 0; k < eigenvalues.size(); ++k) {
      const double expected = chebyshev_polynomial(n, eigenvalues[k] / rho) / chebyshev_polynomial(n, 1 / rho);
      EXPECT_NEAR(problem.error(k), expected, 1e-12) << "iteration " << n << ", eigenvalue " << eigenvalues[k];
    }
    for (const double l : problem.iterate.multipliers) EXPECT_EQ(l, problem.error(0)) << "multipliers move along";
  }
}

// The first `delay` sweeps are plain; then follows the recurrence by its definition.
TEST(Chebyshev, WaitsForItsDelay) {
  constexpr double rho = 0.8, eigenvalue = 0.7;
  for (const int delay : {1, 3, 10}) {
    LinearIteration problem({eigenvalue, eigenvalue, eigenvalue});
    ThreadPool pool(1);
    const auto accelerator = make_chebyshev({.rho = rho, .delay = delay});
    accelerator->begin_step(&problem.iterate, pool);
    std::vector<double> x{1};
    double omega = 1;
    for (int n = 1; n <= 20; ++n) {
      problem.sweep();
      accelerator->apply(&problem.iterate, n, pool);
      double next = eigenvalue * x.back();
      if (n > delay) {
        omega = n == delay + 1 ? 2 / (2 - rho * rho) : 4 / (4 - rho * rho * omega);
        next = omega * (next - x[x.size() - 2]) + x[x.size() - 2];
      }
      x.push_back(next);
      EXPECT_NEAR(problem.error(1), next, 1e-14) << "delay " << delay << ", iteration " << n;
    }
  }
}

// gamma relaxes every sweep, including the plain ones: the recurrence for the sweep x -> x + gamma (G(x) - x).
TEST(Chebyshev, RelaxesEverySweepByGamma) {
  constexpr double rho = 0.8, gamma = 1.7, eigenvalue = 0.7, relaxed = 1 + gamma * (eigenvalue - 1);
  LinearIteration problem({eigenvalue, eigenvalue, eigenvalue}), same({relaxed, relaxed, relaxed});
  ThreadPool pool(1);
  const auto with = make_chebyshev({.rho = rho, .gamma = gamma, .delay = 2}),
             without = make_chebyshev({.rho = rho, .delay = 2});
  with->begin_step(&problem.iterate, pool);
  without->begin_step(&same.iterate, pool);
  for (int n = 1; n <= 20; ++n) {
    problem.sweep();
    same.sweep();
    with->apply(&problem.iterate, n, pool);
    without->apply(&same.iterate, n, pool);
    EXPECT_NEAR(problem.error(2), same.error(2), 1e-15) << "iteration " << n;
  }
}

TEST(Chebyshev, LeavesHeldVerticesAlone) {
  LinearIteration problem({0.9, 0.9, 0.9, 0.9, 0.9, 0.9});
  problem.iterate.x[1] = {3, 4, 5, 0};
  ThreadPool pool(1);
  const auto accelerator = make_chebyshev({.rho = 0.9, .delay = 1});
  accelerator->begin_step(&problem.iterate, pool);
  for (int n = 1; n <= 10; ++n) {
    problem.sweep();
    accelerator->apply(&problem.iterate, n, pool);
  }
  EXPECT_EQ(problem.iterate.x[1].x, 3);
  EXPECT_EQ(problem.iterate.x[1].z, 5);
  EXPECT_LT(std::abs(problem.iterate.x[0].x), 0.1);
}

// With rho = 0.9 at the top of the spectrum, plain sweeps reduce the error by a factor of 0.9 each; accelerated ones by
// rho / (1 + sqrt(1 - rho^2)) = 0.63.
double error_after(int iterations, const ChebyshevOptions* options, std::vector<double> eigenvalues) {
  LinearIteration problem(std::move(eigenvalues));
  ThreadPool pool(1);
  const auto accelerator = options ? make_chebyshev(*options) : nullptr;
  if (accelerator) accelerator->begin_step(&problem.iterate, pool);
  for (int n = 1; n <= iterations; ++n) {
    problem.sweep();
    if (accelerator) accelerator->apply(&problem.iterate, n, pool);
  }
  return problem.largest_error();
}

TEST(Chebyshev, MeasuresItsRate) {
  // One slow mode and fast ones: after four sweeps the slow one dominates the changes, and the measured rate is the
  // true one.
  const std::vector<double> eigenvalues{0.97, 0.05, 0.03, 0.02, 0.01, 0};
  const ChebyshevOptions measured{}, given{.rho = 0.97, .delay = 8};
  const double automatic = error_after(60, &measured, eigenvalues), by_hand = error_after(60, &given, eigenvalues);
  const double plain = error_after(60, nullptr, eigenvalues);
  EXPECT_NEAR(plain, std::pow(0.97, 60), 1e-12);
  EXPECT_LT(automatic, 1e-3 * plain);
  EXPECT_LT(automatic, 10 * by_hand);
  EXPECT_GT(automatic, 0.1 * by_hand);
}

// A rho far above the true rate slows the iteration down: the error falls like sqrt(omega - 1) per sweep.
TEST(Chebyshev, TooLargeARhoIsSlow) {
  const ChebyshevOptions right{.rho = 0.5, .delay = 1}, large{.rho = 0.99, .delay = 1};
  const std::vector<double> eigenvalues{0.5, 0.3, -0.3};
  EXPECT_GT(error_after(30, &large, eigenvalues), 1e3 * error_after(30, nullptr, eigenvalues));
  EXPECT_LT(error_after(30, &right, eigenvalues), error_after(30, nullptr, eigenvalues));
}

// Gauss-Seidel sweeps are not symmetric, so modes may rotate as they shrink. One that rotates by a right angle,
// eigenvalues +-0.9 i, is amplified by acceleration with rho = 0.97, by |T_n(0.9 i / rho) / T_n(1 / rho)| = 1.8^n. The
// rate is measured before this shows; the guard then sees the changes grow and starts over, repeatedly.
TEST(Chebyshev, StartsOverWhenTheChangesGrow) {
  const auto largest_of = [&](const ChebyshevOptions& options) {
    Iterate<double> iterate;
    iterate.x = {{1, 1e-6, 0, 1}};
    ThreadPool pool(1);
    const auto accelerator = make_chebyshev(options);
    accelerator->begin_step(&iterate, pool);
    double largest = 0;
    for (int n = 1; n <= 300; ++n) {
      Vec4<double>& p = iterate.x[0];
      p = {0.97 * p.x, -0.9 * p.z, 0.9 * p.y, 1};
      accelerator->apply(&iterate, n, pool);
      largest = std::max(largest, std::abs(p.y));
    }
    return largest;
  };
  EXPECT_GT(largest_of({.rho = 0.97, .delay = 8}), 1e6) << "unguarded";
  EXPECT_LT(largest_of({}), 1);
}

TEST(Chebyshev, ForgetsTheStepBefore) {
  LinearIteration problem({0.9, 0.8, 0.7});
  ThreadPool pool(1);
  const auto accelerator = make_chebyshev({});
  std::vector<double> ends;
  for (int step = 0; step < 2; ++step) {
    problem.iterate.x.assign(1, {1, 1, 1, 1});
    accelerator->begin_step(&problem.iterate, pool);
    for (int n = 1; n <= 30; ++n) {
      problem.sweep();
      accelerator->apply(&problem.iterate, n, pool);
    }
    ends.push_back(problem.iterate.x[0].x);
  }
  EXPECT_EQ(ends[0], ends[1]);
}

// For a body, in both precisions and with a measured rate: the same solution in far fewer sweeps.
TEST(Chebyshev, ConvergesToTheSameSolutionFaster) {
  int iterations[2];
  std::vector<Vec3d> x[2];
  for (const int accelerated : {0, 1}) {
    Method m{.quasistatic = true, .h = 1};
    m.solve.iterations = 20000;
    m.solve.tolerance = 1e-9;
    m.solve.check_every = 10;
    if (accelerated) m.chebyshev = ChebyshevOptions{};
    Trial trial(body_of(box({8, 3, 3}, {0.4, 0.15, 0.15}), MaterialKind::NeoHookean, 1e4), m);
    trial.hold(on_left);
    const StepReport report = trial.step();
    EXPECT_EQ(report.status, SolveStatus::converged);
    iterations[accelerated] = report.iterations;
    x[accelerated] = trial.positions();
  }
  EXPECT_LT(5 * iterations[1], iterations[0]);
  for (size_t v = 0; v < x[0].size(); ++v) EXPECT_LT(support::size(x[0][v] - x[1][v]), 1e-8);
}

TEST(Accelerators, AreFoundByNameAndCheckTheirOptions) {
  EXPECT_TRUE(find_accelerator("chebyshev"));
  EXPECT_FALSE(find_accelerator("warp"));
  EXPECT_EQ(accelerator_list().front().name, std::string("none"));
  const auto none = make_accelerator("none", {}, "accelerator");
  ASSERT_TRUE(none.ok());
  EXPECT_EQ(none.value(), nullptr);
  const std::vector<NamedOption> good{{"rho", 0.9}, {"delay", 3.0}}, bad{{"rho", 1.5}};
  EXPECT_TRUE(make_accelerator("chebyshev", good, "accelerator").ok());
  const auto refused = make_accelerator("chebyshev", bad, "accelerator");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().where, "accelerator.rho");
  EXPECT_FALSE(make_accelerator("warp", {}, "accelerator").ok());
}

}  // namespace
}  // namespace sinew
