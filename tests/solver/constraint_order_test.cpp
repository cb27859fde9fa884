// Source: docs/theory.md, XPBD (Jacobi with one factor for positions and multipliers; Gauss-Seidel over groups, Jacobi
// within), written out in reference_sweeps.h; bit-identical for any number of threads.
#include "solver/by_constraint/constraint_order.h"

#include <gtest/gtest.h>

#include "solver/by_constraint/xpbd.h"
#include "solver/reference_sweeps.h"
#include "solver/sweep_case.h"
#include "solver/sweep_solver.h"
#include "support/trial.h"

namespace sinew {
namespace {

using support::Method;
using support::on_left;
using support::Trial;
using support::xpbd_materials;

// A case with a shaken target.
struct ShakenCase : SweepCase {
  explicit ShakenCase(const Body& b) : SweepCase(b, time_step, 0.05) { problem.x_target = problem.x_start; }
};

TEST(ConstraintOrder, IsTheDefinition) {
  for (const MaterialKind material : xpbd_materials()) {
    Body body = assorted_body(material, MaterialKind::FixedCorotated);
    Random random(5);
    support::vary_stiffness(body, random);
    ShakenCase c(body);
    for (const int groups : {1, 4}) {
      ReferenceXpbd reference(c.problem);
      std::vector<Vec3d> expected = c.problem.x_start;
      const int32_t colors = reference.coloring().count;
      for (int k = 0; k < 20; ++k) {
        for (int32_t g = 0; g < groups; ++g)
          reference.sweep_at_once(expected, colors * g / groups, colors * (g + 1) / groups, 0.1);
      }
      const int order = groups == 1 ? order_jacobi : order_cliques;
      for (const int precision : {double_precision, single_precision}) {
        for (const int lanes : lane_counts()) {
          const auto xpbd = make_xpbd({.precision = precision},
                                      {.order = order, .groups = groups, .jacobi_scale = 0.1, .lanes = lanes});
          const std::vector<Vec3d> x = iterated(*xpbd, c.problem, c.pool, 20);
          EXPECT_LT(largest_difference(c.model, x, expected), precision == double_precision ? 1e-11 : 1e-4)
              << groups << " groups, " << lanes << " lanes, " << precision_names[precision];
        }
      }
    }
  }
}

// One group is Jacobi; as many groups as colours, or more, are the colours, up to the rounding of sums.
TEST(ConstraintOrder, OfCliquesEndsAtTheOthers) {
  ShakenCase c(body_of(box({4, 3, 2}, {2, 1.5, 1})));
  const auto run = [&](int order, int groups) {
    const auto xpbd = make_xpbd({.precision = double_precision}, {.order = order, .groups = groups});
    return iterated(*xpbd, c.problem, c.pool, 10);
  };
  const std::vector<Vec3d> colors = run(order_colors, 8), jacobi = run(order_jacobi, 8);
  EXPECT_EQ(largest_difference(c.model, run(order_cliques, 1), jacobi), 0);
  EXPECT_LT(largest_difference(c.model, run(order_cliques, 1000), colors), 1e-13);
  EXPECT_GT(largest_difference(c.model, colors, jacobi), 1e-3);
  EXPECT_GT(largest_difference(c.model, colors, run(order_cliques, 8)), 1e-4);
}

// The assorted body has a vertex with 64 tets.
TEST(ConstraintOrder, TakesTwoOverTheMostTetsAtAVertex) {
  ShakenCase c(assorted_body(MaterialKind::Stvk, MaterialKind::NeoHookean));
  const auto run = [&](double scale) {
    const auto xpbd = make_xpbd({.precision = double_precision}, {.order = order_jacobi, .jacobi_scale = scale});
    return iterated(*xpbd, c.problem, c.pool, 5);
  };
  EXPECT_EQ(largest_difference(c.model, run(0), run(2.0 / 64)), 0);
  EXPECT_GT(largest_difference(c.model, run(0), run(2.0 / 63)), 0);
}

// In an element that is stiff relative to its inertia, here by a factor of 200, tets at a vertex work against each
// other: 2/n still converges, but twice that, which suits softer bars, does not.
// Triangles too, which have no fourth corner to be counted.
TEST(ConstraintOrder, TakesTwoOverTheMostTrianglesAtAVertex) {
  ShakenCase c(support::plane_body_of(support::rectangle({6, 4}, {3, 2})));
  std::vector<int> triangles(c.body.mesh.vertices.size(), 0);
  int most = 0;
  for (const Tet& t : c.body.mesh.tets)
    for (int j = 0; j < 3; ++j) most = std::max(most, ++triangles[static_cast<size_t>(t[j])]);
  const auto run = [&](double scale) {
    const auto xpbd =
        make_xpbd({.precision = double_precision}, {.order = order_jacobi, .jacobi_scale = scale, .lanes = 1});
    return iterated(*xpbd, c.problem, c.pool, 5);
  };
  EXPECT_EQ(largest_difference(c.model, run(0), run(2.0 / most)), 0);
}

TEST(ConstraintOrder, DoesNotDivergeInStiffBodies) {
  Method m{.h = 1 / 60.0};
  m.solve = {.iterations = 300, .precision = double_precision};
  const auto left = [&](double scale) {
    m.make = [scale](const SolveOptions& common) {
      return make_xpbd(common, {.order = order_jacobi, .jacobi_scale = scale});
    };
    Trial trial(body_of(box({12, 4, 4}, {0.6, 0.2, 0.2}), MaterialKind::Stvk, 2e4), m);
    trial.hold(on_left);
    trial.step();
    return trial.stepper->solver().constraint_residuals()->secondary;
  };
  EXPECT_LT(left(0), 0.1);
  EXPECT_GT(left(4.0 / 32), 1);
}

// C + a l = 0 in every order; the more tets at once, the more iterations are needed.
TEST(ConstraintOrder, EveryOrderSolvesTheConstraintsTheFewerAtOnceTheFaster) {
  for (const MaterialKind material : xpbd_materials()) {
    const Body body = body_of(box({6, 3, 3}, {0.6, 0.3, 0.3}), material, 2e3);
    double left[3], end[3];  // after 60 iterations, and after many
    for (const int order : {order_colors, order_cliques, order_jacobi}) {
      Method m{.make = [order](const SolveOptions& common) { return make_xpbd(common, {.order = order}); }};
      for (const int iterations : {60, 6000}) {
        m.solve.iterations = iterations;
        Trial trial(body, m);
        trial.hold(on_left);
        for (Vec3d& p : trial.state.x) p.x *= 1.1;
        trial.step();
        (iterations == 60 ? left : end)[order] = trial.stepper->solver().constraint_residuals()->secondary;
      }
      EXPECT_LT(end[order], 1e-10) << constraint_order_names[order] << " " << traits_of(material).name;
    }
    EXPECT_LT(left[order_colors], left[order_cliques]);
    EXPECT_LT(left[order_cliques], left[order_jacobi]);
  }
}

TEST(ConstraintOrderSameBits, ForAnyNumberOfThreads) {
  for (const int order : {order_cliques, order_jacobi}) {
    for (const int precision : {double_precision, single_precision}) {
      uint64_t expected = 0;
      for (const int threads : {1, 2, 4}) {
        Method m{.threads = threads,
                 .make = [order](const SolveOptions& common) { return make_xpbd(common, {.order = order}); }};
        m.solve = {.iterations = 12, .precision = precision};
        Trial trial(body_of(box({24, 13, 13}, {1, 0.55, 0.55}), MaterialKind::Stvk), m);
        ASSERT_GE(trial.model.slot_count(), 16 * least_shared);
        trial.hold(on_left);
        trial.step();
        if (threads == 1) expected = trial.hash();
        EXPECT_EQ(trial.hash(), expected) << threads << " threads, " << constraint_order_names[order];
      }
    }
  }
}

}  // namespace
}  // namespace sinew
