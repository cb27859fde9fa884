// Source: docs/theory.md, The problem of a step and Damping; differences of the energy; separate loops over the mesh.
#include "objective/objective.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "support/body.h"
#include "support/made.h"

namespace sinew {
namespace {

using support::Body;
using support::body_of;
using support::box;
using support::derivative;
using support::problem_of;
using support::Random;
using support::shaken;
using support::size;

// A small body of two materials, displaced at random until some tets are inverted.
struct Case {
  Case(MaterialKind material, double amount, double h, uint32_t seed = 1) : random(seed) {
    body = body_of(box({3, 2, 2}, {1.5, 1, 1}), material);
    body.blocks.push_back({.material = elastic_material(MaterialKind::NeoHookean, lame_from(300, 0.2))});
    body.density.push_back(25);
    for (const Tet& t : body.mesh.tets) body.block_of_tet.push_back(body.mesh.vertices[t[0]].x > 1);
    model = body.compile();
    problem = problem_of(model, shaken(model.rest, amount, random), h);
    x = shaken(model.rest, amount, random);
  }
  void vary_stiffness() {
    support::vary_stiffness(body, random);
    model = body.compile();
    EXPECT_EQ(model.stiffness_factor.size(), model.tets.size());
  }
  Objective objective() { return Objective(problem, pool); }

  Random random;
  Body body;
  Model model;
  StepProblem problem;
  std::vector<Vec3d> x;
  ThreadPool pool{1};
};

class ObjectiveOf : public testing::TestWithParam<MaterialKind> {};

// The energy is of the order of 1e3 J over lengths of 1 m; differences resolve 1e-8 of the largest force.
TEST_P(ObjectiveOf, GradientIsTheDerivativeOfTheEnergy) {
  for (const auto& [h, varied] : {std::pair{0.0, false}, {0.01, false}, {0.0, true}, {0.01, true}}) {
    Case c(GetParam(), 0.1, h);
    if (varied) c.vary_stiffness();
    c.problem.held[c.model.tets[0][0]] = 1;
    const Objective objective = c.objective();
    std::vector<Vec3d> g(c.x.size());
    objective.gradient(c.x, g);
    double largest = 0;
    for (const Vec3d& v : g) largest = std::max(largest, size(v));
    for (int32_t s = 0; s < c.model.slot_count(); ++s) {
      if (c.problem.held[s]) {
        EXPECT_EQ(size(g[s]), 0);
        continue;
      }
      const Vec3d direction = c.random.vector();
      const double expected = derivative(
          [&](double t) {
            std::vector<Vec3d> y = c.x;
            y[s] += t * direction;
            return objective.energy(y);
          },
          1e-4);
      EXPECT_NEAR(dot(g[s], direction), expected, 1e-8 * largest);
    }
  }
}

TEST_P(ObjectiveOf, EvaluationIsOfTheSameEnergyAndGradient) {
  for (const double h : {0.0, 0.01}) {
    Case c(GetParam(), 0.3, h);
    c.problem.held[c.model.tets[3][1]] = 1;
    std::vector<Vec3d> g(c.x.size());
    c.objective().gradient(c.x, g);
    const Evaluation e = c.objective().evaluate(c.x);
    EXPECT_EQ(e.energy, c.objective().energy(c.x));
    double sum = 0, largest = 0;
    for (const Vec3d& v : g) {
      sum += dot(v, v);
      largest = std::max(largest, size(v));
    }
    EXPECT_NEAR(e.residual, std::sqrt(sum), 1e-13 * e.residual);
    EXPECT_NEAR(e.residual_max, largest, 1e-13 * largest);
    EXPECT_TRUE(e.finite);
    EXPECT_EQ(e.bad_slot, -1);

    // det F is the ratio of the volumes.
    int32_t inverted = 0;
    double min_j = 1e300;
    const auto volume = [&](const std::vector<Vec3d>& y, const Tet& t) {
      return dot(y[t[1]] - y[t[0]], cross(y[t[2]] - y[t[0]], y[t[3]] - y[t[0]]));
    };
    std::vector<double> det_f(c.model.tets.size());
    deformation_measures(c.model, c.x, c.pool, det_f, {});
    for (size_t k = 0; k < det_f.size(); ++k) {
      const double j = volume(c.x, c.model.tets[k]) / volume(c.model.rest, c.model.tets[k]);
      EXPECT_NEAR(det_f[k], j, 1e-12);
      inverted += j <= 0;
      min_j = std::min(min_j, j);
    }
    EXPECT_GT(inverted, 0);
    EXPECT_EQ(e.inverted, inverted);
    EXPECT_NEAR(e.min_j, min_j, 1e-12);
  }
}

TEST_P(ObjectiveOf, EnergyIsThatOfItsParts) {
  for (const double h : {0.0, 0.01}) {
    Case c(GetParam(), 0.1, h);
    std::vector<double> density(c.model.tets.size());
    deformation_measures(c.model, c.x, c.pool, {}, density);
    double expected = 0;
    for (size_t k = 0; k < density.size(); ++k) {
      const Tet& t = c.model.tets[k];
      const auto rest = [&](int i) { return c.model.rest[t[i]] - c.model.rest[t[0]]; };
      expected += density[k] * dot(rest(1), cross(rest(2), rest(3))) / 6;
    }
    for (int32_t s = 0; s < c.model.slot_count(); ++s) {
      if (c.problem.held[s]) continue;
      if (h == 0) {
        expected -= dot(c.model.external_force(s), c.x[s] - c.model.rest[s]);
      } else {
        const Vec3d d = c.x[s] - c.problem.x_target[s];
        expected += c.model.mass[s] * dot(d, d) / (2 * h * h);
      }
    }
    EXPECT_NEAR(c.objective().energy(c.x), expected, 1e-12 * std::abs(expected));
    // Energies are relative to rest.
    Case still(GetParam(), 0, 0);
    EXPECT_NEAR(still.objective().energy(still.model.rest), 0, 1e-10);
  }
}

// Each tet contributes its block's energy times its factor, which does not affect det F.
TEST_P(ObjectiveOf, StiffnessFactorsMultiplyTheEnergy) {
  Case c(GetParam(), 0.1, 0);
  const size_t count = c.model.tets.size();
  std::vector<double> before(count), after(count), j_before(count), j_after(count);
  deformation_measures(c.model, c.x, c.pool, j_before, before);
  c.vary_stiffness();
  deformation_measures(c.model, c.x, c.pool, j_after, after);
  EXPECT_EQ(j_after, j_before);
  for (size_t e = 0; e < count; ++e) {
    const double factor = c.body.stiffness_factor[c.model.user_tet[e]];
    EXPECT_NEAR(after[e], factor * before[e], 1e-13 * std::abs(factor * before[e]));
  }
}

// Without weight the forces of a quasistatic problem are elastic: their sum is zero, and so is their torque if the
// energy is invariant under rotations.
TEST_P(ObjectiveOf, ElasticForcesHaveNoSumAndNoTorque) {
  Case c(GetParam(), 0.3, 0);
  c.model.gravity = {};
  std::vector<Vec3d> g(c.x.size());
  c.objective().gradient_unconstrained(c.x, g);
  Vec3d sum{}, torque{};
  double forces = 0;
  for (size_t s = 0; s < g.size(); ++s) {
    sum += g[s];
    torque += cross(c.x[s], g[s]);
    forces += size(g[s]);
  }
  EXPECT_LT(size(sum), 1e-14 * forces);
  EXPECT_EQ(size(torque) < 1e-13 * forces, traits_of(GetParam()).rotation_invariant) << size(torque) / forces;
}

// A homogeneous deformation leaves inner vertices without force; a face has P times its area.
TEST_P(ObjectiveOf, PatchTest) {
  Random random(9);
  const Body body = body_of(box({3, 3, 3}), GetParam());
  Model model = body.compile();
  model.gravity = {};
  const Mat3d f = random.deformation(0.2);
  const StepProblem problem = problem_of(model, model.rest, 0);
  std::vector<Vec3d> x = model.rest, g(x.size());
  for (Vec3d& p : x) p = f * p;
  ThreadPool pool(1);
  Objective(problem, pool).gradient_unconstrained(x, g);
  const Mat3d stress = visit_material(
      GetParam(), [&]<template <class> class M>() { return support::made<M>(body.blocks[0].material.lame).stress(f); });
  Vec3d face{};
  for (size_t s = 0; s < x.size(); ++s) {
    if (model.mass[s] == 0) continue;
    const Vec3d r = model.rest[s];
    const auto inside = [](double a) { return a > 1e-9 && a < 1 - 1e-9; };
    if (inside(r.x) && inside(r.y) && inside(r.z)) {
      EXPECT_LT(size(g[s]), 1e-12 * size(stress));
    }
    if (r.x > 1 - 1e-9 && inside(r.y) && inside(r.z)) {
      // Away from the edges: P e_x times the area, of which five-tet cells give unequal shares to their vertices.
      EXPECT_NEAR(std::abs(dot(g[s], stress.c0)), size(g[s]) * size(stress.c0), 1e-10 * dot(stress.c0, stress.c0));
    }
    if (r.x > 0.5) face += g[s];  // everything on one side of a plane x = const: P e_x times its area
  }
  EXPECT_LT(size(face - stress.c0), 1e-11 * size(stress));
}

INSTANTIATE_TEST_SUITE_P(All, ObjectiveOf, testing::ValuesIn(support::every_material()),
                         [](const auto& test) { return std::string(traits_of(test.param).name); });

// P_d = rate F^t (2 mu S + lambda tr(S) 1), S = sym(F^tT (F - F^t)), from a separate loop over the tets; the energy
// increases by (P_d : (F - F^t)) / 2.
TEST(Damping, ByTheRateOfStrainIsTheViscousStress) {
  Case c(MaterialKind::FixedCorotated, 0.1, 0.02);
  std::vector<Vec3d> undamped(c.x.size()), damped(c.x.size());
  c.objective().gradient(c.x, undamped);
  const double k_d = 0.03;
  c.model.blocks[0].damping = k_d;
  c.objective().gradient(c.x, damped);
  const double energy = c.objective().energy(c.x);
  double more = 0;
  const Lame lame = c.model.blocks[0].material.lame;
  std::vector<Vec3d> expected = undamped;
  for (int32_t e = c.model.blocks[0].first_tet; e < c.model.blocks[0].last_tet; ++e) {
    const Tet& t = c.model.tets[e];
    const auto edges = [&](const std::vector<Vec3d>& y) {
      return Mat3d{y[t[1]] - y[t[0]], y[t[2]] - y[t[0]], y[t[3]] - y[t[0]]};
    };
    const Mat3d rest = edges(c.model.rest);
    const double volume = determinant(rest) / 6;
    const Mat3d inverse = (1 / determinant(rest)) * transpose(cofactor(rest));
    const Mat3d f = edges(c.x) * inverse, before = edges(c.problem.x_prev) * inverse;
    const Mat3d product = transpose(before) * (f - before), s = 0.5 * (product + transpose(product));
    const double tr = lame.lambda * trace(s);
    const Mat3d p = (k_d / 0.02) * (before * ((2 * lame.mu) * s + diagonal(tr, tr, tr)));
    more += 0.5 * volume * contract(p, f - before);
    const Mat3d rows = transpose(inverse);  // columns: g_1, g_2, g_3
    const Vec3d g[4] = {-(rows.c0 + rows.c1 + rows.c2), rows.c0, rows.c1, rows.c2};
    for (int k = 0; k < 4; ++k) expected[t[k]] += volume * (p * g[k]);
  }
  for (size_t s = 0; s < expected.size(); ++s) EXPECT_LT(size(damped[s] - expected[s]), 1e-9);
  c.model.blocks[0].damping = 0;
  EXPECT_GT(more, 0);
  EXPECT_NEAR(energy - c.objective().energy(c.x), more, 1e-12 * energy);
}

// The energy contains this damping, and the gradient is that of the energy.
TEST(Damping, ByTheRateOfStrainHasAPotential) {
  Case c(MaterialKind::StableNeoHookean, 0.1, 0.02);
  c.model.blocks[0].damping = 0.3;
  std::vector<Vec3d> g(c.x.size()), way(c.x.size());
  c.objective().gradient(c.x, g);
  Random random(5);
  double slope = 0;
  for (size_t s = 0; s < way.size(); ++s) {
    if (c.problem.held[s]) continue;
    way[s] = random.vector();
    slope += dot(g[s], way[s]);
  }
  const auto energy_at = [&](double t) {
    std::vector<Vec3d> x = c.x;
    for (size_t s = 0; s < x.size(); ++s) x[s] += t * way[s];
    return c.objective().energy(x);
  };
  EXPECT_NEAR(slope, support::derivative(energy_at, 1e-4), 1e-7 * std::abs(slope));
}

// Chen et al. 2024 (VBD), eqs. 10-11: a 10 cm cube of 5 cm cells, mu = 2e6, k_d = 1e-6 s, falling at 1 m/s. Damping by
// own blocks drags with 10.7 N, damping by the rate of strain not at all; the weight is 9.8 N.
TEST(Damping, OwnBlockDragsRigidMotionAndTheRateOfStrainDoesNot) {
  Body body = body_of(box({2, 2, 2}, {0.1, 0.1, 0.1}));
  body.density = {1000};
  body.blocks[0].material = elastic_material(body.blocks[0].material.kind,
                                             Lame{2e6, 1e7 - 2e6});  // the paper's lambda = 1e7 is lambda + mu here
  body.blocks[0].damping = 1e-6;
  constexpr double h = 0.001, speed = 1;
  ThreadPool pool(1);
  const auto drag = [&](DampingForm form) {
    body.damping_form = form;
    Model model = body.compile();
    StepProblem problem = problem_of(model, model.rest, h);
    std::vector<Vec3d> x = model.rest, g(x.size()), free(x.size());
    for (Vec3d& p : x) p.y -= h * speed;
    Objective(problem, pool).gradient(x, g);
    model.blocks[0].damping = 0;
    Objective(problem, pool).gradient(x, free);
    Vec3d sum{};
    for (size_t s = 0; s < x.size(); ++s) sum += g[s] - free[s];
    EXPECT_NEAR(sum.x, 0, 1e-9);
    EXPECT_NEAR(sum.z, 0, 1e-9);
    return -sum.y;
  };
  // sum_e V sum_i |g_i|^2 = 2 m on this mesh: k_d v (mu + lambda_hat / 3) 2 m.
  EXPECT_NEAR(drag(DampingForm::own_block), 1e-6 * (2e6 + 1e7 / 3) * 2, 1e-9);
  EXPECT_NEAR(drag(DampingForm::strain_rate), 0, 1e-10);
}

TEST(Damping, QuasistaticsHaveNone) {
  Case c(MaterialKind::NeoHookean, 0.1, 0);
  const Evaluation before = c.objective().evaluate(c.x);
  c.model.blocks[0].damping = 1;
  EXPECT_EQ(c.objective().evaluate(c.x).residual, before.residual);
}

TEST(Objective, NamesTheFirstSlotThatIsNotFinite) {
  Case c(MaterialKind::NeoHookean, 0.1, 0.01);
  const int32_t slot = c.model.tets[5][2];
  c.x[slot].y = std::nan("");
  const Evaluation e = c.objective().evaluate(c.x);
  EXPECT_FALSE(e.finite);
  EXPECT_FALSE(e.residual <= 1e300) << "is no small one";
  EXPECT_GE(e.bad_slot, 0);
  // The forces of its neighbours are not finite either.
  bool neighbour = false;
  for (const Tet& t : c.model.tets) {
    neighbour |= std::count(t.begin(), t.end(), slot) && std::count(t.begin(), t.end(), e.bad_slot);
  }
  EXPECT_TRUE(neighbour);
}

// 10 240 tets: no number of threads may have an effect at the borders of chunks and pieces.
TEST(ObjectiveSameBits, ForAnyNumberOfThreads) {
  Body body = body_of(box({16, 16, 8}), MaterialKind::FixedCorotated);
  body.blocks[0].damping = 0.01;
  const Model model = body.compile();
  Random random(1);
  const std::vector<Vec3d> x = shaken(model.rest, 0.02, random);
  const StepProblem problem = problem_of(model, model.rest, 0.01);
  std::vector<Vec3d> expected;
  Evaluation one;
  for (const int threads : {1, 2, 3, 4}) {
    ThreadPool pool(threads);
    const Objective objective(problem, pool);
    std::vector<Vec3d> g(x.size());
    objective.gradient(x, g);
    const Evaluation e = objective.evaluate(x);
    if (threads == 1) expected = g, one = e;
    EXPECT_EQ(std::memcmp(g.data(), expected.data(), g.size() * sizeof(Vec3d)), 0) << threads;
    EXPECT_EQ(e.energy, one.energy);
    EXPECT_EQ(e.residual, one.residual);
    EXPECT_EQ(e.min_j, one.min_j);
    EXPECT_EQ(e.inverted, one.inverted);
  }
}

}  // namespace
}  // namespace sinew
