// Source: docs/theory.md, Springs, weak constraints and muscle fibres, and Sweeps by constraint (C = sqrt(2 e),
// impulses and stresses): fibres end in Newton's state under every solver, to 1e-8 in double precision and to 1e-4 of
// the size in single precision.
#include <gtest/gtest.h>

#include <limits>

#include "base/hash.h"
#include "support/tied.h"

namespace sinew {
namespace {

using support::Body;
using support::distance;
using support::muscle;
using support::plane_muscle;
using support::problem_of;
using support::size;
using support::solvers_like_newton;
using support::TiedTrial;

bool at_left(Vec3d rest) {
  return rest.x < 1e-12;
}
bool at_origin(Vec3d rest) {
  return size(rest) == 0;
}
constexpr double length = 0.4;

// Whatever a method's unknowns are: positions, stresses, impulses. The residual falls to 1e-10 N, and the softest
// motion of the bar has about 0.1 N/m.
TEST(Fibre, EveryMethodContractsAMuscleAsNewtonDoes) {
  for (const double h : {0.0, 0.02}) {
    for (const bool plane : {false, true}) {
      const auto of = [&](double activation) {
        const Activation constant{{0}, {activation}};
        return plane ? plane_muscle(constant) : muscle(constant);
      };
      const Body body = of(0.6);
      TiedTrial newton(body, {.h = h, .tolerance = 1e-12}, at_left);
      TiedTrial limp(of(0), {.h = h, .tolerance = 1e-12}, at_left);
      newton.step();
      limp.step();
      const std::vector<Vec3d> expected = newton.positions();
      EXPECT_GT(distance(expected, limp.positions()), h == 0 ? 0.03 : 0.01);
      for (const std::string& solver : solvers_like_newton([](const SolverTraits& t) { return t.ties && t.fibres; })) {
        TiedTrial trial(body, {.solver = solver, .h = h, .iterations = 40000, .tolerance = 1e-10}, at_left);
        EXPECT_EQ(trial.step().status, SolveStatus::converged) << solver << " " << h << (plane ? " plane" : "");
        EXPECT_LT(distance(trial.positions(), expected), 1e-8) << solver << " " << h << (plane ? " plane" : "");
      }
    }
  }
}

// A strip of triangles whose material yields along x alone (fixed corotated, nu = 0: P_xx = E (s - 1) at the stretch
// s), with fibres along x at their optimal length. Between 0.6 and 1 their force is a parabola (Blemker et al. 2005),
// and
//   E (s - 1) + p a (1 - 4 (s - 1)^2) = 0,   p the peak stress, a the activation.
TEST(Fibre, AStripOfTrianglesContractsAsFarAsAParabolaSays) {
  constexpr double modulus = 1000, pull = 300 * 0.6;
  const double expected = 1 + (modulus - std::sqrt(modulus * modulus + 16 * pull * pull)) / (8 * pull);
  EXPECT_NEAR(expected, 0.8388, 1e-4);
  Body body = support::plane_body_of(support::rectangle({5, 2}, {0.5, 0.2}), MaterialKind::FixedCorotated, modulus, 0);
  body.gravity = {};
  body.muscles = {{{0}, {0.6}}};
  for (const Tet& t : body.mesh.tets) body.ties.add_fibre(t, body.mesh.vertices, {1, 0, 0}, 300, 1, 0);
  for (const char* solver : {"newton", "vbd", "pbng", "fp_pxpbd", "b_pxpbd"}) {
    TiedTrial trial(body, {.solver = solver, .h = 0, .iterations = 20000, .tolerance = 1e-10}, at_left);
    EXPECT_EQ(trial.step().status, SolveStatus::converged) << solver;
    const std::vector<Vec3d> x = trial.positions();
    for (size_t v = 0; v < x.size(); ++v) {
      const Vec3d rest = body.mesh.vertices[v];
      EXPECT_LT(size(x[v] - Vec3d{expected * rest.x, rest.y, 0}), 1e-9) << solver << " " << v;
    }
  }
}

TEST(Fibre, SinglePrecisionContractsAsFar) {
  for (const double h : {0.0, 0.02}) {
    const Body body = muscle({{0}, {0.6}});
    TiedTrial newton(body, {.h = h, .tolerance = 1e-12}, at_left);
    newton.step();
    for (const std::string solver : {"vbd", "pbng", "block_jacobi", "fp_pxpbd", "b_pxpbd"}) {
      // Over many pseudo-steps B-PXPBD accumulates the rounding of positions, with or without fibres.
      if (solver == "b_pxpbd" && h == 0) continue;
      TiedTrial trial(body, {.solver = solver, .h = h, .iterations = 4000, .precision = single_precision}, at_left);
      trial.step();
      EXPECT_LT(distance(trial.positions(), newton.positions()), 1e-4 * length) << solver << " " << h;
    }
  }
}

// A stretched muscle, activated or not, with the exact tangent and with its positive semi-definite part.
TEST(Fibre, NewtonConvergesWhereFibresGrowWeaker) {
  for (const double activation : {0.0, 1.0}) {
    Body body = muscle({{0}, {activation}});
    TiedTrial trial(body, {.h = 0, .iterations = 50, .tolerance = 1e-10}, at_left);
    for (Vec3d& x : trial.state.x) x.x *= 1.6;
    EXPECT_EQ(trial.step().status, SolveStatus::converged);
  }
}

// One tie of each kind between two or three points: after every sweep of FP-PXPBD M (x - y) + h^2 s p = 0, and at the
// end p = phi'(C).
TEST(FpPxpbd, TheForceOfATieIsWhatMovesItsVertices) {
  const TieLaw<double> laws[] = {support::chain(1, 1, 1).ties.laws[0], weak_constraint_law(300, 20, {0, 0.6, 0.8}),
                                 weak_constraint_law(50), fibre_law(40, 0)};
  for (TieLaw<double> law : laws) {
    if (law.kind == TieKind::Spring) law = spring_law(70, 0.5);
    Body body{.mesh = {}};
    body.mesh.vertices = {{0, 0, 0}, {1.2, 0.3, 0.1}, {0.5, 0.2, 0}};
    body.point_mass = {1, 2, 3};
    body.muscles = {{{0}, {0.8}}};
    const double weights[] = {1, -0.75, -0.25};
    body.ties.add(law, std::array{0, 1, 2}, weights);
    const Model model = body.compile();
    const StepProblem problem = problem_of(model, model.rest, 0.1);
    ThreadPool pool(1);
    const Objective objective(problem, pool);
    const SolveOptions solve{.precision = double_precision};
    const Result<std::unique_ptr<Solver>> made = make_solver(*find_solver("fp_pxpbd"), solve, {}, "solver", {});
    Solver* const solver = made->get();
    solver->prepare(model, pool);
    solver->begin_step(objective);
    std::vector<Vec3d> x(model.rest.size());
    Vec3d p{};
    for (int sweep = 0; sweep < 60; ++sweep) {
      solver->iterate();
      solver->positions(x);
      const Iterate<double>& iterate = *std::get<Iterate<double>*>(solver->iterate_ref());
      ASSERT_EQ(iterate.multipliers.size(), 3u);
      p = {iterate.multipliers[0], iterate.multipliers[1], iterate.multipliers[2]};
      EXPECT_GT(size(p), 1);
      for (int32_t v = 0; v < 3; ++v) {
        const auto s = static_cast<size_t>(model.order.slot(UserVertex{v}));
        const Vec3d g = (model.mass[s] / 0.01) * (x[s] - problem.x_target[s]) + weights[v] * p;
        EXPECT_LT(size(g), 1e-11);
      }
    }
    EXPECT_LT(size(p - tie_gradient(law, model.ties.vector(0, x), 0.8)), 1e-10);
  }
}

// With ties too, both of B-PXPBD's equations are solved: both residuals vanish.
TEST(BPxpbd, SolvesBothEquationsWithFibres) {
  TiedTrial trial(muscle({{0}, {0.6}}), {.solver = "b_pxpbd", .h = 0.02, .iterations = 4000}, at_left);
  trial.step();
  const std::optional<ConstraintResiduals> residuals = trial.stepper->solver().constraint_residuals();
  ASSERT_TRUE(residuals);
  EXPECT_LT(residuals->primary, 1e-9);
  EXPECT_LT(residuals->secondary, 1e-9);
  EXPECT_LT(trial.evaluate().residual, 1e-9);
}

// XPBD comes closer to Newton's state than to the state without activation. Its constraints are satisfied, but its
// forces are not balanced.
TEST(Xpbd, ContractsAMuscle) {
  for (const char* solver : {"xpbd", "xpbd_root"}) {
    Body body = muscle({{0}, {1}});
    body.blocks[0].material = elastic_material(MaterialKind::FixedCorotated, body.blocks[0].material.lame);
    TiedTrial xpbd(body, {.solver = solver, .h = 0.01, .iterations = 500}, at_left);
    TiedTrial newton(body, {.h = 0.01, .tolerance = 1e-9}, at_left);
    body.muscles = {{{0}, {0}}};
    TiedTrial limp(body, {.h = 0.01, .tolerance = 1e-9}, at_left);
    for (int step = 0; step < 10; ++step) {
      xpbd.step();
      newton.step();
      limp.step();
    }
    EXPECT_LT(distance(xpbd.positions(), newton.positions()), 0.1 * distance(limp.positions(), newton.positions()))
        << solver;
    EXPECT_LT(xpbd.stepper->solver().constraint_residuals()->secondary, 1e-9) << solver;
  }
}

// The activation is also constant in pseudo-time, which ends near the equilibrium.
TEST(XpbdQs, ContractsAMuscle) {
  Body body = muscle({{0}, {0.6}});
  body.blocks[0].material = elastic_material(MaterialKind::FixedCorotated, body.blocks[0].material.lame);
  TiedTrial xpbd(body, {.solver = "xpbd_qs", .h = 0, .iterations = 20000}, at_left);
  TiedTrial newton(body, {.h = 0, .tolerance = 1e-9}, at_left);
  xpbd.step();
  newton.step();
  EXPECT_GT(distance(newton.positions(), body.mesh.vertices), 0.05);
  EXPECT_LT(distance(xpbd.positions(), newton.positions()), 0.02);
}

// A step uses the activation at its end, in quasistatics by the clock of the scripts (1 s per step).
TEST(Fibre, AStepTakesTheActivationAtItsEnd) {
  for (const double h : {0.0, 0.02}) {
    const double end = h == 0 ? 1 : h;
    for (const char* solver : {"newton", "vbd", "fp_pxpbd", "xpbd_qs"}) {
      if (h > 0 && std::string_view(solver) == "xpbd_qs") continue;
      const TiedTrial::How how{.solver = solver, .h = h, .iterations = 30};
      Body ramp = muscle({{0, 2 * end}, {0, 1}}), constant = muscle({{0}, {0.5}});
      ramp.blocks[0].material = constant.blocks[0].material =
          elastic_material(MaterialKind::FixedCorotated, ramp.blocks[0].material.lame);
      TiedTrial a(ramp, how, at_left), b(constant, how, at_left);
      a.step();
      b.step();
      EXPECT_EQ(distance(a.positions(), b.positions()), 0) << solver;
      a.step();
      b.step();
      EXPECT_GT(distance(a.positions(), b.positions()), 1e-4) << solver;
    }
  }
}

TEST(FibreSameBits, ForAnyNumberOfThreads) {
  Body body = muscle({{0, 1}, {0.5, 1}}, {12, 12, 12});  // more fibres than one thread sweeps alone
  body.cluster_vertices = 200;
  for (const char* solver : {"vbd", "xpbd", "fp_pxpbd", "b_pxpbd"}) {
    uint64_t first = 0;
    for (const int threads : {1, 2, 3}) {
      TiedTrial trial(body, {.solver = solver, .iterations = 3, .threads = threads}, at_left);
      trial.step();
      trial.step();
      const uint64_t hash = Hash().bytes(trial.state.x.data(), trial.state.x.size() * sizeof(Vec3d)).value();
      if (threads == 1) first = hash;
      EXPECT_EQ(hash, first) << solver << " with " << threads << " threads";
    }
  }
}

// A chain consists of springs only, from which FP-PXPBD derives its pseudo-step.
TEST(FpPxpbd, HangsAChain) {
  Body body = support::chain(3, 0.5, 500);
  for (Vec3d& x : body.mesh.vertices) x = {0, -x.x, 0};
  for (const double h : {0.0, 0.05}) {
    TiedTrial newton(body, {.h = h, .tolerance = 1e-11}, at_origin);
    TiedTrial fp(body, {.solver = "fp_pxpbd", .h = h, .iterations = 20000, .tolerance = 1e-9}, at_origin);
    newton.step();
    EXPECT_EQ(fp.step().status, SolveStatus::converged) << h;
    EXPECT_LT(distance(fp.positions(), newton.positions()), 1e-8) << h;
  }
}

TEST(SolverList, PbdRefusesFibresAndSaysWhoTreatsThem) {
  Body body = muscle({{0}, {0.6}});
  body.blocks[0].material = elastic_material(MaterialKind::FixedCorotated, body.blocks[0].material.lame);
  const Status status = check_solver(*find_solver("pbd"), body.compile(), false);
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().message().find("knows no fibres"), std::string::npos);
  EXPECT_NE(status.error().message().find("fp_pxpbd"), std::string::npos);
  EXPECT_EQ(status.error().message().find(" pbd,"), std::string::npos);
}

}  // namespace
}  // namespace sinew
