// Source: docs/theory.md, Reference solutions, computed by an independent program (numpy, double precision):
// cantilevers, a block under gravity in time, one large step from a stretched state, stretch with twist. Whole fields
// are compared in engine/oracles_test.cpp.
#include "solver/newton/newton.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "solver/newton_run.h"

namespace sinew {
namespace {

constexpr double position_error = 1e-8;  // [m]
constexpr double converged = 1e-8;       // [N]

struct Named {
  const char* name;  // as in the reference
  MaterialKind kind;
};
constexpr Named fcr{"fcr", MaterialKind::FixedCorotated}, nh{"nh", MaterialKind::NeoHookean},
    snhlog{"snhlog", MaterialKind::StableNeoHookean}, stvk{"stvk", MaterialKind::Stvk},
    linear{"lin", MaterialKind::LinearElastic};

// The last steps of Newton's method: each residual is nearly the square of the previous one, on a scale where the first
// is 1, until round-off.
void expect_quadratic_end(const std::vector<double>& residuals) {
  int seen = 0;
  for (size_t k = 1; k + 1 < residuals.size(); ++k) {
    const double now = residuals[k] / residuals[0], next = residuals[k + 1] / residuals[0];
    if (now > 1e-2 || now < 1e-7) continue;
    EXPECT_LT(next, std::max(std::pow(now, 1.5), 1e-11)) << "iteration " << k;
    ++seen;
  }
  EXPECT_GT(seen, 0);
}

bool on_left(Vec3d r) {
  return r.x < 1e-12;
}
bool on_right(Vec3d r) {
  return r.x > 1 - 1e-12;
}

Body cantilever(std::array<int32_t, 3> cells, double youngs_modulus, Named material) {
  return {.mesh = box(cells, {0.4, 0.1, 0.1}), .youngs_modulus = youngs_modulus, .material = material.kind};
}

// Gravity in four steps, which leads to the hanging branch.
void hang(NewtonRun& run) {
  run.hold_where(on_left);
  const Vec3d gravity = run.model.gravity;
  for (const double share : {0.25, 0.5, 0.75, 1.0}) {
    run.model.gravity = share * gravity;
    EXPECT_LT(run.solve(run.problem(0)).residual, converged);
  }
}

struct Tip {
  Named material;
  double dx, dy;
};

TEST(Newton, BendsTheSoftCantilever) {
  for (const auto& [material, dx, dy] :
       {Tip{fcr, -0.09335330035188621, -0.25190817993600734}, Tip{nh, -0.09428981655616891, -0.25434104361911614},
        Tip{snhlog, -0.09384035358532522, -0.2534061429722518}}) {
    NewtonRun run(cantilever({16, 4, 4}, 1000, material));
    hang(run);
    EXPECT_NEAR(run.x[220].x - 0.4, dx, position_error);
    EXPECT_NEAR(run.x[220].y - 0.05, dy, position_error);
    expect_quadratic_end(run.residuals);
  }
}

TEST(Newton, BendsTheFineCantilever) {
  for (const auto& [material, dx, dy] :
       {Tip{fcr, -0.1044051757042384, -0.26414849142147684}, Tip{nh, -0.10563541168606799, -0.26687359055296384},
        Tip{snhlog, -0.10504602442425542, -0.2658156522927647}}) {
    NewtonRun run(cantilever({32, 8, 8}, 1000, material));
    hang(run);
    EXPECT_NEAR(run.x[1352].x - 0.4, dx, position_error);
    EXPECT_NEAR(run.x[1352].y - 0.05, dy, position_error);
  }
}

TEST(Newton, BendsTheStiffCantilever) {
  for (const auto& [material, dx, dy] :
       {Tip{fcr, -1.5804378498462945e-05, -0.0034603708153408547},
        Tip{nh, -1.5650577527615006e-05, -0.003460379154861963},
        Tip{snhlog, -1.569238113968696e-05, -0.003460376010756626},
        Tip{stvk, -1.67382489675294e-05, -0.0034603788670481764}, Tip{linear, 0, -0.003460537662208024}}) {
    NewtonRun run(cantilever({16, 4, 4}, 1e5, material));
    hang(run);
    EXPECT_NEAR(run.x[220].x - 0.4, dx, position_error);
    EXPECT_NEAR(run.x[220].y - 0.05, dy, position_error);
  }
}

TEST(Newton, SolvesALinearProblemInOneIteration) {
  NewtonRun run({.mesh = box({8, 2, 2}, {0.4, 0.1, 0.1}), .material = MaterialKind::LinearElastic});
  run.hold_where(on_left);
  run.solve(run.problem(0), converged);
  EXPECT_EQ(run.residuals.size(), 2u);
}

struct Fall {
  Named material;
  double dy[3];  // after 1, 10 and 30 steps
};

TEST(Newton, LetsTheBlockSagInTime) {
  for (const auto& [material, dy] :
       {Fall{fcr, {-0.0009800111671518508, -0.054319119188769915, -0.3875538066011301}},
        Fall{nh, {-0.0009800111671572354, -0.05431926496111178, -0.3892821595637439}},
        Fall{snhlog, {-0.0009800111671712797, -0.054319261983169886, -0.38866490704529777}}}) {
    NewtonRun run({.mesh = box({8, 8, 8}, {1, 1, 1}), .material = material.kind});
    run.hold_where(on_left);
    int seen = 0;
    for (int step = 1; step <= 30; ++step) {
      EXPECT_LT(run.solve(run.problem(0.01)).residual, converged);
      EXPECT_LE(run.residuals.size(), 10u) << "step " << step;
      if (step != 1 && step != 10 && step != 30) continue;
      EXPECT_NEAR(run.x[368].y - 0.5, dy[seen++], position_error) << material.name << " step " << step;
    }
  }
}

TEST(Newton, TakesOneLargeStepFromAStretchedState) {
  for (const auto& [material, px, py] :
       {Tip{fcr, 1.2013631032174346, 0.4892007158304926}, Tip{nh, 1.2039892729902368, 0.4891848936395343},
        Tip{snhlog, 1.2030557318752069, 0.4891905897665295}}) {
    NewtonRun run({.mesh = box({8, 8, 8}, {1, 1, 1}), .material = material.kind});
    run.hold_where(on_left);
    for (Vec3d& p : run.x) p.x *= 1.3;
    EXPECT_LT(run.solve(run.problem(1 / 30.0)).residual, converged);
    EXPECT_NEAR(run.x[368].x, px, position_error);
    EXPECT_NEAR(run.x[368].y, py, position_error);
    expect_quadratic_end(run.residuals);
  }
}

struct Twisted {
  double force, torque;  // on the right end [N], [N m]
};

// Both ends of the cube are pulled apart to length 1.5 and rotated by 45 degrees in opposite directions, in `steps`
// steps.
Twisted twist(NewtonRun& run, int steps) {
  const std::vector<Vec3d> rest = run.x;
  Twisted result{};
  run.hold_where([](Vec3d r) { return on_left(r) || on_right(r); });
  for (int k = 1; k <= steps; ++k) {
    const double s = k / static_cast<double>(steps);
    std::vector<Vec3d> target = run.x;
    for (size_t v = 0; v < rest.size(); ++v) {
      if (!run.held[v]) continue;
      const double side = on_right(rest[v]) ? 1 : -1;
      const double a = side * s * std::numbers::pi / 4, y = rest[v].y - 0.5, z = rest[v].z - 0.5;
      target[v] = {rest[v].x + side * 0.25 * s, 0.5 + std::cos(a) * y - std::sin(a) * z,
                   0.5 + std::sin(a) * y + std::cos(a) * z};
    }
    const StepProblem problem = run.problem(target, 0);
    EXPECT_LT(run.solve(problem).residual, converged);
    result = {};
    const std::vector<Vec3d> reaction = run.reactions(problem);
    for (size_t v = 0; v < rest.size(); ++v) {
      if (!on_right(rest[v])) continue;
      result.force += reaction[v].x;
      result.torque += (run.x[v].y - 0.5) * reaction[v].z - (run.x[v].z - 0.5) * reaction[v].y;
    }
  }
  return result;
}

TEST(Newton, StretchesAndTwistsInEightStepsOrInOne) {
  struct Load {
    Named material;
    double force, torque;
  };
  for (const auto& [material, force, torque] :
       {Load{fcr, 47654.09528148934, 9067.868251046872}, Load{nh, 40043.27557494186, 7780.239535252939},
        Load{snhlog, 43124.49470723251, 8324.882201341736}}) {
    for (const int steps : {8, 1}) {
      NewtonRun run(
          {.mesh = box({8, 8, 8}, {1, 1, 1}), .youngs_modulus = 1e5, .material = material.kind, .gravity = {0, 0, 0}});
      const Twisted twisted = twist(run, steps);
      EXPECT_NEAR(twisted.force, force, 1e-9 * force);
      EXPECT_NEAR(twisted.torque, torque, 1e-9 * torque);
    }
  }
}

// Two clamped ends are pulled to four times the length and rotated by 90 degrees, at once.
TEST(Newton, SurvivesAJumpOfThePins) {
  for (const Named material : {fcr, nh, snhlog}) {
    double energy[2];
    for (const bool carry : {false, true}) {
      NewtonRun run(
          {.mesh = box({8, 8, 8}, {1, 1, 1}), .youngs_modulus = 1e5, .material = material.kind, .gravity = {0, 0, 0}},
          1, {.carry_motion = carry});
      run.hold_where([](Vec3d r) { return on_left(r) || on_right(r); });
      std::vector<Vec3d> target = run.x;
      for (Vec3d& p : target) p = on_right(p) ? Vec3d{3, p.y, p.z} : Vec3d{-1, 1 - p.z, p.y};
      const Evaluation end = run.solve(run.problem(target, 0), converged);
      EXPECT_LT(end.residual, converged) << material.name;
      EXPECT_EQ(end.inverted, 0);
      EXPECT_LT(run.residuals.size(), 30u);
      energy[carry] = end.energy;
    }
    EXPECT_NEAR(energy[0], energy[1], 1e-9 * energy[0]);
  }
}

// Nothing holds this block, and every vertex has a random position: the matrix is singular, and the energy at rest is
// 0.
TEST(Newton, FindsTheShapeOfAScrambledFreeBlock) {
  for (const Named material : {fcr, nh, snhlog}) {
    NewtonRun run({.mesh = box({4, 4, 4}, {1, 1, 1}), .material = material.kind, .gravity = {0, 0, 0}});
    uint32_t random = 1;
    for (Vec3d& p : run.x) {
      for (double* c : {&p.x, &p.y, &p.z}) *c = (random = random * 1664525u + 1013904223u) / 4294967296.0;
    }
    const Evaluation end = run.solve(run.problem(0), converged);
    EXPECT_LT(end.residual, converged) << material.name;
    EXPECT_NEAR(end.energy, 0, 1e-9);
    EXPECT_EQ(end.inverted, 0);
  }
}

// With damping by the rate of strain free fall is exact, with that by own blocks it is not.
TEST(Newton, DampingLetsABlockFallFreely) {
  for (const DampingForm form : {DampingForm::strain_rate, DampingForm::own_block}) {
    NewtonRun run({.mesh = box({3, 3, 3}, {1, 1, 1}), .damping = 0.05, .damping_form = form});
    for (int step = 1; step <= 5; ++step) EXPECT_LT(run.solve(run.problem(0.01)).residual, converged);
    for (const Vec3d& v : run.v) {
      if (form == DampingForm::strain_rate) {
        EXPECT_NEAR(v.y, -9.8 * 0.05, 1e-10);
      } else {
        EXPECT_GT(v.y, -9.8 * 0.05 + 0.01);
      }
    }
  }
}

// A stretched block is released: the more damping, the slower; and convergence remains quadratic.
TEST(Newton, DampingSlowsMotionAndConvergesQuadratically) {
  for (const Named material : {fcr, nh, snhlog, stvk}) {
    double slower_than = std::numeric_limits<double>::infinity();
    for (const double damping : {0.0, 0.01, 0.1}) {
      NewtonRun run(
          {.mesh = box({4, 4, 4}, {1, 1, 1}), .material = material.kind, .gravity = {0, 0, 0}, .damping = damping});
      run.hold_where(on_left);
      for (Vec3d& p : run.x) p.x *= 1.2;
      for (int step = 1; step <= 3; ++step) {
        EXPECT_LT(run.solve(run.problem(0.02)).residual, converged);
        EXPECT_LE(run.residuals.size(), 12u) << material.name << " damping " << damping;
        expect_quadratic_end(run.residuals);
      }
      const std::vector<double> mass = run.model.order.to_user(run.model.mass);
      double kinetic = 0;
      for (size_t k = 0; k < mass.size(); ++k) kinetic += 0.5 * mass[k] * dot(run.v[k], run.v[k]);
      EXPECT_LT(kinetic, 0.9 * slower_than);
      slower_than = kinetic;
    }
  }
}

TEST(Newton, OwnBlockDampingConverges) {
  for (const Named material : {fcr, nh, snhlog, stvk}) {
    NewtonRun run({.mesh = box({4, 4, 4}, {1, 1, 1}),
                   .material = material.kind,
                   .damping = 0.02,
                   .damping_form = DampingForm::own_block});
    run.hold_where(on_left);
    for (Vec3d& p : run.x) p.x *= 1.2;
    for (int step = 1; step <= 3; ++step) {
      EXPECT_LT(run.solve(run.problem(0.02)).residual, converged) << material.name << " step " << step;
    }
  }
}

// One pattern serves while pins come and go: a released vertex falls freely.
TEST(Newton, ReleasesWhatWasHeld) {
  NewtonRun run({.mesh = box({3, 3, 3}, {1, 1, 1}), .material = MaterialKind::FixedCorotated});
  run.hold_where([](Vec3d) { return true; });
  run.solve(run.problem(0.01));
  for (const Vec3d& v : run.v) EXPECT_EQ(v.y, 0);
  run.hold_where([](Vec3d) { return false; });
  EXPECT_LT(run.solve(run.problem(0.01)).residual, converged);
  for (const Vec3d& v : run.v) EXPECT_NEAR(v.y, -0.098, 1e-11);
}

TEST(Newton, SolvesOneTetAndLeavesALooseVertexAlone) {
  TetMesh mesh;
  mesh.vertices = {{0, 0, 0}, {5, 6, 7}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  mesh.tets = {{0, 2, 3, 4}};
  for (const MaterialKind kind : every_material()) {
    NewtonRun run({.mesh = mesh, .material = kind});
    run.hold_where([](Vec3d r) { return r.y == 0; });
    EXPECT_LT(run.solve(run.problem(0)).residual, 1e-11);
    EXPECT_LT(run.x[3].y, 1);
    EXPECT_EQ(run.x[1].x, 5);
    EXPECT_EQ(run.x[1].y, 6);
    EXPECT_EQ(run.x[1].z, 7);
  }
}

TEST(Newton, StallsAtOnceWhereThereIsNothingToDo) {
  NewtonRun run({.mesh = box({2, 2, 2}, {1, 1, 1})});
  run.hold_where([](Vec3d) { return true; });
  run.solve(run.problem(0));
  EXPECT_TRUE(run.newton.stalled());
  EXPECT_EQ(run.residuals.size(), 2u);
}

// The bound is that of first-order error analysis (Higham 2002, section 3.1: |A| |x| epsilon). A residual above it,
// where a line search without attempts stops, is no convergence.
TEST(Newton, KnowsWhetherItStalledAtRoundOff) {
  for (const MaterialKind kind : every_material()) {
    for (const double h : {0.0, 0.01}) {
      for (const double offset : {0.0, 100.0}) {
        Body body{.mesh = box({6, 2, 2}, {0.6, 0.2, 0.2}), .youngs_modulus = 1e4, .material = kind};
        for (Vec3d& p : body.mesh.vertices) p.x += offset;
        NewtonRun run(body);
        run.hold_where([&](Vec3d r) { return r.x == offset; });
        run.solve(run.problem(h));
        EXPECT_TRUE(run.newton.stalled());
        EXPECT_TRUE(run.newton.at_round_off()) << run.residuals.back();
        EXPECT_LT(run.residuals.back(), 1e-7 * run.residuals.front());
      }
    }
  }
}

// Returns useless directions: the iteration ends far from any solution.
class Misleading : public LinearSolver {
 public:
  const char* name() const override { return "misleading"; }
  bool analyze(const SparseSymmetric&) override { return true; }
  bool factorize(const SparseSymmetric&) override { return true; }
  bool solve(std::span<const double> b, std::span<double> x) override {
    for (size_t k = 0; k < b.size(); ++k) x[k] = 1e-30 * b[k];
    return true;
  }
};

TEST(Newton, AStallFarFromTheSolutionIsNotAtRoundOff) {
  NewtonRun run({.mesh = box({6, 2, 2}, {0.6, 0.2, 0.2}), .youngs_modulus = 1e4});
  run.hold_where([](Vec3d r) { return r.x == 0; });
  Newton newton({}, std::make_unique<Misleading>());
  newton.prepare(run.model, run.pool);
  const StepProblem problem = run.problem(0);
  const Objective objective(problem, run.pool);
  newton.begin_step(objective);
  newton.iterate();
  EXPECT_TRUE(newton.stalled());
  EXPECT_FALSE(newton.at_round_off());
}

TEST(Newton, GivesUpOnNumbersThatAreNotFinite) {
  NewtonRun run({.mesh = box({2, 2, 2}, {1, 1, 1})});
  run.x[0].x = std::nan("");
  run.solve(run.problem(0), 0, 3);
  EXPECT_TRUE(run.newton.stalled());
}

// Projected only, and without a line search: slower or riskier, with the same end.
TEST(Newton, ReachesTheSameEndWithEveryOption) {
  for (const NewtonOptions& options : {NewtonOptions{.hessian = hessian_projected}, NewtonOptions{.line_search = false},
                                       NewtonOptions{.carry_motion = false}, NewtonOptions{.linear = newton_cg},
                                       NewtonOptions{.hessian = hessian_projected, .linear = newton_cg},
                                       NewtonOptions{.linear = newton_cg, .cg_iterations = 20}}) {
    NewtonRun run({.mesh = box({8, 8, 8}, {1, 1, 1}), .material = MaterialKind::FixedCorotated}, 1, options);
    run.hold_where(on_left);
    for (Vec3d& p : run.x) p.x *= 1.3;
    EXPECT_LT(run.solve(run.problem(1 / 30.0), converged).residual, converged);
    EXPECT_NEAR(run.x[368].x, 1.2013631032174346, position_error);
  }
}

// The limited Newton's method: a few conjugate gradients and no line search. Each iteration leaves a part of the
// residual that more of them would remove, so it converges linearly.
TEST(Newton, ConvergesLinearlyWithAFewConjugateGradients) {
  NewtonRun limited({.mesh = box({8, 8, 8}, {1, 1, 1})}, 1,
                    {.line_search = false, .hessian = hessian_projected, .linear = newton_cg, .cg_iterations = 7});
  limited.hold_where(on_left);
  for (Vec3d& p : limited.x) p.x *= 1.3;
  EXPECT_LT(limited.solve(limited.problem(1 / 30.0), converged).residual, converged);
  EXPECT_NEAR(limited.x[368].x, 1.2039892729902368, position_error);
  EXPECT_GT(limited.residuals.size(), 10u);
  for (size_t k = 3; k + 1 < limited.residuals.size(); ++k) {
    EXPECT_GT(limited.residuals[k + 1], 0.01 * limited.residuals[k]);
    EXPECT_LT(limited.residuals[k + 1], 0.9 * limited.residuals[k]);
  }
}

// Conjugate gradients encounter negative curvature in a crushed block, and the projected stiffness takes over; at the
// end the exact stiffness makes convergence superlinear again.
TEST(Newton, GetsOutOfNegativeCurvatureByConjugateGradients) {
  NewtonRun run({.mesh = box({6, 6, 6}, {1, 1, 1}), .material = MaterialKind::FixedCorotated}, 1,
                {.linear = newton_cg, .cg_tolerance = 1e-6});
  run.hold_where(on_left);
  for (Vec3d& p : run.x) p.x *= 0.2;
  EXPECT_LT(run.solve(run.problem(0.1), converged).residual, converged);
  EXPECT_FALSE(run.exact.front());
  EXPECT_TRUE(run.exact.back());
  EXPECT_LT(run.residuals.back(), 1e-3 * run.residuals[run.residuals.size() - 2]);
}

class NewtonThreads : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(All, NewtonThreads, testing::Values(newton_cholesky, newton_cg),
                         [](const auto& test) { return std::string(newton_linear_names[test.param]); });

TEST_P(NewtonThreads, HasTheSameBitsForAnyNumberOfThem) {
  std::vector<double> expected;
  for (const int threads : {1, 2, 4}) {
    NewtonRun run({.mesh = box({8, 8, 8}, {1, 1, 1}), .material = MaterialKind::FixedCorotated}, threads,
                  {.linear = GetParam()});
    run.hold_where(on_left);
    for (Vec3d& p : run.x) p.x *= 1.3;
    run.solve(run.problem(1 / 30.0));
    std::vector<double> bits;
    for (const Vec3d& p : run.x) bits.insert(bits.end(), {p.x, p.y, p.z});
    if (threads == 1) expected = bits;
    EXPECT_EQ(bits, expected) << threads << " threads";
  }
}

}  // namespace
}  // namespace sinew
