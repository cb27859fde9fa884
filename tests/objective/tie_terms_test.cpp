// Source: docs/theory.md, Springs, weak constraints and muscle fibres: differences of the energy, forces that cancel.
#include "objective/tie_terms.h"

#include <gtest/gtest.h>

#include "objective/objective.h"
#include "support/tied.h"

namespace sinew {
namespace {

using support::Body;
using support::bound_boxes;
using support::derivative;
using support::problem_of;
using support::Random;
using support::shaken;
using support::size;

Body tied(Random& random) {
  const Vec3d n = random.vector();
  Body body = bound_boxes(2, 0.2, weak_constraint_law(500, 40, (1 / size(n)) * n));
  body.ties.add_spring(0, static_cast<int32_t>(body.mesh.vertices.size()) - 1, 300, 1.5, 0.05);
  body.muscles = {{{0}, {0.3}}, {{0}, {1}}};
  for (const Tet& t : body.mesh.tets)
    body.ties.add_fibre(t, body.mesh.vertices, {0, 1, 0}, 700, 1.25, body.ties.count() % 2);
  return body;
}

// Energies are of the order of 1e3 J over lengths of 1 m; differences resolve 1e-8 of the largest force.
TEST(TieTerms, GradientOfTheObjectiveIsTheDerivativeOfItsEnergy) {
  Random random(4);
  const Body body = tied(random);
  const Model model = body.compile();
  for (const double h : {0.0, 0.01}) {
    const StepProblem problem = problem_of(model, shaken(model.rest, 0.05, random), h);
    ThreadPool pool(1);
    const Objective objective(problem, pool);
    // Fibres stay within lengths at which their force is a parabola, for which differences are exact.
    const std::vector<Vec3d> x = shaken(model.rest, 0.02, random);
    std::vector<Vec3d> g(x.size());
    objective.gradient(x, g);
    double scale = 0;
    for (const Vec3d& v : g) scale = std::max(scale, size(v));
    for (int32_t v = 0; v < model.order.vertex_count(); v += 3) {
      const auto s = static_cast<size_t>(model.order.slot(UserVertex{v}));
      const Vec3d e = random.vector();
      const double slope = derivative([&](double t) {
        std::vector<Vec3d> moved = x;
        moved[s] += t * e;
        return objective.energy(moved);
      });
      EXPECT_NEAR(slope, dot(g[s], e), 1e-8 * scale);
    }
  }
}

// In triangles, which stay in their plane.
TEST(TieTerms, GradientOfFibresInTrianglesIsTheDerivativeOfTheirEnergy) {
  Random random(8);
  Body body = support::plane_body_of(support::rectangle({4, 3}, {1.3, 1}));
  body.muscles = {{{0}, {0.7}}};
  for (const Tet& t : body.mesh.tets) {
    const double angle = random.between(0, 2 * M_PI);
    body.ties.add_fibre(t, body.mesh.vertices, {std::cos(angle), std::sin(angle), 0}, 700, 1.25, 0);
  }
  const Model model = body.compile();
  const auto in_plane = [&] {
    std::vector<Vec3d> x = model.rest;
    for (int32_t v = 0; v < model.order.vertex_count(); ++v) {
      Vec3d& p = x[static_cast<size_t>(model.order.slot(UserVertex{v}))];
      p += Vec3d{random.between(-0.02, 0.02), random.between(-0.02, 0.02), 0};
    }
    return x;
  };
  const StepProblem problem = problem_of(model, in_plane(), 0);
  ThreadPool pool(1);
  const Objective objective(problem, pool);
  const std::vector<Vec3d> x = in_plane();
  std::vector<Vec3d> g(x.size());
  objective.gradient(x, g);
  double scale = 0;
  for (const Vec3d& v : g) scale = std::max(scale, size(v));
  for (int32_t v = 0; v < model.order.vertex_count(); ++v) {
    const auto s = static_cast<size_t>(model.order.slot(UserVertex{v}));
    const Vec3d e{random.between(-1, 1), random.between(-1, 1), 0};
    const double slope = derivative([&](double t) {
      std::vector<Vec3d> moved = x;
      moved[s] += t * e;
      return objective.energy(moved);
    });
    EXPECT_NEAR(slope, dot(g[s], e), 1e-8 * scale);
    EXPECT_EQ(g[s].z, 0);
  }
}

// Forces of ties are internal: their sum is zero, and springs and fibres have no torque. (Nor do weak constraints with
// K = k 1; those with a normal have one if C is not 0.)
TEST(TieTerms, ForcesAndTheirMomentsCancel) {
  Random random(5);
  Body body = bound_boxes(2, 0.2, weak_constraint_law(500));
  body.ties.add_spring(0, 5, 300, 1.5);
  body.muscles = {{{0}, {0.3}}};
  for (const Tet& t : body.mesh.tets) body.ties.add_fibre(t, body.mesh.vertices, {0, 1, 0}, 700, 0.9, 0);
  const Model model = body.compile();
  const std::vector<Vec3d> x = shaken(model.rest, 0.3, random);
  std::vector<Vec3d> g(x.size());
  ThreadPool pool(1);
  EXPECT_GT(add_tie_terms(problem_of(model, x, 0), x, pool, g), 0);
  Vec3d sum{}, moment{};
  double scale = 0;
  for (size_t s = 0; s < g.size(); ++s) {
    sum += g[s];
    moment += cross(x[s], g[s]);
    scale += size(g[s]);
  }
  EXPECT_GT(scale, 1);
  EXPECT_LT(size(sum), 1e-14 * scale);
  EXPECT_LT(size(moment), 1e-14 * scale);
}

TEST(TieTerms, SameBitsForAnyNumberOfThreads) {
  const Model model = support::spring_grid(80, 10).compile();
  ASSERT_GT(model.ties.count(), 8192);  // more than one chunk
  Random random(6);
  const std::vector<Vec3d> x = shaken(model.rest, 0.01, random);
  double first_energy = 0;
  std::vector<Vec3d> first(x.size());
  for (const int threads : {1, 2, 3, 4}) {
    ThreadPool pool(threads);
    std::vector<Vec3d> g(x.size());
    const double energy = add_tie_terms(problem_of(model, x, 0), x, pool, g);
    if (threads == 1) {
      first_energy = energy;
      first = g;
    }
    EXPECT_EQ(energy, first_energy);
    for (size_t s = 0; s < g.size(); ++s) EXPECT_EQ(size(g[s] - first[s]), 0);
  }
}

// A chain's middle vertex has twice the stiffness of a spring, its ends have it once.
TEST(TieTerms, CountInTheSizeOfStiffnessAndEnergy) {
  const Model model = support::chain(2, 0.5, 8).compile();
  ThreadPool pool(1);
  EXPECT_DOUBLE_EQ(tie_stiffness_norm(model, 0), std::sqrt(8 * 8 + 16 * 16 + 8 * 8));
  EXPECT_EQ(stiffness_norm(model, 0, pool), 0) << "that is of bodies";
  EXPECT_DOUBLE_EQ(energy_scale(model, pool), 2 * 8 * 0.25);
}

}  // namespace
}  // namespace sinew
