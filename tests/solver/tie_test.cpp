// Source: docs/theory.md, Reference solutions (pendulum and chain, by an independent program); Chen et al. 2024 (VBD),
// figures 21 and 24 (experiments S3-19 and S3-21); Macklin et al. 2016 (XPBD's converged shape, experiment S1-1).
// Sweeps by vertex reach Newton's solution.
#include <gtest/gtest.h>

#include "base/hash.h"
#include "solver/sweep.h"
#include "support/tied.h"

namespace sinew {
namespace {

using support::Body;
using support::bound_boxes;
using support::chain;
using support::distance;
using support::size;
using support::solvers_like_newton;
using support::TiedTrial;

bool at_origin(Vec3d rest) {
  return size(rest) == 0;
}
bool on_top(Vec3d rest) {
  return rest.y > 1 - 1e-12;
}

constexpr double frame = 1.0 / 60;

TEST(Tie, APendulumSwingsAsItsReferenceDoes) {
  Body body = chain(1, 1, 1e6);
  body.mesh.vertices[1] = {std::sin(M_PI / 3), -std::cos(M_PI / 3), 0};
  TiedTrial trial(body, {.tolerance = 1e-9}, at_origin);
  // Angles at 0.5, 1 and 2 s with eight decimals, which Newton's tolerance reaches.
  const double expected[] = {.12277617, -.89520081, .75574456};
  const double* next = expected;
  for (int step = 1; step <= 120; ++step) {
    trial.step();
    if (step != 30 && step != 60 && step != 120) continue;
    const Vec3d x = trial.positions()[1];
    EXPECT_NEAR(std::atan2(x.x, -x.y), *next++, 2e-8);
  }
}

// Twenty vertices, the last one 1000 times as heavy. The reference has seven decimals; Newton reaches 1e-5 N of 1e4 N.
TEST(Tie, AHeavyChainHangsAsItsReferenceDoes) {
  struct Case {
    double stiffness;
    Vec3d end;
    double extension;
  };
  for (const Case& c :
       {Case{4.2e7, {-.9152012, -1.6768921, 0}, .00651}, Case{4.2e5, {.3894623, -3.1392072, 0}, .66832}}) {
    Body body = chain(19, .1, c.stiffness);
    body.point_mass.back() = 1000;
    TiedTrial trial(body, {.tolerance = 1e-5}, at_origin);
    double extension = 0;
    for (int step = 0; step < 60; ++step) {
      trial.step();
      extension = std::max(extension, trial.extension());
    }
    EXPECT_LT(size(trial.positions().back() - c.end), 2e-7);
    EXPECT_NEAR(extension, c.extension, 1e-5);
  }
}

// A soft half and one 1e4 times as stiff: after 100 iterations VBD is far from the solution, as in its reference
// (S3-21). Colours and guess are the same, and so are the iterates, except at the light end, where links are
// compressed: the reference uses blocks that are negative there.
TEST(Tie, VbdOnChainsIsAsFarAsItsReference) {
  struct Case {
    double near, far, heavy, tolerance;
    Vec3d end, newton;
  };
  for (const Case& c : {Case{4.2e7, 4.2e7, 1000, 1e-6, {-0.91082968, -1.68167291, 0}, {-0.9152012, -1.67689214, 0}},
                        Case{1e3, 1e7, 1, 0.01, {1.38791813, -4.44067408, 0}, {0.17800092, -4.25783707, 0}}}) {
    Body body = chain(19, .1, c.near);
    for (int32_t t = 9; t < 19; ++t) body.ties.laws[t].stiffness = c.far;
    body.point_mass.back() = c.heavy;
    TiedTrial vbd(body, {.solver = "vbd", .iterations = 100}, at_origin);
    TiedTrial newton(body, {.tolerance = 1e-7}, at_origin);
    for (int step = 0; step < 60; ++step) {
      vbd.step();
      newton.step();
    }
    EXPECT_LT(size(newton.positions().back() - c.newton), 1e-6);
    EXPECT_LT(size(vbd.positions().back() - c.end), c.tolerance);
  }
}

// The springs of a net that falls out of its plane, contracted by damping that is 25 times their stiffness.
TEST(Tie, EveryMethodDampsSpringsAsNewtonDoes) {
  Body body = support::spring_grid(5, 100);
  for (TieLaw<double>& law : body.ties.laws) law.damping = 0.5;
  const auto drawn = [&](TiedTrial& trial) {
    for (size_t s = 0; s < trial.state.x.size(); ++s)
      if (trial.model.mass[s] > 0 && trial.state.x[s].y < 1 - 1e-12)
        trial.state.x[s] = trial.state.x[s] + Vec3d{0.1 * trial.state.x[s].x, -0.2, 0.1};
    trial.step();
    return trial.step().status;
  };
  TiedTrial newton(body, {.h = 0.02, .tolerance = 1e-10}, on_top);
  EXPECT_EQ(drawn(newton), SolveStatus::converged);
  Body undamped = body;
  for (TieLaw<double>& law : undamped.ties.laws) law.damping = 0;
  TiedTrial without(undamped, {.h = 0.02, .tolerance = 1e-10}, on_top);
  drawn(without);
  EXPECT_GT(distance(newton.positions(), without.positions()), 0.01);
  for (const std::string& solver :
       solvers_like_newton([](const SolverTraits& t) { return t.ties && t.damping && t.dynamic; })) {
    TiedTrial trial(body, {.solver = solver, .h = 0.02, .iterations = 20000, .tolerance = 1e-9}, on_top);
    EXPECT_EQ(drawn(trial), SolveStatus::converged) << solver;
    EXPECT_LT(distance(trial.positions(), newton.positions()), 1e-8) << solver;
  }
}

// Each of these methods minimizes the same energy, whatever its local rule. The residual falls to 1e-9 N, and the
// softest motion of the boxes has about 10 N/m.
TEST(Tie, EveryMethodBindsTwoBoxesAsNewtonDoes) {
  for (const double h : {0.0, 0.02}) {
    for (const bool isotropic : {true, false}) {
      const Body body =
          bound_boxes(2, 0.05, isotropic ? weak_constraint_law(200) : weak_constraint_law(200, 50, {0.6, 0.8, 0}));
      TiedTrial newton(body, {.h = h, .tolerance = 1e-11}, on_top);
      newton.step();
      const std::vector<Vec3d> expected = newton.positions();
      EXPECT_GT(distance(expected, body.mesh.vertices), h == 0 ? 1e-2 : 1e-4);
      for (const std::string& solver : solvers_like_newton([](const SolverTraits& t) { return t.ties; })) {
        TiedTrial trial(body, {.solver = solver, .h = h, .iterations = 20000, .tolerance = 1e-9}, on_top);
        EXPECT_EQ(trial.step().status, SolveStatus::converged) << solver << " " << h;
        EXPECT_LT(distance(trial.positions(), expected), 1e-8) << solver << " " << h;
      }
    }
  }
}

// A chain held out straight resists only its weight across, and ends further away than its length: moved far, but not
// torn apart.
TEST(Tie, AStraightChainFallsToHangDown) {
  const Body body = chain(4, .1, 1e3, 0.05);
  for (const std::string solver : {"vbd", "gradient_descent", "newton"}) {
    TiedTrial trial(body, {.solver = solver, .h = 0, .iterations = 20000, .tolerance = 1e-8}, at_origin);
    const StepReport report = trial.step();
    EXPECT_EQ(report.status, SolveStatus::converged) << solver << " " << report.evaluation.residual;
    EXPECT_LT(size(trial.positions().back() - Vec3d{0, -0.4, 0}), 0.01) << solver;
  }
}

// Also in clusters, and with ties from one cluster to another.
TEST(Tie, ClustersSeeTheOtherEndsOfTies) {
  Body body = bound_boxes(3, 0.05, weak_constraint_law(200));
  TiedTrial whole(body, {.solver = "vbd", .h = 0.02, .iterations = 5000, .tolerance = 1e-10}, on_top);
  whole.step();
  body.cluster_vertices = 16;
  TiedTrial pieces(body, {.solver = "vbd", .h = 0.02, .iterations = 5000, .tolerance = 1e-10}, on_top);
  ASSERT_GT(pieces.model.clusters.count(), 3);
  EXPECT_EQ(pieces.step().status, SolveStatus::converged);
  EXPECT_LT(distance(whole.positions(), pieces.positions()), 1e-10);
}

TEST(TieSameBits, ForAnyNumberOfThreads) {
  Body boxes = bound_boxes(6, 0.05, weak_constraint_law(200));
  boxes.cluster_vertices = 50;
  const Body grid = support::spring_grid(70, 100);  // enough springs for threads to share them under XPBD
  for (const std::string solver : {"vbd", "pbng", "block_jacobi", "xpbd", "fp_pxpbd", "b_pxpbd", "pbd", "newton"}) {
    const Body& body = solver.ends_with("pbd") ? grid : boxes;
    uint64_t first = 0;
    for (const int threads : {1, 2, 3, 4}) {
      TiedTrial trial(body, {.solver = solver, .iterations = 3, .threads = threads}, on_top);
      trial.step();
      trial.step();
      const uint64_t hash = Hash().bytes(trial.state.x.data(), trial.state.x.size() * sizeof(Vec3d)).value();
      if (threads == 1) first = hash;
      EXPECT_EQ(hash, first) << solver << " with " << threads << " threads";
    }
  }
}

// Every width computes the same up to rounding, as fused operations differ.
TEST(Tie, EveryLaneWidthSweepsAlike) {
  const Body body = bound_boxes(3, 0.05, weak_constraint_law(200, 50, {0, 1, 0}));
  std::vector<Vec3d> scalar;
  for (const int lanes : {1, 4, 8, 16}) {
    if (!kernels_with_lanes(lanes)) continue;
    TiedTrial trial(
        body,
        {.solver = "vbd", .iterations = 5, .options = {{"lanes", static_cast<double>(lanes)}, {"line_search", true}}},
        on_top);
    trial.step();
    if (lanes == 1) scalar = trial.positions();
    EXPECT_LT(distance(trial.positions(), scalar), 1e-12) << lanes;
  }
}

// With VBD's line search no sweep increases the energy, here from a distant state.
TEST(Tie, LineSearchWeighsTies) {
  const Body body = bound_boxes(2, 0.5, weak_constraint_law(1e4));
  TiedTrial trial(body, {.solver = "vbd", .h = 0, .iterations = 1, .options = {{"line_search", true}}}, on_top);
  double before = std::numeric_limits<double>::infinity();
  for (int step = 0; step < 30; ++step) {
    trial.step();
    const double energy = trial.evaluate().energy;
    EXPECT_LE(energy, before + 1e-9 * std::abs(energy));
    before = energy;
  }
}

// At rest each spring carries the weight below it, for any number of iterations per step: the purpose of XPBD (Macklin
// et al. 2016). By then backward Euler has damped the swing to 1e-6.
TEST(Xpbd, SpringsHangAtTheirTrueLengthWhateverTheIterations) {
  constexpr double stiffness = 1e3;
  for (const int iterations : {30, 120}) {
    Body body = chain(4, .1, stiffness);
    for (size_t v = 0; v < body.mesh.vertices.size(); ++v) body.mesh.vertices[v] = {0, -.1 * static_cast<double>(v), 0};
    TiedTrial trial(body, {.solver = "xpbd", .iterations = iterations}, at_origin);
    for (int step = 0; step < 600; ++step) trial.step();
    const std::vector<Vec3d> x = trial.positions();
    for (int spring = 0; spring < 4; ++spring) {
      const double extension = (4 - spring) * 9.8 / stiffness;
      EXPECT_NEAR(size(x[spring + 1] - x[spring]), .1 + extension, 1e-6) << iterations;
    }
  }
}

// One weak constraint between two points: XPBD's equations are linear, and one projection solves them. The points keep
// the distance that the stiffness leaves, along the normal and across it.
TEST(Xpbd, WeakConstraintsAreSolvedAlongTheirNormalAndAcross) {
  for (const TieLaw<double>& law :
       {weak_constraint_law(300), weak_constraint_law(300, 20, {0, 1, 0}), weak_constraint_law(300, 0, {0, 1, 0})}) {
    Body body{.mesh = {}};
    body.mesh.vertices = {{0, 0, 0}, {0.2, 0.1, 0.05}};
    body.point_mass = {1, 1};
    body.gravity = {};
    body.ties.add(law, std::array{0, 1}, std::array{1.0, -1.0});
    TiedTrial trial(body, {.solver = "xpbd", .h = 0.1, .iterations = 3}, at_origin);
    TiedTrial newton(body, {.h = 0.1, .tolerance = 1e-12}, at_origin);
    trial.step();
    newton.step();
    EXPECT_LT(distance(trial.positions(), newton.positions()), 1e-13);
    EXPECT_GT(distance(trial.positions(), body.mesh.vertices), 0.05);
  }
}

// Sweeps converge to C + a l = 0 with l = - h^2 phi'(C), and two boxes under XPBD are near Newton's solution: closer
// than the gap that is closed.
TEST(Xpbd, BindsTwoBoxes) {
  Body body = bound_boxes(2, 0.05, weak_constraint_law(2000));
  body.blocks[0].material =
      elastic_material(MaterialKind::FixedCorotated, body.blocks[0].material.lame);  // Neo-Hookean shrinks under XPBD
  TiedTrial xpbd(body, {.solver = "xpbd", .h = 0.02, .iterations = 100}, on_top);
  TiedTrial newton(body, {.h = 0.02, .tolerance = 1e-9}, on_top);
  for (int step = 0; step < 5; ++step) {
    xpbd.step();
    newton.step();
  }
  EXPECT_GT(distance(newton.positions(), body.mesh.vertices), 0.04);
  EXPECT_LT(distance(xpbd.positions(), newton.positions()), 0.01);
}

// Springs in a row: if C + a l = 0 for all of them, l grad C / h^2 is their force, and the error of the first equation
// is the residual of the step.
TEST(Xpbd, TellsTheResidualsOfItsSprings) {
  TiedTrial trial(chain(4, .1, 2e3), {.solver = "xpbd", .iterations = 2000}, at_origin);
  for (int step = 0; step < 5; ++step) trial.step();
  const std::optional<ConstraintResiduals> residuals = trial.stepper->solver().constraint_residuals();
  ASSERT_TRUE(residuals);
  EXPECT_LT(residuals->secondary, 1e-13);
  EXPECT_GT(residuals->primary, 1e-3);  // it stagnates
  EXPECT_NEAR(residuals->primary, trial.evaluate().residual, 1e-8);
}

// Weak constraints are linear: both equations are solved, and the positions follow from the multipliers.
TEST(Xpbd, MultipliersOfWeakConstraintsGiveThePositions) {
  Body body{.mesh = {}};
  body.mesh.vertices = {{0, 0, 0}, {0.2, 0.1, 0.05}, {0.5, 0, 0}};
  body.point_mass = {1, 2, 3};
  body.ties.add(weak_constraint_law(300, 20, {0, 1, 0}), std::array{0, 1, 2}, std::array{1.0, -0.5, -0.5});
  body.ties.add(weak_constraint_law(500), std::array{0, 2}, std::array{1.0, -1.0});
  const Model model = body.compile();
  const StepProblem problem = support::problem_of(model, model.rest, 0.1);
  ThreadPool pool(1);
  const Objective objective(problem, pool);
  const SolveOptions solve{.precision = double_precision};
  const Result<std::unique_ptr<Solver>> made = make_solver(*find_solver("xpbd"), solve, {}, "solver", {});
  Solver* const solver = made->get();
  solver->prepare(model, pool);
  solver->begin_step(objective);
  for (int k = 0; k < 200; ++k) solver->iterate();
  const std::optional<ConstraintResiduals> residuals = solver->constraint_residuals();
  ASSERT_TRUE(residuals);
  EXPECT_LT(residuals->primary, 1e-11);
  EXPECT_LT(residuals->secondary, 1e-14);
  std::vector<Vec3d> before(model.rest.size()), after(model.rest.size());
  solver->positions(before);
  solver->follow_multipliers();
  solver->positions(after);
  EXPECT_LT(distance(before, after), 1e-14);
  EXPECT_GT(distance(before, problem.x_target), 0.01);
}

// Chen et al. 2023 (PBNG), figure 4 ("flipped"): in pseudo-time the end state depends on the order.
TEST(XpbdQs, EndsElsewhereWithTiesBeforeTheTets) {
  Body body = bound_boxes(2, 0.05, weak_constraint_law(2000));
  body.blocks[0].material = elastic_material(MaterialKind::FixedCorotated, body.blocks[0].material.lame);
  std::vector<std::vector<Vec3d>> ends;
  for (const bool flipped : {false, true}) {
    TiedTrial trial(body, {.solver = "xpbd_qs", .h = 0, .iterations = 400, .options = {{"flipped", flipped}}}, on_top);
    trial.step();
    ends.push_back(trial.positions());
    EXPECT_GT(distance(ends.back(), body.mesh.vertices), 0.02);
  }
  EXPECT_GT(distance(ends[0], ends[1]), 1e-5);
}

TEST(SolverList, RefusesTiesWhereASolverHasNone) {
  SolverInfo info = *find_solver("vbd");
  Body body = chain(1, 1, 1);
  body.blocks[0].material = elastic_material(MaterialKind::FixedCorotated,
                                             body.blocks[0].material.lame);  // PBD checks it, though no tet has it
  const Model model = body.compile();
  EXPECT_TRUE(check_solver(info, model, false).ok());
  info.traits.ties = false;
  const Status status = check_solver(info, model, false);
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().message().find("no springs"), std::string::npos);
  EXPECT_NE(status.error().message().find("newton"), std::string::npos);
  EXPECT_TRUE(check_solver(*find_solver("pbd"), model, false).ok());
  EXPECT_FALSE(check_solver(*find_solver("xpbd_primary"), model, false).ok());
}

}  // namespace
}  // namespace sinew
