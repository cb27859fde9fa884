// Source: docs/theory.md, Reference solutions (computed by an independent program: VBD at convergence has Newton's
// solution; stretched bars); Chen et al. 2024 (VBD), sections 3.2 (line search) and 3.7 (free fall, rest); the patch
// test.
#include "solver/by_vertex/vbd.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "solver/sweep_solver.h"
#include "support/trial.h"

namespace sinew {
namespace {

using support::Body;
using support::body_of;
using support::box;
using support::every_material;
using support::Method;
using support::on_left;
using support::Random;
using support::shaken;
using support::size;
using support::Trial;

constexpr MaterialKind nh = MaterialKind::NeoHookean, log_nh = MaterialKind::StableNeoHookean,
                       fcr = MaterialKind::FixedCorotated, stvk = MaterialKind::Stvk,
                       linear = MaterialKind::LinearElastic;

// [m] 1e-8 in double precision, 1e-4 of the size in single precision.
double position_error(int precision, double body_size) {
  return precision == double_precision ? 1e-8 : 1e-4 * body_size;
}

// Quasistatic under Chebyshev acceleration: in double precision until the residual is at most `tolerance`; in single
// precision for `single_iterations`, because there the positions continue to improve long after the residual has
// stopped falling.
Method statics(int precision, double rho, double tolerance, int single_iterations = 0) {
  Method m{.quasistatic = true, .h = 1};
  m.solve.precision = precision;
  const bool twice = precision == double_precision;
  m.solve.iterations = twice ? 20000 : single_iterations;
  m.solve.tolerance = twice ? tolerance : 0;
  m.solve.check_every = 50;
  m.chebyshev = ChebyshevOptions{.rho = rho, .delay = 10};
  return m;
}

struct Tip {
  MaterialKind material;
  double dx, dy;
};

// A bar of 16 x 4 x 4 cells under its weight; the middle of its free end is vertex 220.
void expect_cantilever(double youngs_modulus, const Tip& tip, int precision, double tolerance) {
  Trial run(body_of(box({16, 4, 4}, {0.4, 0.1, 0.1}), tip.material, youngs_modulus),
            statics(precision, 0, tolerance, 10000));
  run.hold(on_left);
  const StepReport report = run.step();
  if (precision == double_precision) {
    EXPECT_EQ(report.status, SolveStatus::converged) << report.evaluation.residual;
  }
  const Vec3d p = run.positions()[220];
  EXPECT_NEAR(p.x - 0.4, tip.dx, position_error(precision, 0.4)) << traits_of(tip.material).name;
  EXPECT_NEAR(p.y - 0.05, tip.dy, position_error(precision, 0.4)) << traits_of(tip.material).name;
  testing::Test::RecordProperty(std::string("iterations_") + traits_of(tip.material).name, report.iterations);
}

TEST(Vbd, BendsTheSoftCantileverLikeNewton) {
  for (const Tip& tip :
       {Tip{fcr, -0.09335330035188621, -0.25190817993600734}, Tip{nh, -0.09428981655616891, -0.25434104361911614},
        Tip{log_nh, -0.09384035358532522, -0.2534061429722518}}) {
    for (const int precision : {double_precision, single_precision}) expect_cantilever(1000, tip, precision, 1e-10);
  }
}

TEST(Vbd, BendsTheStiffCantileverLikeNewton) {
  for (const Tip& tip :
       {Tip{fcr, -1.5804378498462945e-05, -0.0034603708153408547},
        Tip{nh, -1.5650577527615006e-05, -0.003460379154861963},
        Tip{log_nh, -1.569238113968696e-05, -0.003460376010756626},
        Tip{stvk, -1.67382489675294e-05, -0.0034603788670481764}, Tip{linear, 0, -0.003460537662208024}}) {
    for (const int precision : {double_precision, single_precision}) expect_cantilever(1e5, tip, precision, 1e-9);
  }
}

// Backward Euler, 30 steps of the cube from rest.
TEST(Vbd, LetsTheBlockSagInTimeLikeNewton) {
  struct Fall {
    MaterialKind material;
    double dy[3];  // [m] of vertex 368 after 1, 10 and 30 steps
  };
  for (const auto& [material, dy] :
       {Fall{fcr, {-0.0009800111671518508, -0.054319119188769915, -0.3875538066011301}},
        Fall{nh, {-0.0009800111671572354, -0.05431926496111178, -0.3892821595637439}},
        Fall{log_nh, {-0.0009800111671712797, -0.054319261983169886, -0.38866490704529777}}}) {
    for (const int precision : {double_precision, single_precision}) {
      Method m;
      m.solve.precision = precision;
      m.solve.iterations = 400;
      m.solve.tolerance = precision == double_precision ? 1e-9 : 0;
      if (precision == single_precision) m.solve.iterations = 60;
      Trial run(body_of(box({8, 8, 8}), material), m);
      run.hold(on_left);
      int seen = 0;
      for (int step = 1; step <= 30; ++step) {
        const StepReport report = run.step();
        if (precision == double_precision) {
          EXPECT_EQ(report.status, SolveStatus::converged) << step;
        }
        if (step != 1 && step != 10 && step != 30) continue;
        EXPECT_NEAR(run.positions()[368].y - 0.5, dy[seen++], position_error(precision, 1))
            << traits_of(material).name << " step " << step << ' ' << precision_names[precision];
      }
    }
  }
}

// One step of 1/30 s from the cube stretched to 1.3.
TEST(Vbd, TakesOneLargeStepLikeNewton) {
  for (const auto& [material, px, py] :
       {Tip{fcr, 1.2013631032174346, 0.4892007158304926}, Tip{nh, 1.2039892729902368, 0.4891848936395343},
        Tip{log_nh, 1.2030557318752069, 0.4891905897665295}}) {
    for (const int precision : {double_precision, single_precision}) {
      Method m{.h = 1 / 30.0};
      m.solve.precision = precision;
      m.solve.iterations = 1000;
      m.solve.tolerance = precision == double_precision ? 1e-9 : 0;
      Trial run(body_of(box({8, 8, 8}), material), m);
      run.hold(on_left);
      for (Vec3d& p : run.state.x) p.x *= 1.3;
      run.step();
      const Vec3d p = run.positions()[368];
      EXPECT_NEAR(p.x, px, position_error(precision, 1)) << traits_of(material).name;
      EXPECT_NEAR(p.y, py, position_error(precision, 1)) << traits_of(material).name;
    }
  }
}

// Both ends of the cube are pulled apart to length 1.5 and rotated by 45 degrees in opposite directions.
TEST(Vbd, StretchesAndTwistsLikeNewton) {
  struct Load {
    MaterialKind material;
    double force, torque;  // [N], [N m] on the right end
  };
  for (const auto& [material, force, torque] :
       {Load{fcr, 47654.09528148934, 9067.868251046872}, Load{nh, 40043.27557494186, 7780.239535252939},
        Load{log_nh, 43124.49470723251, 8324.882201341736}}) {
    for (const int precision : {double_precision, single_precision}) {
      Body body = body_of(box({8, 8, 8}), material, 1e5);
      body.gravity = {0, 0, 0};
      Trial run(body, statics(precision, 0.97, 1e-7, 400));
      const auto pull = [](double side) {
        return [=](PinScript& pin) {
          pin.center = {0, 0.5, 0.5};
          pin.axis = {1, 0, 0};
          pin.keys = {{0, {}, 0, {1, 1, 1}}, {1, {side * 0.25, 0, 0}, side * std::numbers::pi / 4, {1, 1, 1}}};
        };
      };
      run.hold(on_left, pull(-1));
      run.hold([](Vec3d r) { return r.x > 1 - 1e-12; }, pull(1));
      run.step();
      const std::vector<Vec3d> g = run.gradient_unconstrained(), x = run.positions();
      const std::vector<Vec3d> rest = run.model.order.to_user(run.model.rest);
      double sum = 0, moment = 0;
      for (size_t v = 0; v < g.size(); ++v) {
        if (rest[v].x < 1 - 1e-12) continue;
        sum += g[v].x;
        moment += (x[v].y - 0.5) * g[v].z - (x[v].z - 0.5) * g[v].y;
      }
      const double error = precision == double_precision ? 1e-8 : 1e-4;
      EXPECT_NEAR(sum, force, error * force) << traits_of(material).name;
      EXPECT_NEAR(moment, torque, error * torque) << traits_of(material).name;
    }
  }
}

class VbdOf : public testing::TestWithParam<MaterialKind> {};
INSTANTIATE_TEST_SUITE_P(All, VbdOf, testing::ValuesIn(every_material()),
                         [](const auto& test) { return std::string(traits_of(test.param).name); });

// The energy after each iteration, measured by the objective, may grow by its own round-off only.
TEST_P(VbdOf, NeverIncreasesTheEnergyWithLineSearch) {
  struct Energies final : Observer {
    bool wants(int64_t, int) const override { return true; }
    void on_iteration(const IterationReport& report) override { seen.push_back(report.evaluation.energy); }
    std::vector<double> seen;
  };
  for (const bool quasistatic : {false, true}) {
    Method m{.quasistatic = quasistatic, .h = 0.02, .line_search = true};
    m.solve.iterations = 30;
    m.solve.initial_guess = guess_previous;
    Trial run(body_of(box({4, 3, 3}), GetParam()), m);
    run.hold(on_left);
    Energies energies;
    run.observer = &energies;
    // Crushed and inverted cells: plain steps would overshoot here.
    Random random(2);
    run.state.x = shaken(run.model.rest, 0.3, random);
    run.step();
    ASSERT_EQ(energies.seen.size(), 31u);
    for (size_t k = 1; k < energies.seen.size(); ++k) {
      EXPECT_LE(energies.seen[k], energies.seen[k - 1] + 1e-12 * std::abs(energies.seen[0])) << "iteration " << k;
    }
    EXPECT_LT(energies.seen.back(), 0.5 * energies.seen[0]);
  }
}

// An undeformed body that nothing holds falls freely, whatever the damping: g h^2 n (n + 1) / 2 = 4.98675 m in n = 60
// steps of 1/60 s under 9.81 m/s^2.
TEST_P(VbdOf, FallsFreely) {
  for (const double damping : {0.0, 1e-4, 0.1}) {
    Body body = body_of(box({2, 2, 2}), GetParam());
    body.blocks[0].damping = damping;
    body.gravity = {0, -9.81, 0};
    Method m{.h = 1 / 60.0};
    m.solve.iterations = 5;
    Trial run(body, m);
    for (int step = 1; step <= 60; ++step) run.step();
    for (size_t s = 0; s < run.state.v.size(); ++s) {
      if (run.model.mass[s] == 0) continue;
      // Sixty steps, each with a few roundings of 5 m over h.
      EXPECT_LT(size(run.state.v[s] - Vec3d{0, -9.81, 0}), 1e-11);
      EXPECT_NEAR(run.model.rest[s].y - run.state.x[s].y, 4.98675, 1e-12);
    }
  }
}

// The same at convergence, from any start. The paper's damping by own blocks slows the fall.
TEST_P(VbdOf, FallsFreelyAtConvergenceUnlessTheDampingDrags) {
  for (const DampingForm form : {DampingForm::strain_rate, DampingForm::own_block}) {
    Body body = body_of(box({2, 2, 2}), GetParam());
    body.blocks[0].damping = 0.01;
    body.damping_form = form;
    Method m{.h = 1 / 60.0};
    m.solve.iterations = 2000;
    m.solve.tolerance = 1e-11;
    m.solve.initial_guess = guess_previous;
    Trial run(body, m);
    for (int step = 1; step <= 3; ++step) EXPECT_EQ(run.step().status, SolveStatus::converged);
    const double v = run.positions()[13].y - 0.5, expected = -9.8 / 3600 * 6;  // the middle; 1 + 2 + 3 steps
    if (form == DampingForm::strain_rate) {
      EXPECT_NEAR(v, expected, 1e-11);
    } else {
      EXPECT_GT(v, 0.9 * expected) << "slower than free fall";
    }
  }
}

// An affine boundary gives an affine interior to 1e-6.
TEST_P(VbdOf, AffineBoundaryGivesAffineInterior) {
  Body body = body_of(box({3, 3, 3}), GetParam());
  body.gravity = {0, 0, 0};
  Trial run(body, statics(double_precision, 0.5, 1e-9));
  Mat3d f = diagonal(1.2, 0.95, 1.05);
  f.c1.x = 0.15;
  f.c2.y = -0.1;
  const Vec3d moved{0.1, -0.2, 0.3};
  run.hold(
      [](Vec3d r) {
        const auto outside = [](double a) { return a < 1e-9 || a > 1 - 1e-9; };
        return outside(r.x) || outside(r.y) || outside(r.z);
      },
      [&](PinScript& pin) {
        for (Vec3d& p : pin.start) p = f * p + moved;
      });
  EXPECT_EQ(run.step().status, SolveStatus::converged);
  const std::vector<Vec3d> x = run.positions(), rest = run.model.order.to_user(run.model.rest);
  for (size_t v = 0; v < x.size(); ++v) EXPECT_LT(size(x[v] - (f * rest[v] + moved)), 1e-9);
}

struct Stretched {
  MaterialKind material;
  double youngs_modulus, poisson_ratio, stretch, lateral, nominal;
};

// Reference solutions under homogeneous deformation: a cube whose ends are pulled apart and as narrow as in the table.
// The free sides and the interior then take the same homogeneous stretch, and the force on an end is the stress of the
// table.
TEST(Vbd, PulledWithFreeSidesHasTheStressOfTheTable) {
  for (const Stretched& t : {Stretched{nh, 1000, 0.3, 1.5, 0.86922699, 383.1909},
                             {fcr, 1000, 0.3, 1.5, 0.86933210, 442.8686},
                             {log_nh, 1000, 0.3, 2, 0.77104534, 732.1134},
                             {stvk, 1000, 0.3, 1.5, 0.79056942, 937.5},
                             {nh, 1e5, 0.45, 0.7, 1.169336, -43219.06},
                             {fcr, 1e5, 0.45, 0.7, 1.167669, -39978.46},
                             {stvk, 1e5, 0.45, 1.5, 0.661438, 93750}}) {
    Body body = body_of(box({2, 2, 2}), t.material, t.youngs_modulus, t.poisson_ratio);
    body.gravity = {0, 0, 0};
    Trial run(body, statics(double_precision, 0.8, 1e-9 * t.youngs_modulus));
    run.hold([](Vec3d r) { return r.x < 1e-9 || r.x > 1 - 1e-9; },
             [&](PinScript& pin) {
               for (Vec3d& p : pin.start) p = {t.stretch * p.x, t.lateral * p.y, t.lateral * p.z};
             });
    const StepReport report = run.step();
    EXPECT_EQ(report.status, SolveStatus::converged) << traits_of(t.material).name << ' ' << report.evaluation.residual;
    const std::vector<Vec3d> x = run.positions(), g = run.gradient_unconstrained(),
                             rest = run.model.order.to_user(run.model.rest);
    double force = 0;
    for (size_t v = 0; v < x.size(); ++v) {
      // The middle plane is free; the table has six to eight digits.
      EXPECT_LT(size(x[v] - Vec3d{t.stretch * rest[v].x, t.lateral * rest[v].y, t.lateral * rest[v].z}), 2e-6)
          << traits_of(t.material).name;
      if (rest[v].x > 1 - 1e-9) force += g[v].x;
    }
    EXPECT_NEAR(force, t.nominal, 1e-5 * std::abs(t.nominal)) << traits_of(t.material).name;
  }
}

// Chen et al. 2024 (VBD), eq. 17.
TEST(Vbd, AdaptiveGuessIsTheTargetInFreeFallAndThePlaceAtRest) {
  Method m;
  m.solve.iterations = 200;
  m.solve.tolerance = 1e-10;
  Trial falling(body_of(box({2, 2, 2})), m);
  for (int step = 1; step <= 5; ++step) {
    falling.step();
    const StepProblem& p = falling.stepper->problem();
    for (size_t s = 0; s < p.x_start.size(); ++s) EXPECT_LT(size(p.x_start[s] - p.x_target[s]), 1e-12);
  }

  // Hanging in equilibrium: the external force does not accelerate it.
  Trial still(body_of(box({2, 2, 2}), nh, 1e4), statics(double_precision, 0.9, 1e-11));
  still.hold(on_left);
  still.step();
  Trial resting(body_of(box({2, 2, 2}), nh, 1e4), m);
  resting.hold(on_left);
  resting.state.x = still.state.x;
  for (int step = 1; step <= 3; ++step) resting.step();
  const StepProblem& p = resting.stepper->problem();
  double moved = 0;
  for (size_t s = 0; s < p.x_start.size(); ++s) moved = std::max(moved, size(p.x_start[s] - p.x_prev[s]));
  EXPECT_LT(moved, 1e-6 * 9.8 * m.h * m.h);
}

// Stiffness-proportional damping removes energy from an oscillation; without it the same steps retain more.
TEST(Vbd, DampingSlowsAnOscillation) {
  double speed[2];
  for (const int damped : {0, 1}) {
    Body body = body_of(box({4, 2, 2}, {1, 0.5, 0.5}), fcr, 1e4);
    body.gravity = {0, 0, 0};
    body.blocks[0].damping = damped ? 0.02 : 0;
    Method m{.h = 0.002};
    m.solve.iterations = 100;
    m.solve.tolerance = 1e-8;
    Trial run(body, m);
    run.hold(on_left);
    for (Vec3d& p : run.state.x) p.x *= 1.1;
    for (int step = 0; step < 100; ++step) run.step();
    double kinetic = 0;
    for (size_t s = 0; s < run.state.v.size(); ++s) kinetic += run.model.mass[s] * dot(run.state.v[s], run.state.v[s]);
    speed[damped] = std::sqrt(kinetic);
  }
  EXPECT_LT(speed[1], 0.3 * speed[0]);
}

// Above the size from which threads share a sweep.
TEST(VbdSameBits, ForAnyNumberOfThreads) {
  for (const int precision : {double_precision, single_precision}) {
    for (const MaterialKind material : {nh, fcr}) {
      for (const double damping : {0.0, 0.01}) {
        for (const bool chebyshev : {false, true}) {
          uint64_t expected = 0;
          for (const int threads : {1, 2, 4}) {
            Body body = body_of(box({24, 13, 13}, {1, 0.55, 0.55}), material);
            body.blocks[0].damping = damping;
            Method m;
            m.solve.precision = precision;
            m.solve.iterations = 15;
            m.threads = threads;
            if (chebyshev) m.chebyshev = ChebyshevOptions{};
            Trial run(body, m);
            ASSERT_GE(run.model.slot_count(), 16 * least_shared);
            run.hold(on_left);
            for (int step = 0; step < 2; ++step) run.step();
            if (threads == 1) expected = run.hash();
            EXPECT_EQ(run.hash(), expected) << threads << " threads, " << precision_names[precision];
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace sinew
