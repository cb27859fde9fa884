// Source: docs/theory.md, The problem of a step; Chen et al. 2024 (VBD), section 3.7 (initial guesses); the stop rules
// and interfaces in step/stepper.h and sinew/report.h. A scripted solver provides exact sequences of residuals.
#include "step/stepper.h"
#include "accel/accelerator.h"
#include "objective/objective.h"
#include "solver/solver.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <limits>
#include <thread>

#include "support/trial.h"

namespace sinew {
namespace {

using support::Body;
using support::body_of;
using support::box;
using support::Method;
using support::on_left;
using support::size;
using support::Trial;

// A solver whose iterate k is `offset(k)` metres along x from the inertial target; with `apart`, only its first vertex.
struct Scripted final : Solver {
  explicit Scripted(std::function<double(int)> o) : offset(std::move(o)) {}

  void prepare(const Model&, ThreadPool&) override { ++prepared; }
  void begin_step(const Objective& objective) override {
    problem = &objective.problem();
    x_start = problem->x_start;
    iteration = 0;
  }
  void iterate() override {
    ++iteration;
    if (milliseconds > 0) std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
  }
  void positions(std::span<Vec3d> x) const override {
    for (size_t s = 0; s < x.size(); ++s) {
      const bool moves = !problem->held[s] && (s == 0 || !apart);
      x[s] = problem->x_target[s] + Vec3d{moves ? offset(iteration) : 0, 0, 0};
    }
  }
  bool stalled() const override { return stalls_after >= 0 && iteration >= stalls_after; }
  bool at_round_off() const override { return stalled() && ends_at_round_off; }

  std::function<double(int)> offset;
  const StepProblem* problem = nullptr;
  std::vector<Vec3d> x_start;
  int iteration = 0, milliseconds = 0, stalls_after = -1, prepared = 0;
  bool ends_at_round_off = false, apart = false;
};

// One tet, so soft that its residual is m/h^2 times the offset: four vertices of m = rho V / 4.
struct Stage {
  explicit Stage(std::function<double(int)> offset, SolveOptions solve = {}) {
    Body body = body_of(support::one_tet(), MaterialKind::LinearElastic, 1e-12);
    body.gravity = {0, -10, 0};
    model = body.compile();
    state = rest_state(model);
    auto owned = std::make_unique<Scripted>(std::move(offset));
    solver = owned.get();
    stepper = std::make_unique<Stepper>(model, std::vector<PinScript>{}, Stepper::Settings{false, h, solve},
                                        std::move(owned), nullptr, pool);
  }
  StepReport step() {
    Result<StepReport> report = stepper->step(state);
    EXPECT_TRUE(report.ok());
    return report.ok() ? report.value() : StepReport{};
  }
  // The residual of an offset [N].
  double residual(double offset) const { return 2 * (10.0 / 6 / 4) / (h * h) * offset; }

  static constexpr double h = 0.1;
  Model model;
  ThreadPool pool{1};
  State state;
  Scripted* solver = nullptr;
  std::unique_ptr<Stepper> stepper;
};

// set_stop abandons a step between two iterations; the state is unchanged and the step can be repeated.
TEST(Stepper, GivesAStepUpBetweenIterations) {
  std::atomic<bool> stop{false};
  Stage stage(
      [&](int k) {
        if (k == 3) stop = true;
        return 1.0 / (1 + k);
      },
      {.iterations = 100, .tolerance = 1e-30, .check_every = 1});
  const State before = stage.state;
  stage.stepper->set_stop(&stop);
  const Result<StepReport> given_up = stage.stepper->step(stage.state);
  ASSERT_FALSE(given_up.ok());
  EXPECT_EQ(given_up.error().message(), "step 1: was interrupted before its end");
  EXPECT_EQ(stage.solver->iteration, 3);
  EXPECT_EQ(stage.state.step, before.step);
  EXPECT_EQ(stage.state.x[0].y, before.x[0].y);
  stage.stepper->set_stop(nullptr);
  EXPECT_EQ(stage.step().step, 1);
}

TEST(Stepper, RunsAllIterationsWithoutATolerance) {
  Stage stage([](int) { return 1.0; }, {.iterations = 7});
  const StepReport report = stage.step();
  EXPECT_EQ(report.iterations, 7);
  EXPECT_EQ(stage.solver->iteration, 7);
  EXPECT_EQ(stage.solver->prepared, 1);
  EXPECT_EQ(report.status, SolveStatus::budget);
  EXPECT_FALSE(report.evaluated) << "nobody asked";
  EXPECT_EQ(report.step, 1);
  EXPECT_EQ(report.time, 0.1);
  EXPECT_EQ(stage.step().step, 2);
  EXPECT_EQ(stage.state.step, 2);
  EXPECT_EQ(stage.state.time, 0.2);
}

TEST(Stepper, EndsAtTheToleranceWhereItLooks) {
  for (const int check_every : {1, 4}) {
    // Offsets 1, 1/2, 1/4, ... are below 0.1 from iteration 4 on.
    SolveOptions solve{.iterations = 100, .check_every = check_every};
    Stage stage([](int k) { return std::pow(0.5, k); }, solve);
    solve.tolerance = stage.residual(0.1);
    Stage with([](int k) { return std::pow(0.5, k); }, solve);
    const StepReport report = with.step();
    EXPECT_EQ(report.status, SolveStatus::converged);
    EXPECT_EQ(report.iterations, 4);
    EXPECT_TRUE(report.evaluated);
    EXPECT_NEAR(report.evaluation.residual, with.residual(0.0625), 1e-9 * with.residual(1));
  }
}

TEST(Stepper, EndsAtTheRelativeTolerance) {
  Stage stage([](int k) { return 30 * std::pow(0.5, k); },
              {.iterations = 100, .relative_tolerance = 1e-3, .check_every = 1});
  const StepReport report = stage.step();
  EXPECT_EQ(report.status, SolveStatus::converged);
  EXPECT_EQ(report.iterations, 10) << "2^-10 < 1e-3";
}

// A body at rest without weight, away from the origin: its residual is the rounding of its positions, which no number
// of sweeps reduces to a hundredth.
TEST(Stepper, TakesRoundOffForConvergedWhereTheToleranceIsRelative) {
  for (const Precision precision : {single_precision, double_precision}) {
    Body body = body_of(box({3, 3, 3}));
    body.gravity = {};
    for (Vec3d& p : body.mesh.vertices) p += Vec3d{7, -3, 2};
    const Model model = body.compile();
    ThreadPool pool(1);
    const SolveOptions solve{.iterations = 100, .relative_tolerance = 0.01, .precision = precision};
    Stepper stepper(model, {}, {.h = 0.01, .solve = solve}, make_vbd(solve, {}), nullptr, pool);
    State state = rest_state(model);
    for (Vec3d& p : state.x) p += Vec3d{1e-9, 0, 1e-9};  // between two floats
    for (int k = 0; k < 5; ++k) {
      const Result<StepReport> report = stepper.step(state);
      ASSERT_TRUE(report.ok());
      EXPECT_EQ(report->status, SolveStatus::converged);
      EXPECT_LE(report->iterations, 5);
    }
  }
}

// An absolute tolerance, however, must be met exactly.
TEST(Stepper, NeverTakesRoundOffForAnAbsoluteTolerance) {
  const Body body = body_of(box({3, 3, 3}));
  const Model model = body.compile();
  ThreadPool pool(1);
  const SolveOptions solve{.iterations = 400, .tolerance = 1e-12};
  Stepper stepper(model, {}, {.h = 0.01, .solve = solve}, make_vbd(solve, {}), nullptr, pool);
  State state = rest_state(model);
  state.x[0].x += 0.1;
  const Result<StepReport> report = stepper.step(state);
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->status, SolveStatus::stalled);
}

// One tet of diameter sqrt 3: a step that moves its vertices further apart than that has failed ...
TEST(Stepper, CallsAStepDivergedThatTearsTheBodyApart) {
  struct Tearing final : Solver {
    explicit Tearing(double amount) : by(amount) {}
    void prepare(const Model&, ThreadPool&) override {}
    void begin_step(const Objective& objective) override { x_start = objective.problem().x_start; }
    void iterate() override {}
    void positions(std::span<Vec3d> x) const override {
      std::copy(x_start.begin(), x_start.end(), x.begin());
      x[0].x += by;
    }
    double by;
    std::vector<Vec3d> x_start;
  };
  const Model model = body_of(support::one_tet()).compile();
  ThreadPool pool(1);
  for (const auto& [by, status] : {std::pair{1.5, SolveStatus::budget}, {2.0, SolveStatus::diverged}}) {
    Stepper stepper(model, {}, {.h = 0.01, .solve = {.iterations = 1}}, std::make_unique<Tearing>(by), nullptr, pool);
    State state = rest_state(model);
    const Result<StepReport> report = stepper.step(state);
    ASSERT_TRUE(report.ok());
    EXPECT_EQ(report->status, status) << by;
    EXPECT_TRUE(std::isnan(report->first_residual)) << "nobody asked";
  }
}

// ... unless it is known to have reduced the residual: then it moved far.
TEST(Stepper, GoesFarWhereTheResidualFalls) {
  Stage stage([](int k) { return k == 0 ? 100.0 : 3.0; }, {.iterations = 1, .tolerance = 1e-9});
  stage.solver->apart = true;
  const StepReport report = stage.step();
  EXPECT_EQ(report.status, SolveStatus::budget);
  EXPECT_LT(report.evaluation.residual, report.first_residual);
  Stage worse([](int k) { return k == 0 ? 1.0 : 9.0; }, {.iterations = 1, .tolerance = 1e-9});
  worse.solver->apart = true;
  EXPECT_EQ(worse.step().status, SolveStatus::diverged);
}

TEST(Stepper, IsDoneBeforeTheFirstIterationWhereNothingIsToDo) {
  Stage stage([](int) { return 0.0; }, {.iterations = 100, .tolerance = 1e-6});
  EXPECT_EQ(stage.step().iterations, 0);
}

TEST(Stepper, TestsTheLastIterateToo) {
  // The tolerance is reached at iteration 7, where the budget ends; tests are at 0 and 5.
  SolveOptions solve{.iterations = 7, .tolerance = 1, .check_every = 5};
  Stage stage([](int k) { return k < 7 ? 1.0 : 0.0; }, solve);
  const StepReport report = stage.step();
  EXPECT_EQ(report.status, SolveStatus::converged);
  EXPECT_EQ(report.iterations, 7);
}

TEST(Stepper, CallsAGrowingResidualDiverged) {
  Stage stage([](int k) { return std::pow(2.0, k); }, {.iterations = 100, .tolerance = 1e-9, .check_every = 1});
  const StepReport report = stage.step();
  EXPECT_EQ(report.status, SolveStatus::diverged);
  // Tenfold from iteration 4 on, three times in a row.
  EXPECT_EQ(report.iterations, 6);

  // A residual that rises at first and then falls has not diverged.
  Stage hill([](int k) { return k < 5 ? std::pow(2.0, k) : 32 * std::pow(0.5, k - 5); },
             {.iterations = 100, .tolerance = 1e-3, .check_every = 1});
  EXPECT_EQ(hill.step().status, SolveStatus::converged);
}

TEST(Stepper, CallsPositionsThatStandStillStalled) {
  const double left = std::pow(0.5, 10);
  Stage stage([=](int k) { return std::max(std::pow(0.5, k), left * (1 + 1e-9 * (k % 2))); },
              {.iterations = 1000, .tolerance = 1e-9, .check_every = 1});
  const StepReport report = stage.step();
  EXPECT_EQ(report.status, SolveStatus::stalled);
  EXPECT_EQ(report.iterations, 13) << "three tests without motion but for round-off";
}

// A thousandth per iteration, which no window of twenty tests would notice: slow, but converging.
TEST(Stepper, GoesOnWhileConvergenceIsSlow) {
  for (const int every : {1, 7}) {
    Stage stage([](int k) { return std::pow(0.999, k); },
                {.iterations = 20000, .relative_tolerance = 1e-4, .check_every = every, .precision = double_precision});
    const StepReport report = stage.step();
    EXPECT_EQ(report.status, SolveStatus::converged);
    EXPECT_NEAR(report.iterations, std::log(1e-4) / std::log(0.999), every);
  }
  // A residual that rises first and stays high for long, while positions change.
  Stage plateau([](int k) { return k < 200 ? 3 + 0.001 * k : std::pow(0.9, k - 200); },
                {.iterations = 20000, .relative_tolerance = 1e-2, .check_every = 1});
  EXPECT_EQ(plateau.step().status, SolveStatus::converged);
}

TEST(Stepper, BelievesASolverThatHasStalled) {
  Stage stage([](int) { return 1.0; }, {.iterations = 50});
  stage.solver->stalls_after = 3;
  const StepReport report = stage.step();
  EXPECT_EQ(report.status, SolveStatus::stalled);
  EXPECT_EQ(report.iterations, 3);
}

TEST(Stepper, CallsAStallAtRoundOffConvergedUnlessAToleranceIsMissed) {
  for (const double tolerance : {0.0, 1e-9}) {
    Stage stage([](int) { return 1.0; }, {.iterations = 50, .tolerance = tolerance});
    stage.solver->stalls_after = 3;
    stage.solver->ends_at_round_off = true;
    EXPECT_EQ(stage.step().status, tolerance > 0 ? SolveStatus::stalled : SolveStatus::converged);
  }
}

// XPBD's residual stagnates, and with a tolerance that it cannot reach the step reports this.
TEST(Stepper, XpbdStalls) {
  Method m{.kind = Method::xpbd};
  m.solve.iterations = 2000;
  m.solve.tolerance = 1e-6;
  m.solve.check_every = 1;
  Trial trial(body_of(box({4, 2, 2}, {0.4, 0.2, 0.2}), MaterialKind::FixedCorotated), m);
  trial.hold(on_left);
  for (Vec3d& p : trial.state.x) p.x *= 1.2;
  const StepReport report = trial.step();
  EXPECT_EQ(report.status, SolveStatus::stalled);
  EXPECT_LT(report.iterations, 200);
  EXPECT_GT(report.evaluation.residual, 1);
}

// Three milliseconds per iteration and a budget of ten: the fourth iteration exceeds it. A busy machine sleeps longer.
TEST(Stepper, EndsWhenTheTimeIsSpent) {
  Stage stage([](int) { return 1.0; }, {.iterations = 1000, .time_budget = 10});
  stage.solver->milliseconds = 3;
  const StepReport report = stage.step();
  EXPECT_EQ(report.status, SolveStatus::budget);
  EXPECT_GE(report.iterations, 1);
  EXPECT_LE(report.iterations, 4);
  EXPECT_GE(report.milliseconds.solve, 10);
}

TEST(Stepper, NonFinitePositionsNameAVertexAndLeaveTheState) {
  Body body = body_of(box({3, 3, 3}));
  body.mesh.vertices.push_back({9, 9, 9});
  Method m;
  m.solve.iterations = 3;
  Trial trial(body, m);
  trial.hold(on_left);
  trial.step();
  trial.step();
  const State before = trial.state;
  const uint64_t hash = trial.hash();
  // Huge forces on two vertices; their neighbours become infinite with them.
  trial.model.extra_force.resize(trial.model.mass.size());
  for (const int32_t v : {41, 57}) {
    trial.model.extra_force[static_cast<size_t>(trial.model.order.slot(UserVertex{v}))] = {1e308, 1e308, 1e308};
  }
  const Result<StepReport> report = trial.try_step();
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(trial.hash(), hash);
  EXPECT_EQ(trial.state.step, before.step);
  EXPECT_EQ(trial.state.time, before.time);
  EXPECT_EQ(trial.state.fall, before.fall);
  EXPECT_NE(report.error().where.find("step 3"), std::string::npos) << report.error().message();
  EXPECT_NE(report.error().remedy.find("substeps"), std::string::npos);
}

TEST(Stepper, NamesTheFirstBadVertexInTheUsersOrder) {
  const Body body = body_of(box({3, 3, 3}));
  const Model model = body.compile();
  ThreadPool pool(1);
  struct Bad final : Solver {
    void prepare(const Model& m, ThreadPool&) override { order = &m.order; }
    void begin_step(const Objective& objective) override { start = objective.problem().x_start; }
    void iterate() override {}
    void positions(std::span<Vec3d> x) const override {
      std::copy(start.begin(), start.end(), x.begin());
      for (const int32_t v : {40, 23, 61}) {
        x[static_cast<size_t>(order->slot(UserVertex{v}))].z =
            v == 40 ? std::numeric_limits<double>::infinity() : std::nan("");
      }
    }
    const VertexOrder* order = nullptr;
    std::vector<Vec3d> start;
  };
  Stepper stepper(model, {}, {}, std::make_unique<Bad>(), nullptr, pool);
  State state = rest_state(model);
  const Result<StepReport> report = stepper.step(state);
  ASSERT_FALSE(report.ok());
  EXPECT_NE(report.error().what.find("vertex 23 "), std::string::npos) << report.error().message();
  EXPECT_EQ(state.step, 0);
}

// The initial guess for a vertex with velocity v, a share of fall, and gravity g along -y.
TEST(Stepper, InitialGuesses) {
  constexpr double h = Stage::h, g = 10;
  const Vec3d v{1, 2, 3};
  const auto start = [&](int guess, double fall) {
    Stage stage([](int) { return 0.0; }, {.iterations = 1, .initial_guess = guess});
    EXPECT_EQ(stage.state.fall[0], 1) << "before the first step";
    std::fill(stage.state.v.begin(), stage.state.v.end(), v);
    std::fill(stage.state.fall.begin(), stage.state.fall.end(), fall);
    stage.step();
    const auto slot = static_cast<size_t>(stage.model.order.slot(UserVertex{2}));
    const Vec3d target{h * v.x, 1 + h * v.y - h * h * g, h * v.z};  // vertex 2 is at (0, 1, 0)
    EXPECT_LT(size(stage.stepper->problem().x_target[slot] - target), 1e-15);
    return stage.solver->x_start[slot] - Vec3d{0, 1, 0};
  };
  const Vec3d inertia = h * v, target = inertia + Vec3d{0, -h * h * g, 0};
  EXPECT_LT(size(start(guess_previous, 0.5)), 1e-15);
  EXPECT_LT(size(start(guess_inertia, 0.5) - inertia), 1e-15);
  EXPECT_LT(size(start(guess_target, 0.5) - target), 1e-15);
  for (const double fall : {0.0, 0.25, 1.0}) {
    const Vec3d expected = inertia + Vec3d{0, -fall * h * h * g, 0};
    EXPECT_LT(size(start(guess_adaptive, fall) - expected), 1e-14) << fall;
  }
}

// The part of a step's acceleration along gravity, between 0 and 1, for any other motion.
TEST(Stepper, MeasuresTheShareOfFreeFall) {
  struct Falling final : Solver {
    explicit Falling(double s) : share(s) {}
    void prepare(const Model&, ThreadPool&) override {}
    void begin_step(const Objective& objective) override { problem = &objective.problem(); }
    void iterate() override {}
    void positions(std::span<Vec3d> x) const override {
      const double h = problem->h;
      for (size_t s = 0; s < x.size(); ++s) {
        x[s] = problem->held[s] ? problem->x_target[s]
                                : problem->x_target[s] + Vec3d{0.07 * h, (1 - share) * 9.8 * h * h, 0};
      }
    }
    double share;
    const StepProblem* problem = nullptr;
  };
  const Model model = body_of(support::one_tet()).compile();
  ThreadPool pool(1);
  const auto fall_after = [&](double share) {
    Stepper stepper(model, {}, {.h = 0.01, .solve = {.iterations = 1}}, std::make_unique<Falling>(share), nullptr,
                    pool);
    State state = rest_state(model);
    for (Vec3d& v : state.v) v = {1, 2, 3};
    EXPECT_TRUE(stepper.step(state).ok());
    EXPECT_EQ(state.fall[15], 0) << "padding";
    return state.fall[static_cast<size_t>(model.order.slot(UserVertex{2}))];
  };
  for (const double share : {0.0, 0.25, 1.0}) EXPECT_NEAR(fall_after(share), share, 1e-11);
  EXPECT_EQ(fall_after(3), 1) << "no more than gravity";
  EXPECT_EQ(fall_after(-1), 0) << "thrown upwards";
}

// Held vertices are exactly where the script has them, for any precision, and free after the release.
TEST(Stepper, PinsHoldMoveAndRelease) {
  Method m;
  m.solve.precision = single_precision;
  m.solve.iterations = 30;
  Trial trial(body_of(box({3, 2, 2})), m);
  trial.hold(on_left, [](PinScript& pin) {
    pin.smooth = false;
    pin.keys = {{0, {}, 0, {1, 1, 1}}, {0.1, {0.123456789, 0, 0}, 0, {1, 1, 1}}};
    pin.release = 0.055;
  });
  const std::vector<Vec3d> rest = trial.model.order.to_user(trial.model.rest);
  for (int step = 1; step <= 8; ++step) {
    const std::vector<Vec3d> before = trial.positions();
    trial.step();
    const std::vector<Vec3d> x = trial.positions(), v = trial.model.order.to_user(trial.state.v);
    for (size_t k = 0; k < x.size(); ++k) {
      EXPECT_LT(size(v[k] - (1 / m.h) * (x[k] - before[k])), 1e-12) << "velocities are of the positions";
      if (!on_left(rest[k])) continue;
      const Vec3d scripted = rest[k] + Vec3d{0.1 * step * 0.123456789, 0, 0};
      if (step <= 5) {
        EXPECT_LT(size(x[k] - scripted), 1e-15) << step;
      } else {
        EXPECT_GT(size(x[k] - scripted), 1e-6) << step;
      }
    }
  }
}

TEST(Stepper, QuasistaticsHaveNoVelocityAndKeepTheClock) {
  Method m{.quasistatic = true, .h = 0.25};
  m.solve.iterations = 10;
  Trial trial(body_of(box({3, 2, 2})), m);
  trial.hold(on_left);
  trial.step();
  const StepReport report = trial.step();
  EXPECT_EQ(report.time, 0.5);
  for (const Vec3d& v : trial.state.v) EXPECT_EQ(size(v), 0);
  EXPECT_LT(trial.positions()[3].y, -1e-4) << "the free end hangs lower";
}

// An observer receives the initial guess and each requested iterate, with its energy, and positions in the user's
// order; observation changes nothing.
TEST(Stepper, ObserversWatchAndDoNotDisturb) {
  struct Watch final : Observer {
    bool wants(int64_t step, int iteration) const override { return step == 2 && iteration % 3 == 0; }
    bool wants_positions() const override { return true; }
    void on_iteration(const IterationReport& report) override {
      iterations.push_back(report.iteration);
      steps.push_back(report.step);
      energies.push_back(report.evaluation.energy);
      last = *report.positions;
    }
    std::vector<int> iterations;
    std::vector<int64_t> steps;
    std::vector<double> energies;
    std::vector<Real3> last;
  };
  Method m;
  m.solve.iterations = 12;
  Trial alone(body_of(box({3, 2, 2})), m), watched(body_of(box({3, 2, 2})), m);
  Watch watch;
  watched.observer = &watch;
  for (Trial* t : {&alone, &watched}) {
    t->hold(on_left);
    for (int step = 0; step < 3; ++step) t->step();
  }
  EXPECT_EQ(alone.hash(), watched.hash());
  EXPECT_EQ(watch.iterations, (std::vector<int>{0, 3, 6, 9, 12}));
  EXPECT_EQ(watch.steps, std::vector<int64_t>(5, 2));
  EXPECT_LT(watch.energies[1], watch.energies[0]);
  ASSERT_EQ(watch.last.size(), 36u);
  // The positions after step two are those at the start of step three.
  const std::vector<Vec3d> x_prev = watched.model.order.to_user(watched.stepper->problem().x_prev);
  for (size_t v = 0; v < x_prev.size(); ++v) {
    EXPECT_EQ(watch.last[v][0], x_prev[v].x);
    EXPECT_EQ(watch.last[v][1], x_prev[v].y);
    EXPECT_EQ(watch.last[v][2], x_prev[v].z);
  }
}

// The accelerator is called after every iteration, with its number.
TEST(Stepper, AcceleratesAfterEachIteration) {
  struct Counter final : Accelerator {
    explicit Counter(std::vector<int>* l) : log(l) {}
    void begin_step(IterateRef iterate, ThreadPool&) override {
      EXPECT_TRUE(std::holds_alternative<Iterate<double>*>(iterate));
      log->push_back(0);
    }
    void apply(IterateRef, int iteration, ThreadPool&) override { log->push_back(iteration); }
    std::vector<int>* log;
  };
  const Body body = body_of(box({2, 2, 2}));
  const Model model = body.compile();
  ThreadPool pool(1);
  std::vector<int> log;
  SolveOptions solve{.iterations = 3, .precision = double_precision};
  Stepper stepper(model, {}, {.h = 0.01, .solve = solve}, make_vbd(solve, {}), std::make_unique<Counter>(&log), pool);
  State state = rest_state(model);
  ASSERT_TRUE(stepper.step(state).ok());
  ASSERT_TRUE(stepper.step(state).ok());
  EXPECT_EQ(log, (std::vector<int>{0, 1, 2, 3, 0, 1, 2, 3}));
}

// Vertices without tets, and bodies that nothing holds.
TEST(Stepper, VerticesWithoutMassNeverMove) {
  Body body = body_of(box({2, 2, 2}));
  body.mesh.vertices.push_back({9, 8, 7});
  for (const Method::Kind kind : {Method::vbd, Method::xpbd}) {
    Trial trial(body, {.kind = kind});
    for (int step = 0; step < 3; ++step) trial.step();
    EXPECT_EQ(size(trial.positions().back() - Vec3d{9, 8, 7}), 0);
    EXPECT_LT(trial.positions()[0].y, 0);
  }
}

}  // namespace
}  // namespace sinew
