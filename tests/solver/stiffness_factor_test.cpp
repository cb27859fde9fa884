// Source: the definition of Model::stiffness_factor: a block with factors equals one block for each factor.
#include <gtest/gtest.h>

#include <cmath>

#include "linear/linear_solvers.h"
#include "objective/objective.h"
#include "solver/by_constraint/xpbd.h"
#include "solver/by_vertex/vbd.h"
#include "solver/newton/newton.h"
#include "support/body.h"

namespace sinew {
namespace {

using support::Body;
using support::body_of;
using support::box;
using support::every_material;
using support::problem_of;
using support::Random;
using support::shaken;
using support::size;

constexpr double factor = 3;

// A bar of which one half is three times as stiff, as two blocks or as one with factors.
Body bar(MaterialKind material, double damping, bool by_factors,
         const TetMesh& mesh = box({8, 2, 2}, {0.8, 0.2, 0.2})) {
  Body body = body_of(mesh, material);
  body.blocks[0].damping = damping;
  body.blocks.push_back(body.blocks[0]);
  body.blocks[1].material =
      elastic_material(body.blocks[1].material.kind,
                       Lame{factor * body.blocks[0].material.lame.mu, factor * body.blocks[0].material.lame.lambda});
  body.density.push_back(body.density[0]);
  for (const Tet& t : body.mesh.tets) {
    const bool stiff = body.mesh.vertices[t[0]].x + body.mesh.vertices[t[1]].x > 0.8;
    body.block_of_tet.push_back(by_factors ? 0 : stiff);
    if (by_factors) body.stiffness_factor.push_back(stiff ? factor : 1);
  }
  return body;
}

// One end held; h = 0: quasistatic.
struct Case {
  Case(const Body& body, double h) : model(body.compile()) {
    Random random(2);
    problem =
        problem_of(model, model.order.to_slots(shaken(model.order.to_user(model.rest), 0.01, random), Vec3d{}), h);
    for (int32_t s = 0; s < model.slot_count(); ++s) {
      if (model.rest[s].x < 1e-9) problem.held[s] = 1;
    }
  }
  // Positions in the user's order.
  std::vector<Vec3d> iterated(Solver& solver, int iterations) {
    solver.prepare(model, pool);
    const Objective objective(problem, pool);
    solver.begin_step(objective);
    for (int k = 0; k < iterations && !solver.stalled(); ++k) solver.iterate();
    std::vector<Vec3d> x(model.rest.size());
    solver.positions(x);
    residual = objective.evaluate(x).residual;
    return model.order.to_user(x);
  }

  Model model;
  StepProblem problem;
  ThreadPool pool{1};
  double residual = 0;  // [N] of the last iterate
};

double largest_difference(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
  double largest = 0;
  for (size_t v = 0; v < a.size(); ++v) largest = std::max(largest, size(a[v] - b[v]));
  return largest;
}

class StiffnessFactorsOf : public testing::TestWithParam<MaterialKind> {};

// In time and quasistatic, with both forms of damping. Newton's error: the residual's rounding over the softest
// stiffness.
TEST_P(StiffnessFactorsOf, AreBlocksToNewton) {
  for (const double damping : {0.0, 0.02}) {
    for (const DampingForm form : {DampingForm::strain_rate, DampingForm::own_block}) {
      Body blocks = bar(GetParam(), damping, false), factors = bar(GetParam(), damping, true);
      blocks.damping_form = factors.damping_form = form;
      const double h = damping > 0 ? 0.02 : 0;
      Case expected(blocks, h), found(factors, h);
      Newton one(NewtonOptions{}, make_linear_solver()), other(NewtonOptions{}, make_linear_solver());
      const std::vector<Vec3d> x = expected.iterated(one, 60);
      EXPECT_LT(expected.residual, 1e-9);
      EXPECT_LT(largest_difference(found.iterated(other, 60), x), 1e-10) << damping;
      EXPECT_LT(found.residual, 1e-9);
    }
  }
}

// Iterate by iterate: the order of the vertices is the same, but not that of the sums over their tets.
TEST_P(StiffnessFactorsOf, AreBlocksToVbd) {
  for (const int layout : {layout_frames, layout_links}) {
    for (const double damping : {0.0, 0.02}) {
      Case expected(bar(GetParam(), damping, false), 0.02), found(bar(GetParam(), damping, true), 0.02);
      const auto vbd = [&] { return make_vbd({.precision = double_precision}, {.layout = layout}); };
      const std::vector<Vec3d> x = expected.iterated(*vbd(), 30);
      EXPECT_LT(largest_difference(found.iterated(*vbd(), 30), x), 1e-12) << damping << " " << layout;
    }
  }
}

// VBD's result is a root of the objective: both agree about the factors, including damping.
TEST_P(StiffnessFactorsOf, AreTheSameToVbdAndTheObjective) {
  for (const DampingForm form : {DampingForm::strain_rate, DampingForm::own_block}) {
    Body body = bar(GetParam(), 0.02, true);
    body.damping_form = form;
    Case c(body, 0.02);
    c.iterated(*make_vbd({.precision = double_precision}, {}), 3000);
    EXPECT_LT(c.residual, 1e-10);
  }
}

TEST_P(StiffnessFactorsOf, AreBlocksToTheObjective) {
  Case expected(bar(GetParam(), 0.02, false), 0.02), found(bar(GetParam(), 0.02, true), 0.02);
  EXPECT_EQ(found.model.blocks[0].last_tet, static_cast<int32_t>(found.model.tets.size()));
  EXPECT_NEAR(stiffness_norm(found.model, 0, found.pool) / stiffness_norm(expected.model, 0, expected.pool), 1, 1e-12);
  const auto evaluate = [](Case& c) { return Objective(c.problem, c.pool).evaluate(c.problem.x_prev); };
  const Evaluation a = evaluate(expected), b = evaluate(found);
  EXPECT_NEAR(b.energy, a.energy, 1e-12 * std::abs(a.energy));
  EXPECT_NEAR(b.residual, a.residual, 1e-12 * a.residual);
}

INSTANTIATE_TEST_SUITE_P(All, StiffnessFactorsOf, testing::ValuesIn(every_material()),
                         [](const auto& test) { return std::string(traits_of(test.param).name); });

// XPBD sweeps block by block and depends on the order, so it agrees only for bodies that do not touch.
TEST(StiffnessFactors, AreBlocksToXpbd) {
  for (const MaterialKind material : {MaterialKind::FixedCorotated, MaterialKind::NeoHookean}) {
    TetMesh second = box({4, 2, 2}, {0.4, 0.2, 0.2});
    for (Vec3d& v : second.vertices) v.x += 0.5;
    const TetMesh both = support::together(box({4, 2, 2}, {0.4, 0.2, 0.2}), second);
    Case expected(bar(material, 0, false, both), 0.02), found(bar(material, 0, true, both), 0.02);
    EXPECT_FALSE(found.model.stiffness_factor.empty());
    const auto xpbd = [] { return make_xpbd({.precision = double_precision}, {}); };
    EXPECT_LT(largest_difference(found.iterated(*xpbd(), 30), expected.iterated(*xpbd(), 30)), 1e-12);
  }
}

}  // namespace
}  // namespace sinew
