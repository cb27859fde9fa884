// Source: the definitions in solver/sweep_order.h, with sweeps written out in reference_sweeps.h; Saad 2003, section
// 4.1, for the symmetric sweep. Solvers come from solvers.def: one with the option `sweep_order` is tested by being
// listed.
#include "solver/sweep_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "solver/by_constraint/xpbd.h"
#include "solver/by_vertex/vbd.h"
#include "solver/reference_sweeps.h"
#include "solver/sweep_case.h"
#include "support/tied.h"

namespace sinew {
namespace {

using support::TiedTrial;

std::vector<int32_t> listed(const Visits& visits) {
  std::vector<int32_t> all;
  for (const int32_t k : visits) all.push_back(k);
  return all;
}
SweepOrder at(int kind, int64_t step, int sweep) {
  SweepOrder order(kind);
  order.begin_step(step);
  for (int k = 0; k < sweep; ++k) order.end_sweep();
  return order;
}

TEST(SweepOrder, IsForwardBackwardOrBothInTurn) {
  const std::vector<int32_t> forward{0, 1, 2, 3}, backward{3, 2, 1, 0};
  for (int sweep = 0; sweep < 4; ++sweep) {
    EXPECT_EQ(listed(at(sweep_forward, 7, sweep).visits(4)), forward);
    EXPECT_EQ(listed(at(sweep_backward, 7, sweep).visits(4)), backward);
    EXPECT_EQ(listed(at(sweep_symmetric, 7, sweep).visits(4)), sweep % 2 == 0 ? forward : backward);
    EXPECT_EQ(at(sweep_symmetric, 7, sweep).reversed(), sweep % 2 == 1);
    EXPECT_FALSE(at(sweep_random, 7, sweep).reversed());
  }
  EXPECT_EQ(listed(SweepOrder().visits(4)), forward);
  for (int kind = 0; kind < 4; ++kind) EXPECT_TRUE(listed(SweepOrder(kind).visits(0)).empty());
}

// Every number once; other steps, sweeps and lists have other orders, and the same have the same.
TEST(SweepOrder, RandomIsAPermutationByItsNumbers) {
  std::set<std::vector<int32_t>> orders;
  int drawn = 0;
  for (const int64_t step : {0, 1, 2, 1000000}) {
    for (int sweep = 0; sweep < 5; ++sweep) {
      for (int32_t list = 0; list < 3; ++list, ++drawn) {
        const std::vector<int32_t> order = listed(at(sweep_random, step, sweep).visits(30, list));
        EXPECT_EQ(order, listed(at(sweep_random, step, sweep).visits(30, list)));
        std::vector<int32_t> sorted = order;
        std::sort(sorted.begin(), sorted.end());
        EXPECT_EQ(sorted, listed(Visits(30)));
        orders.insert(order);
      }
    }
  }
  EXPECT_EQ(orders.size(), static_cast<size_t>(drawn));
}

// Each of n numbers comes first, second, ... in 1/n of the sweeps. The counts have a standard deviation of 24.
TEST(SweepOrder, RandomHasNoFavourites) {
  constexpr int n = 7, sweeps = 5000;
  int count[n][n] = {};
  SweepOrder order(sweep_random);
  for (int sweep = 0; sweep < sweeps; ++sweep, order.end_sweep()) {
    const Visits visits = order.visits(n);
    for (int k = 0; k < n; ++k) ++count[k][visits[k]];
  }
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < n; ++j) EXPECT_NEAR(count[k][j], sweeps / n, 120) << j << " in place " << k;
}

// Two materials and an uneven number of sweeps, in every order. Tolerances as for forward sweeps.
TEST(SweepOrder, OfVbdIsTheDefinition) {
  SweepCase c(assorted_body(MaterialKind::NeoHookean, MaterialKind::StableNeoHookean), time_step);
  c.problem.step = 3;
  const ReferenceVbd reference(c.problem);
  const auto colors = static_cast<int32_t>(c.model.color_begin.size()) - 1;
  for (int kind = 0; kind < 4; ++kind) {
    std::vector<Vec3d> expected = c.problem.x_start;
    // The colours of a cluster, here the only one, are list 1.
    for (int k = 0; k < 3; ++k) reference.sweep(expected, at(kind, 3, k).visits(colors, 1));
    for (const int lanes : lane_counts()) {
      const auto vbd = make_vbd({.precision = double_precision}, {.sweep_order = kind, .lanes = lanes});
      EXPECT_LT(largest_difference(c.model, iterated(*vbd, c.problem, c.pool, 3), expected), 5e-12)
          << sweep_order_names[kind] << ", " << lanes << " lanes";
    }
  }
}

// Clusters of a phase share nothing, nor do vertices of a colour: backwards is from the last slot to the first.
TEST(SweepOrder, BackwardInClustersIsFromTheLastSlotToTheFirst) {
  Body body = assorted_body(MaterialKind::NeoHookean, MaterialKind::Stvk);
  body.cluster_vertices = 7;
  SweepCase c(body, time_step);
  ASSERT_GT(c.model.clusters.phase_count(), 2);
  const ReferenceVbd reference(c.problem);
  std::vector<Vec3d> expected = c.problem.x_start;
  const auto colors = static_cast<int32_t>(c.model.color_begin.size()) - 1;
  for (int k = 0; k < 3; ++k) reference.sweep(expected, Visits(colors, true));
  const auto vbd = make_vbd({.precision = double_precision}, {.sweep_order = sweep_backward});
  EXPECT_LT(largest_difference(c.model, iterated(*vbd, c.problem, c.pool, 3), expected), 5e-12);
}

TEST(SweepOrder, OfXpbdIsTheDefinition) {
  SweepCase c(assorted_body(MaterialKind::NeoHookean, MaterialKind::Stvk), time_step, 0.05);
  c.problem.x_target = c.problem.x_start;
  c.problem.step = 3;
  for (int kind = 0; kind < 4; ++kind) {
    ReferenceXpbd reference(c.problem);
    std::vector<Vec3d> expected = c.problem.x_start;
    for (int k = 0; k < 3; ++k) reference.sweep(expected, at(kind, 3, k).visits(reference.parts()));
    for (const int lanes : lane_counts()) {
      const auto xpbd = make_xpbd({.precision = double_precision}, {.sweep_order = kind, .lanes = lanes});
      EXPECT_LT(largest_difference(c.model, iterated(*xpbd, c.problem, c.pool, 3), expected), 1e-11)
          << sweep_order_names[kind] << ", " << lanes << " lanes";
    }
  }
}

std::vector<const SolverInfo*> ordered_solvers() {
  std::vector<const SolverInfo*> list;
  for (const SolverInfo& info : solver_list())
    if (find_option(info.options, "sweep_order")) list.push_back(&info);
  return list;
}
// After one iteration and after two, a stretched bar is where the order says: symmetric sweeps begin like forward ones
// and go on otherwise.
TEST(SweepOrder, MattersToEverySolverThatHasIt) {
  EXPECT_GE(ordered_solvers().size(), 9u);
  for (const SolverInfo* info : ordered_solvers()) {
    const TetMesh mesh = box({5, 3, 3}, {0.5, 0.3, 0.3});
    const Body body = body_of(mesh, support::first_treated(*info, mesh), 2000);
    const auto moved = [&](int kind, int iterations) {
      TiedTrial trial(body,
                      {.solver = info->name,
                       .h = info->traits.dynamic ? 0.01 : 0,
                       .iterations = iterations,
                       .options = {{"sweep_order", std::string(sweep_order_names[kind])}}},
                      [](Vec3d x) { return x.x < 1e-12; });
      for (Vec3d& x : trial.state.x) x.x *= 1.1;
      trial.step();
      return trial.positions();
    };
    // The sweeps of an iteration, where there are several, are those of symmetric and forward alike only in the first.
    const bool one_sweep = !find_option(info->options, "sweeps");
    const std::vector<Vec3d> forward = moved(sweep_forward, 1), backward = moved(sweep_backward, 1),
                             random = moved(sweep_random, 1);
    EXPECT_GT(support::distance(forward, backward), 1e-6) << info->name;
    EXPECT_GT(support::distance(forward, random), 1e-6) << info->name;
    EXPECT_GT(support::distance(backward, random), 1e-6) << info->name;
    EXPECT_EQ(support::distance(forward, moved(sweep_symmetric, 1)) == 0, one_sweep) << info->name;
    EXPECT_GT(support::distance(moved(sweep_forward, 2), moved(sweep_symmetric, 2)), 1e-6) << info->name;
  }
}

// Of a quadratic energy with the matrix A, a forward sweep by vertex maps an error u to E u, E = 1 - B^-1 A, and a
// backward one to 1 - B^-T A. One after the other they are self-adjoint in the inner product of A (Saad 2003, section
// 4.1), where two forward sweeps, or random ones, are not.
TEST(SweepOrder, TwoSymmetricSweepsAreSelfAdjoint) {
  int tried = 0;
  for (const SolverInfo* info : ordered_solvers()) {
    // Those whose iteration is a sweep.
    if (!info->traits.by_vertex || !info->traits.accelerates) continue;
    ++tried;
    for (const int32_t most : {0, 7}) {
      Body body = body_of(box({4, 3, 2}, {0.4, 0.3, 0.2}), MaterialKind::LinearElastic);
      body.cluster_vertices = most;
      body.gravity = {};
      SweepCase c(body, 0, 0);  // in equilibrium at rest
      const Objective objective(c.problem, c.pool);
      Random random(3);
      const auto error = [&] {
        std::vector<Vec3d> u(c.model.mass.size());
        for (size_t s = 0; s < u.size(); ++s)
          if (!c.problem.held[s]) u[s] = 0.01 * random.vector();
        return u;
      };
      const auto product = [&](const std::vector<Vec3d>& u, const std::vector<Vec3d>& v) {  // u^T A v
        std::vector<Vec3d> x = c.model.rest, g(x.size());
        for (size_t s = 0; s < x.size(); ++s) x[s] += v[s];
        objective.gradient(x, g);
        double sum = 0;
        for (size_t s = 0; s < x.size(); ++s) sum += dot(u[s], g[s]);
        return sum;
      };
      const auto swept = [&](int kind, const std::vector<Vec3d>& u) {
        auto solver = make_solver(*info, {.precision = double_precision},
                                  {{NamedOption{"sweep_order", std::string(sweep_order_names[kind])}}}, "solver",
                                  [](std::string_view n) { return make_linear_solver(n); });
        EXPECT_TRUE(solver.ok());
        c.problem.x_start = c.model.rest;
        for (size_t s = 0; s < u.size(); ++s) c.problem.x_start[s] += u[s];
        std::vector<Vec3d> left = iterated(**solver, c.problem, c.pool, 2);
        for (size_t s = 0; s < u.size(); ++s) left[s] = left[s] - c.model.rest[s];
        return left;
      };
      const std::vector<Vec3d> u = error(), v = error();
      const double unit = std::sqrt(product(u, u) * product(v, v));
      for (int kind = 0; kind < 4; ++kind) {
        const double asymmetry = std::abs(product(swept(kind, u), v) - product(u, swept(kind, v))) / unit;
        if (kind == sweep_symmetric) {
          EXPECT_LT(asymmetry, 1e-12) << info->name;
        } else {
          EXPECT_GT(asymmetry, 1e-4) << info->name << ' ' << sweep_order_names[kind];
        }
      }
    }
  }
  EXPECT_GE(tried, 2);
}

// A spring of 1e9 N/m that is visited last has its rest length; tets that are visited after it change that. Solvers by
// constraint take ties after the tets, and before them on the way back.
TEST(SweepOrder, BackwardTakesTiesFirst) {
  int tried = 0;
  for (const SolverInfo* info : ordered_solvers()) {
    if (info->traits.by_vertex || !info->traits.ties || !info->traits.dynamic) continue;
    ++tried;
    const TetMesh mesh = box({3, 2, 2}, {0.3, 0.2, 0.2});
    Body body = body_of(mesh, support::first_treated(*info, mesh), 3000);
    const auto last = static_cast<int32_t>(body.mesh.vertices.size()) - 1;
    const double length = 0.9 * size(body.mesh.vertices[last] - body.mesh.vertices[last - 1]);
    body.ties.add_spring(last - 1, last, 1e9, length);
    for (const int kind : {sweep_forward, sweep_backward}) {
      TiedTrial trial(body,
                      {.solver = info->name,
                       .h = 0.01,
                       .iterations = 1,
                       .options = {{"sweep_order", std::string(sweep_order_names[kind])}}},
                      [](Vec3d x) { return x.x < 1e-12; });
      for (Vec3d& x : trial.state.x) x.x *= 1.1;
      trial.step();
      if (kind == sweep_forward) {
        EXPECT_LT(std::abs(trial.extension()), 1e-5) << info->name;
      } else {
        EXPECT_GT(std::abs(trial.extension()), 1e-3) << info->name;
      }
    }
  }
  EXPECT_GE(tried, 5);
}

}  // namespace
}  // namespace sinew
