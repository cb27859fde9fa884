// Source: docs/theory.md, Quadratic tetrahedra. Solvers by vertex against Newton's method, layouts against each other,
// and states from which a body has to recover.
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "material/materials.h"
#include "solver/by_vertex/pbng.h"
#include "solver/quadratic_tangent.h"
#include "support/constraint_bar.h"
#include "support/trial.h"

namespace sinew {
namespace {

using support::Body;
using support::body_of;
using support::box;
using support::Method;
using support::on_left;
using support::Random;
using support::Trial;
using support::with_middles;

constexpr MaterialKind nh = MaterialKind::NeoHookean;

Method newton() {
  Method m{.kind = Method::newton, .quasistatic = true, .h = 1};
  m.solve.iterations = 100;
  m.solve.tolerance = 1e-9;
  m.solve.check_every = 1;
  return m;
}
Method sweeps(const std::function<std::unique_ptr<Solver>(const SolveOptions&)>& make, int iterations = 20000) {
  Method m{.quasistatic = true, .h = 1};
  m.solve.iterations = iterations;
  m.solve.tolerance = 1e-9;
  m.solve.check_every = 20;
  m.make = make;
  return m;
}
std::function<std::unique_ptr<Solver>(const SolveOptions&)> vbd(bool multipliers, int layout = layout_auto) {
  return [=](const SolveOptions& solve) { return make_vbd(solve, {.multipliers = multipliers, .layout = layout}); };
}

std::vector<Vec3d> bent(const Body& body, const Method& method) {
  Trial run(body, method);
  run.hold(on_left);
  const StepReport report = run.step();
  EXPECT_EQ(report.status, SolveStatus::converged) << report.evaluation.residual;
  return run.positions();
}

class EveryMaterialQuadratic : public testing::TestWithParam<MaterialKind> {};

TEST_P(EveryMaterialQuadratic, SweepsEndWhereNewtonDoes) {
  for (const double nu : {0.3, 0.49}) {
    // Of so little weight that linear elasticity, too, is right.
    Body body = body_of(with_middles(box({2, 1, 1}, {2, 1, 1})), GetParam(), 1000, nu);
    body.gravity = {0, -0.5, 0};
    const std::vector<Vec3d> expected = bent(body, newton());
    for (const bool multipliers : {true, false})
      EXPECT_LT(support::largest_coordinate(bent(body, sweeps(vbd(multipliers))), expected), 1e-8) << nu;
    const auto pbng = [](const SolveOptions& solve) { return make_pbng(solve, {}); };
    EXPECT_LT(support::largest_coordinate(bent(body, sweeps(pbng)), expected), 1e-8) << nu;
  }
}

INSTANTIATE_TEST_SUITE_P(All, EveryMaterialQuadratic, testing::ValuesIn(support::every_material()),
                         [](const auto& test) { return std::string(traits_of(test.param).name); });

TEST(Quadratic, MultipliersSpeedUpSweepsNearAHalf) {
  Body body = body_of(with_middles(box({2, 2, 2})), nh, 1000, 0.4999);
  const auto iterations = [&](bool multipliers) {
    Method m = sweeps(vbd(multipliers), 40000);
    m.solve.tolerance = 1e-4;
    Trial run(body, m);
    run.hold(on_left);
    return run.step().iterations;
  };
  EXPECT_LT(2 * iterations(true), iterations(false));
}

TEST(Quadratic, SymmetricSweepsBearMultipliers) {
  Body body = body_of(with_middles(box({2, 2, 2}, {1, 1, 1})), nh, 1000, 0.495);
  body.gravity = {0, -0.5, 0};
  const auto symmetric = [](const SolveOptions& solve) { return make_vbd(solve, {.sweep_order = sweep_symmetric}); };
  EXPECT_LT(support::largest_coordinate(bent(body, sweeps(symmetric)), bent(body, newton())), 1e-8);
}

// Three sweeps from a state with inverted elements: links and frames differ in rounding alone.
TEST(Quadratic, LinksMoveVerticesAsFramesDo) {
  for (const double nu : {0.3, 0.49}) {
    std::vector<Vec3d> by_layout[2];
    for (const int layout : {layout_auto, layout_frames}) {
      Method m = sweeps(vbd(true, layout), 3);
      m.quasistatic = false;
      m.h = 0.01;
      Trial run(body_of(with_middles(box({3, 2, 2})), nh, 1000, nu), m);
      Random random(4);
      run.state.x = support::shaken(run.state.x, 0.2, random);
      run.step();
      by_layout[layout == layout_auto ? 0 : 1] = run.positions();
    }
    EXPECT_LT(support::largest_coordinate(by_layout[0], by_layout[1]), 1e-11) << nu;
  }
}

TEST(Quadratic, HasTheSameBitsForAnyNumberOfThreads) {
  for (const int precision : {single_precision, double_precision}) {
    uint64_t expected = 0;
    for (const int threads : {1, 2, 3, 4}) {
      Method m = sweeps(vbd(true), 10);
      m.quasistatic = false;
      m.h = 0.01;
      m.solve.precision = precision;
      m.threads = threads;
      Body body = body_of(with_middles(box({8, 6, 6})), nh, 1000, 0.49);
      body.cluster_vertices = 700;
      Trial run(body, m);
      run.hold(on_left);
      for (int step = 0; step < 3; ++step) run.step();
      if (threads == 1) expected = run.hash();
      EXPECT_EQ(run.hash(), expected) << threads;
    }
  }
}

// The blocks of vertices of Neo-Hookean, which no projection has to mend.
TEST(Quadratic, BlocksArePositiveWhateverTheState) {
  Random random(9);
  const Body body = body_of(with_middles(support::one_tet()), nh, 1000, 0.499);
  const Model model = body.compile();
  const PointMaterial points = PointMaterial::of(model.blocks[0]);
  const auto material = coefficients_of<NeoHookean>(points.material);
  const ElementShape shape(model.tets[0], model.rest);
  for (int round = 0; round < 10000; ++round) {
    const std::vector<Vec3d> x = support::shaken(model.rest, 3, random);
    const QuadraticStiffness k = quadratic_stiffness(material, points.mean_lambda, shape,
                                                     places_from_first(model.nodes_of(0), x).data(), Tangent::exact);
    for (int n = 0; n < most_nodes; ++n) {
      const Mat3d& m = k.block[corner_pair(n, n)];
      EXPECT_GT(m.c0.x, 0);
      EXPECT_GT(m.c0.x * m.c1.y - m.c1.x * m.c0.y, 0);
      EXPECT_GT(determinant(m), 0);
    }
  }
}

// What a sweep descends with its multipliers held: the objective, with s p (Jm - 1) + k (Jm - 1)^2/2 for the mean's
// part.
double energy_with(Trial& run, const StepProblem& problem, std::span<const Vec3d> x, const std::vector<double>& p) {
  double energy = Objective(problem, run.pool).energy(x);
  const double lambda = PointMaterial::of(run.model.blocks[0]).mean_lambda;
  const double sigma = 8 * run.model.blocks[0].material.lame.mu, s = lambda / (lambda + sigma), k = s * sigma;
  for (int32_t e = 0; e < static_cast<int32_t>(run.model.tets.size()); ++e) {
    const ElementShape shape(run.model.tets[e], run.model.rest);
    double excess = -1;
    for (const Mat3d& f :
         PointGradients<double>::of(places_from_first(run.model.nodes_of(e), x).data(), shape.gradient).at)
      excess += determinant(f) / 4;
    energy += shape.volume * (s * p[e] * excess + 0.5 * (k - lambda) * excess * excess);
  }
  return energy;
}

TEST(Quadratic, ASweepNeverRaisesTheEnergyWithItsMultipliersHeld) {
  Random random(6);
  Trial run(body_of(with_middles(box({2, 2, 2})), nh, 1000, 0.499), Method{});
  const std::vector<Vec3d> start = support::shaken(run.model.rest, 0.3, random);
  StepProblem problem = support::problem_of(run.model, run.model.rest, 0.02);
  problem.x_start = start;
  const std::unique_ptr<Solver> solver = make_vbd({.precision = double_precision}, {});
  solver->prepare(run.model, run.pool);
  const Objective objective(problem, run.pool);
  solver->begin_step(objective);
  std::vector<Vec3d> x = start;
  std::vector<double> p;
  for (int sweep = 0; sweep < 200; ++sweep) {
    solver->pressures(p);
    const double before = energy_with(run, problem, x, p);
    solver->iterate();
    solver->positions(x);
    EXPECT_LE(energy_with(run, problem, x, p), before + 1e-12) << sweep;
  }
}

class Recovery : public testing::TestWithParam<std::tuple<double, int>> {};

TEST_P(Recovery, LeavesNoPointInverted) {
  const auto [nu, start] = GetParam();
  Method m = sweeps(vbd(true), 30);
  m.quasistatic = false;
  m.h = 1.0 / 60;
  m.solve = {.iterations = 30, .precision = single_precision};
  // What is thrown about at random flies apart unless steps begin where the energy is no more than before.
  const int cells = start == 3 ? 4 : 3;
  Body body = body_of(with_middles(box({cells, cells, cells})), nh, 1e4, nu);
  body.gravity = {};
  Trial run(body, m);
  Random random(8);
  for (Vec3d& p : run.state.x) {
    if (start == 0) p.y = 0;
    if (start == 1) p.y = -p.y;
    if (start == 2) {
      const Vec3d v = random.vector();
      p = (1 / std::sqrt(dot(v, v))) * v;
    }
    if (start == 3) p += random.vector();
  }
  for (int step = 0; step < 180; ++step) run.step();
  const Evaluation evaluation = run.evaluate();
  EXPECT_EQ(evaluation.inverted, 0);
  EXPECT_GT(evaluation.min_j, 0.2);
}

std::string name_of(const testing::TestParamInfo<std::tuple<double, int>>& test) {
  constexpr const char* starts[] = {"flattened", "mirrored", "on_a_sphere", "scattered"};
  const auto [nu, start] = test.param;
  return starts[static_cast<size_t>(start)] + std::string(nu < 0.4 ? "" : "_incompressible");
}

INSTANTIATE_TEST_SUITE_P(All, Recovery, testing::Combine(testing::Values(0.3, 0.499), testing::Range(0, 4)), name_of);

}  // namespace
}  // namespace sinew
