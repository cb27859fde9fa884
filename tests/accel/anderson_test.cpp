// Source: Walker & Ni 2011, theorem 2.2 (on linear problems as good as GMRES); docs/theory.md, Acceleration: Anderson
// on positions and multipliers has the limit of plain XPBD, but not on positions alone. Reference numbers were computed
// by an independent program (numpy, double precision).
#include "accel/anderson.h"

#include <gtest/gtest.h>

#include <cmath>

#include "accel/accelerator_list.h"
#include "accel/linear_iteration.h"
#include "solver/sweep_solver.h"
#include "support/trial.h"

namespace sinew {
namespace {

using support::body_of;
using support::box;
using support::Method;
using support::on_left;
using support::Trial;

// GMRES ends after as many iterations as there are distinct eigenvalues, Anderson one iteration later.
TEST(Anderson, SolvesALinearProblemOfNEigenvaluesInNPlusOneIterations) {
  const std::vector<double> eigenvalues{-0.9, -0.4, 0.2, 0.6, 0.9, 0.99};
  const auto n = static_cast<int>(eigenvalues.size());
  for (const int window : {n, 20}) {
    LinearIteration problem(eigenvalues);
    ThreadPool pool(1);
    const auto accelerator = make_anderson({.window = window});
    accelerator->begin_step(&problem.iterate, pool);
    for (int k = 1; k <= n; ++k) {
      problem.sweep();
      accelerator->apply(&problem.iterate, k, pool);
    }
    EXPECT_GT(problem.largest_error(), 1e-4) << "not before";
    problem.sweep();
    accelerator->apply(&problem.iterate, n + 1, pool);
    EXPECT_LT(problem.largest_error(), 1e-11);
  }
}

// Only the window matters: with m = 1 two eigenvalues take more than three iterations, with or without held vertices
// and multipliers.
TEST(Anderson, CombinesNoMoreIterationsThanItsWindow) {
  const auto error_after_four = [](int window) {
    LinearIteration problem({-0.6, 0.3, 0.9, 0.9, 0.9, 0.9});
    problem.iterate.x[1] = {3, 4, 5, 0};
    ThreadPool pool(1);
    const auto accelerator = make_anderson({.window = window});
    accelerator->begin_step(&problem.iterate, pool);
    for (int k = 1; k <= 4; ++k) {
      problem.sweep();
      accelerator->apply(&problem.iterate, k, pool);
    }
    EXPECT_EQ(problem.iterate.x[1].z, 5);
    return std::abs(problem.error(2));
  };
  EXPECT_LT(error_after_four(3), 1e-12);
  EXPECT_GT(error_after_four(1), 1e-3);
}

TEST(Anderson, MovesWhatItIsToldTo) {
  for (const int on : {anderson_both, anderson_multipliers, anderson_positions}) {
    LinearIteration problem({0.9, 0.9, 0.9});
    problem.iterate.multipliers = {2};
    problem.iterate.multiplier_scale = 0.37;
    ThreadPool pool(1);
    const auto accelerator = make_anderson({.on = on});
    EXPECT_EQ(accelerator->moves_multipliers_alone(), on == anderson_multipliers);
    EXPECT_EQ(accelerator->moves_positions_alone(), on == anderson_positions);
    accelerator->begin_step(&problem.iterate, pool);
    for (int k = 1; k <= 2; ++k) {
      problem.sweep();
      accelerator->apply(&problem.iterate, k, pool);
    }
    const double plain = 0.9 * 0.9;
    EXPECT_NEAR(problem.error(0), on == anderson_multipliers ? plain : 0, 1e-14);
    EXPECT_NEAR(problem.iterate.multipliers[0], on == anderson_positions ? 2 * plain : 0, 1e-14);
  }
}

// A map that changes from one linear piece to another with another fixed point: the history of the first is useless in
// the second. The change doubles and the window is cleared; otherwise the old columns would mislead.
TEST(Anderson, ForgetsWhenTheChangeDoubles) {
  Iterate<double> iterate;
  iterate.x = {{1, 1, 1, 1}};
  ThreadPool pool(1);
  const auto accelerator = make_anderson({.window = 20});
  accelerator->begin_step(&iterate, pool);
  for (int k = 1; k <= 3; ++k) {
    Vec4<double>& p = iterate.x[0];
    p = {0.9 * p.x, 0.5 * p.y, 0.1 * p.z, 1};
    accelerator->apply(&iterate, k, pool);
  }
  iterate.x[0] = {101, 102, 103, 1};  // G(u) far from u
  accelerator->apply(&iterate, 4, pool);
  EXPECT_EQ(iterate.x[0].x, 101) << "G(u) as it is";
  EXPECT_EQ(iterate.x[0].z, 103);
}

TEST(Anderson, StartsEveryStepAnew) {
  ThreadPool pool(1);
  const auto accelerator = make_anderson({});
  double ends[2];
  for (double& end : ends) {
    LinearIteration problem({0.9, 0.8, 0.7});
    accelerator->begin_step(&problem.iterate, pool);
    for (int k = 1; k <= 3; ++k) {
      problem.sweep();
      accelerator->apply(&problem.iterate, k, pool);
    }
    end = problem.error(0);
  }
  EXPECT_EQ(ends[0], ends[1]);
}

// One step of a bar that falls from rest: the reference's scene.
std::vector<Vec3d> fall(std::optional<AndersonOptions> anderson, int iterations, Method::Kind kind = Method::xpbd,
                        MaterialKind material = MaterialKind::FixedCorotated, double youngs_modulus = 2e4,
                        int precision = double_precision) {
  Method m{.kind = kind, .h = 1 / 60.0, .anderson = anderson};
  m.solve = {.iterations = iterations, .precision = precision, .initial_guess = guess_target};
  Trial trial(body_of(box({6, 2, 2}, {0.6, 0.2, 0.2}), material, youngs_modulus), m);
  trial.hold(on_left);
  trial.step();
  return trial.positions();
}
double distance(const std::vector<Vec3d>& p, const std::vector<Vec3d>& q) {
  double largest = 0;
  for (size_t v = 0; v < p.size(); ++v) largest = std::max(largest, support::size(p[v] - q[v]));
  return largest;
}

// XPBD stops wherever C + a l = 0, even if x = y + M^-1 grad C^T l does not hold; the end depends on the path. On
// positions and multipliers Anderson keeps to the path of plain iterations up to the curvature of C, and ends where
// they end, ten times closer than that is to the true solution. On positions alone it ends elsewhere.
TEST(AndersonXpbd, EndsWherePlainIterationsEndUnlessItMovesPositionsAlone) {
  const std::vector<Vec3d> limit = fall({}, 5000), truth = fall({}, 5000, Method::vbd);
  const std::vector<Vec3d> both = fall(AndersonOptions{}, 40), both_later = fall(AndersonOptions{}, 1000);
  const std::vector<Vec3d> positions = fall(AndersonOptions{.on = anderson_positions}, 1000);
  EXPECT_LT(distance(both_later, limit), 0.1 * distance(limit, truth));
  EXPECT_GT(distance(positions, limit), 30 * distance(both_later, limit));
  EXPECT_LT(distance(both, both_later), 0.1 * distance(fall({}, 40), limit)) << "and it is faster";
}

// That end is the stiffer the more iterations it takes: the free end falls less far.
TEST(AndersonXpbd, IsTooStiffOnPositionsAlone) {
  const auto fallen = [](const std::vector<Vec3d>& x) {
    double lowest = 0;
    const std::vector<Vec3d> rest = box({6, 2, 2}, {0.6, 0.2, 0.2}).vertices;
    for (size_t v = 0; v < x.size(); ++v) lowest = std::max(lowest, rest[v].y - x[v].y);
    return lowest;
  };
  const double truth = fallen(fall({}, 5000, Method::vbd));
  EXPECT_NEAR(fallen(fall(AndersonOptions{}, 100)), truth, 0.1 * truth);
  EXPECT_LT(fallen(fall(AndersonOptions{.on = anderson_positions}, 100)), 0.8 * truth);
}

// With x computed from the multipliers nothing drifts: C + a l = 0 and x = y + M^-1 grad C^T l give the true solution,
// which plain XPBD misses. Only for steps so short or bodies so soft that E h^2 is small relative to rho L^2.
TEST(AndersonXpbd, ReachesTheTrueSolutionOnMultipliersOfSoftBodies) {
  for (const MaterialKind material : {MaterialKind::FixedCorotated, MaterialKind::NeoHookean}) {
    const auto run = [&](std::optional<AndersonOptions> anderson, Method::Kind kind) {
      return fall(anderson, 60, kind, material, 20);
    };
    const std::vector<Vec3d> truth = run({}, Method::vbd);
    EXPECT_LT(distance(run(AndersonOptions{.on = anderson_multipliers}, Method::xpbd), truth), 1e-13);
    EXPECT_GT(distance(run({}, Method::xpbd), truth), 1e-6);
  }
}

// The reference: StVK with one constraint of six numbers, E = 2e4. Its tets have their own order, here they are
// coloured, which changes the end by less than 1e-5 m. Plain iterations, and Anderson on positions and multipliers, end
// at -2.909 mm. Anderson on positions alone ends at -2.22 and -2.41 mm, depending on the path.
TEST(AndersonXpbd, EndsWhereTheReferenceEndsWithStrainConstraints) {
  const auto tip = [](std::optional<AndersonOptions> anderson, int iterations) {
    const std::vector<Vec3d> rest = box({6, 2, 2}, {0.6, 0.2, 0.2}).vertices;
    size_t at = 0;
    for (size_t v = 0; v < rest.size(); ++v) {
      if (rest[v].x + 0.01 * rest[v].y > rest[at].x + 0.01 * rest[at].y + 1e-9) at = v;
    }
    return fall(anderson, iterations, Method::xpbd, MaterialKind::Stvk)[at].y - rest[at].y;
  };
  const double limit = tip({}, 5000);
  EXPECT_NEAR(limit, -2.909e-3, 1e-5);
  EXPECT_NEAR(tip(AndersonOptions{}, 100), limit, 2e-6);
  EXPECT_NEAR(tip({}, 100), -2.944e-3, 2e-5);
  EXPECT_GT(tip(AndersonOptions{.on = anderson_positions}, 100), 0.9 * limit);
}

// VBD's state is its positions. In both precisions, and far from where changes are linear: a block stretched by 1.3.
TEST(AndersonVbd, ConvergesToTheSameSolutionFaster) {
  for (const MaterialKind material : support::every_material()) {
    int iterations[2];
    std::vector<Vec3d> x[2];
    for (const int accelerated : {0, 1}) {
      Method m{.h = 1 / 30.0};
      m.solve.iterations = 20000;
      m.solve.tolerance = 1e-9;
      m.solve.check_every = 1;
      if (accelerated) m.anderson = AndersonOptions{};
      Trial trial(body_of(box({8, 3, 3}, {0.4, 0.15, 0.15}), material, 1e4), m);
      trial.hold(on_left);
      for (Vec3d& p : trial.state.x) p.x *= 1.3;
      const StepReport report = trial.step();
      EXPECT_EQ(report.status, SolveStatus::converged);
      iterations[accelerated] = report.iterations;
      x[accelerated] = trial.positions();
    }
    EXPECT_LT(3 * iterations[1], iterations[0]);
    for (size_t v = 0; v < x[0].size(); ++v) EXPECT_LT(support::size(x[0][v] - x[1][v]), 1e-8);
  }
}

// Single precision ends within a few rounding errors of positions of double precision.
TEST(AndersonVbd, IsHarmlessAtRoundOff) {
  const auto run = [](std::optional<AndersonOptions> anderson, int iterations, int precision) {
    return fall(anderson, iterations, Method::vbd, MaterialKind::NeoHookean, 2e4, precision);
  };
  const std::vector<Vec3d> exact = run({}, 2000, double_precision);
  EXPECT_LT(distance(run(AndersonOptions{}, 300, single_precision), exact), 3e-6);
}

TEST(AndersonSameBits, ForAnyNumberOfThreads) {
  for (const Method::Kind kind : {Method::vbd, Method::xpbd}) {
    for (const int on : {anderson_both, anderson_multipliers, anderson_positions}) {
      if (kind == Method::vbd && on == anderson_multipliers) continue;
      for (const int precision : {double_precision, single_precision}) {
        uint64_t expected = 0;
        for (const int threads : {1, 2, 4}) {
          Method m{.kind = kind, .anderson = AndersonOptions{.on = on}, .threads = threads};
          m.solve.precision = precision;
          m.solve.iterations = 12;
          Trial trial(body_of(box({24, 13, 13}, {1, 0.55, 0.55}), MaterialKind::NeoHookean, 5), m);
          ASSERT_GE(trial.model.slot_count(), 16 * least_shared);
          trial.hold(on_left);
          trial.step();
          if (threads == 1) expected = trial.hash();
          EXPECT_EQ(trial.hash(), expected) << threads << " threads, " << anderson_on_names[on];
        }
      }
    }
  }
}

}  // namespace
}  // namespace sinew
