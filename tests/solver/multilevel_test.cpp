// Source: Newton's solution at convergence; VBD (Chen et al. 2024), whose sweeps are corrected; to 1e-8 in double
// precision and to 1e-4 of the size in single; bit-identical for any number of threads.
#include "solver/multilevel/multilevel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "solver/multilevel/bodies.h"
#include "solver/multilevel_case.h"
#include "solver/sweep_case.h"
#include "solver/sweep_solver.h"
#include "support/tied.h"
#include "support/trial.h"

namespace sinew {
namespace {

using support::bound_boxes;
using support::chain;
using support::distance;
using support::every_material;
using support::Method;
using support::muscle;
using support::on_left;
using support::plane_body_of;
using support::plane_muscle;
using support::rectangle;
using support::size;
using support::spring_grid;
using support::together;
using support::Trial;

class MultilevelOf : public testing::TestWithParam<MaterialKind> {};
INSTANTIATE_TEST_SUITE_P(All, MultilevelOf, testing::ValuesIn(every_material()),
                         [](const auto& test) { return std::string(traits_of(test.param).name); });

// In a step from a stretched state, and in the equilibrium under its weight, which bends it by a fifth of its length.
TEST_P(MultilevelOf, EndsLikeNewton) {
  const Body body = body_of(box({12, 6, 6}, {1, 0.5, 0.5}), GetParam(), 3000);
  expect_newton(body, {.start = stretched}, traits_of(GetParam()).name);
  expect_newton(body, {.h = 0}, traits_of(GetParam()).name);
}

// For every kind of tie in a cell: springs and weak constraints between bodies, within one, and without elements.
TEST(Multilevel, EndsLikeNewtonWithTies) {
  const auto on_top = [](Vec3d r) { return r.y > 1 - 1e-12; };
  const auto at_origin = [](Vec3d r) { return size(r) == 0; };
  for (const double h : {0.0, 0.02}) {
    expect_newton(bound_boxes(4, 0.05, weak_constraint_law(200)), {.h = h, .held = on_top}, "weak constraints");
    expect_newton(bound_boxes(4, 0.05, weak_constraint_law(2e4, 50, {0.6, 0.8, 0})),
                  {.h = h, .held = on_top, .iterations = 400}, "weak constraints along a normal");
    // Far apart within one body, close within one, and springs from it to another.
    Body body = body_of(box({8, 4, 4}, {1, 0.5, 0.5}), MaterialKind::NeoHookean, 3000);
    const auto at = [](int i, int j, int k) { return i + 9 * (j + 5 * k); };
    body.ties.add(weak_constraint_law(100), std::array{at(8, 0, 0), at(1, 0, 4)}, std::array{1.0, -1.0});
    body.ties.add(weak_constraint_law(500, 10, {1, 0, 0}), std::array{at(4, 2, 2), at(5, 2, 2)}, std::array{1.0, -1.0});
    TetMesh other = box({3, 3, 3}, {0.5, 0.5, 0.5});
    for (Vec3d& v : other.vertices) v += Vec3d{1.2, 0, 0};
    const auto first = static_cast<int32_t>(body.mesh.vertices.size());
    body.mesh = together(std::move(body.mesh), other);
    for (const int k : {0, 4}) {
      for (const int j : {0, 4}) body.ties.add_spring(at(8, j, k), first + (j ? 12 : 0) + (k ? 48 : 0), 300, 0.2);
    }
    expect_newton(body, {.h = h}, "springs and constraints within and between");
    // Springs only: at rest nothing holds them across, so they hang from the start.
    Body hanging = chain(24, 0.1, 2e3, 0.1);
    for (Vec3d& v : hanging.mesh.vertices) v = {0, -v.x, 0};
    expect_newton(hanging, {.h = h, .held = at_origin}, "chain");
  }
  expect_newton(spring_grid(12, 100), {.h = 0.02, .held = on_top}, "grid of springs");
}

TEST(Multilevel, EndsLikeNewtonWithFibres) {
  const Activation half{{0}, {0.6}};
  for (const double h : {0.0, 0.02}) {
    expect_newton(muscle(half, {8, 4, 4}), {.h = h}, "fibres");
    expect_newton(plane_muscle(half, {12, 6}), {.h = h}, "fibres in the plane");
  }
}

TEST(Multilevel, EndsLikeNewtonWithStiffnessFactors) {
  Body body = body_of(box({12, 6, 6}, {1, 0.5, 0.5}), MaterialKind::NeoHookean, 3000);
  Random random(1);
  for (size_t e = 0; e < body.mesh.tets.size(); ++e)
    body.stiffness_factor.push_back(std::pow(10, random.between(-2, 2)));
  expect_newton(body, {.start = stretched}, "factors at random");
  expect_newton(body, {.h = 0}, "factors at random");
  for (size_t e = 0; e < body.mesh.tets.size(); ++e)
    body.stiffness_factor[e] = body.mesh.vertices[body.mesh.tets[e][0]].x < 0.5 ? 1 : 1e4;
  // The rounding of forces is that of the hard half.
  expect_newton(body, {.start = stretched, .newton_tolerance = 1e-7, .tolerance = 1e-7, .iterations = 400},
                "soft and hard halves");
  expect_newton(body, {.h = 0, .newton_tolerance = 1e-7, .tolerance = 1e-7, .iterations = 400}, "soft and hard halves");
}

// With 0.1 s damping is six times as stiff as the body. Damping by own blocks has no energy: no correction has the
// promised length, and the iterations are not mixed.
TEST(Multilevel, EndsLikeNewtonDamped) {
  for (const DampingForm form : {DampingForm::strain_rate, DampingForm::own_block}) {
    for (const double damping : {0.002, 0.1}) {
      Body body = body_of(box({12, 6, 6}, {1, 0.5, 0.5}), MaterialKind::NeoHookean, 1e4);
      body.blocks[0].damping = damping;
      body.damping_form = form;
      expect_newton(body, {.start = stretched}, form == DampingForm::strain_rate ? "damped" : "damped by own block",
                    1e-5);
    }
  }
}

TEST(Multilevel, EndsLikeNewtonInPlaneStrain) {
  for (const MaterialKind material : every_material()) {
    const Body body = plane_body_of(rectangle({16, 8}, {1, 0.5}), material, 3000);
    expect_newton(body, {.start = stretched}, "plane");
    expect_newton(body, {.h = 0}, "plane");
  }
}

TEST(Multilevel, EndsLikeNewtonWithWhateverOptions) {
  const Body body = body_of(box({12, 6, 6}, {1, 0.5, 0.5}), MaterialKind::NeoHookean, 3000);
  std::map<std::string, MultilevelOptions> list{{"stiffer blocks", {.blocks = blocks_stiffer}},
                                                {"one sweep", {.sweeps = 1}},
                                                {"one cycle", {.cycles = 1}},
                                                {"fine", {.spacing = 2}},
                                                {"coarse", {.spacing = 8}},
                                                {"one cube", {.spacing = 100}},
                                                {"no mixing", {.mix = false}},
                                                {"no over-relaxation", {.omega = 1}},
                                                {"all at once", {.order = sweeps_jacobi}}};
  for (auto& [name, options] : list) {
    options.corrections = corrections_always;
    expect_newton(body, {.start = stretched, .options = options}, name);
    expect_newton(body, {.h = 0, .options = options}, name);
  }
}

// Held where the last step was not, and free where it was held.
TEST(Multilevel, PinsMayComeAndGo) {
  const Model model = body_of(box({12, 6, 6}, {1, 0.5, 0.5}), MaterialKind::NeoHookean, 3000).compile();
  ThreadPool pool(1);
  const std::function<bool(Vec3d)> pins[] = {on_left, [](Vec3d r) { return r.x < 0.2 || r.x > 0.8; },
                                             [](Vec3d r) { return r.y > 0.49; }, [](Vec3d r) { return r.x > 0.9; }};
  for (const double h : {0.0, frame}) {
    StepProblem problem = support::problem_of(model, model.rest, h);
    SolveOptions solve{.precision = double_precision};
    const std::unique_ptr<Solver> tested = make_multilevel(solve, always),
                                  reference = make_newton(solve, {}, make_linear_solver);
    for (Solver* s : {tested.get(), reference.get()}) s->prepare(model, pool);
    for (const auto& pin : pins) {
      for (size_t s = 0; s < model.mass.size(); ++s) problem.held[s] = model.mass[s] == 0 || pin(model.rest[s]);
      const Objective objective(problem, pool);
      std::vector<Vec3d> found(model.rest.size()), expected = found;
      tested->begin_step(objective);
      reference->begin_step(objective);
      for (int k = 0; k < 60; ++k) tested->iterate();
      for (int k = 0; k < 60 && !reference->stalled(); ++k) reference->iterate();
      tested->positions(found);
      reference->positions(expected);
      EXPECT_GT(distance(expected, model.rest), 1e-4);
      EXPECT_LT(distance(found, expected), 1e-8) << h;
    }
  }
}

// By a script, over time.
TEST(Multilevel, ReleasesWhatScriptsRelease) {
  const Body body = body_of(box({12, 6, 6}, {1, 0.5, 0.5}), MaterialKind::NeoHookean, 3e4);
  Trial run(body, multilevel(frame, 60, 0, always)), reference(body, newton(frame, 1e-10));
  for (Trial* t : {&run, &reference}) {
    t->hold(on_left);
    t->hold([](Vec3d r) { return r.x > 1 - 1e-12; },
            [](PinScript& pin) {
              pin.keys = {{0, {}, 0, {1, 1, 1}}, {3 * frame, {0.2, 0.1, 0}, 0, {1, 1, 1}}};
              pin.release = 3.5 * frame;
            });
  }
  for (int step = 1; step <= 6; ++step) {
    run.step();
    reference.step();
    EXPECT_LT(distance(run.positions(), reference.positions()), 1e-8) << step;
  }
}

TEST(Multilevel, SinglePrecisionEndsNearby) {
  for (const MaterialKind material : every_material()) {
    for (const double modulus : {3e3, 1e6}) {
      const Body body = body_of(box({12, 6, 6}, {1, 0.5, 0.5}), material, modulus);
      for (const double h : {0.0, frame}) {
        const Way way{.h = h, .start = h > 0 ? stretched : as_it_is};
        Trial reference(body, newton(h, 1e-8)), run(body, multilevel(h, 60, 0, always));
        run.method.solve.precision = single_precision;
        put(reference, way);
        put(run, way);
        const std::vector<Vec3d> before = reference.positions();
        reference.step();
        run.step();
        const double bends = distance(reference.positions(), before);
        EXPECT_LT(distance(run.positions(), reference.positions()), std::fmin(1e-4, 0.01 * bends))
            << traits_of(material).name << modulus << ' ' << h;
      }
    }
  }
}

// Above the sizes from which threads share sweeps and cycles; also in clusters.
TEST(MultilevelSameBits, ForAnyNumberOfThreads) {
  Body body = body_of(box({17, 17, 17}), MaterialKind::NeoHookean, 1e5);
  for (const int32_t cluster_vertices : {0, 700}) {
    body.cluster_vertices = cluster_vertices;
    for (const double h : {0.0, frame}) {
      uint64_t expected = 0;
      for (const int threads : {1, 2, 7}) {
        Method m = multilevel(h, 4, 0, {.spacing = 1.6});
        m.solve.precision = single_precision;
        m.threads = threads;
        Trial run(body, m);
        ASSERT_GE(run.model.slot_count(), 16 * least_shared);
        put(run, {.start = stretched});
        for (int step = 0; step < 2; ++step) EXPECT_GT(run.step().corrections.nodes, 1500);
        if (threads == 1) expected = run.hash();
        EXPECT_EQ(run.hash(), expected) << threads << " threads, h " << h;
      }
    }
  }
}

// A step passes nothing to the next one but the state: a run that continues from a copy of it is the same.
TEST(MultilevelSameBits, WhereARunGoesOn) {
  const Body body = body_of(box({8, 5, 5}, {1, 0.6, 0.6}), MaterialKind::FixedCorotated, 1e5);
  const auto run_of = [&](double h, int precision) {
    Method m = multilevel(h, 5);
    m.solve.precision = precision;
    auto run = std::make_unique<Trial>(body, m);
    run->hold(on_left, [](PinScript& pin) {
      pin.keys = {{0, {}, 0, {1, 1, 1}}, {4, {0.1, 0, 0}, 1, {1, 1, 1}}};
      pin.release = 2.5 * frame;
    });
    return run;
  };
  for (const double h : {0.0, frame}) {
    for (const int precision : {single_precision, double_precision}) {
      auto whole = run_of(h, precision), first = run_of(h, precision), second = run_of(h, precision);
      for (int step = 0; step < 4; ++step) EXPECT_GT(whole->step().corrections.nodes, 0);
      for (int step = 0; step < 2; ++step) first->step();
      second->state = first->state;
      for (int step = 0; step < 2; ++step) second->step();
      EXPECT_EQ(second->hash(), whole->hash()) << h << ' ' << precision_names[precision];
    }
  }
}

// Every width computes the same up to rounding, as fused operations differ.
TEST(Multilevel, EveryLaneWidthDoesTheSame) {
  const Body body = body_of(box({12, 6, 6}, {1, 0.5, 0.5}), MaterialKind::NeoHookean, 1e5);
  for (const double h : {0.0, frame}) {
    for (const int precision : {single_precision, double_precision}) {
      std::vector<Vec3d> scalar;
      for (const int lanes : lane_counts()) {
        Method m = multilevel(h, 5, 0, {.corrections = corrections_always, .lanes = lanes});
        m.solve.precision = precision;
        Trial run(body, m);
        put(run, {.start = h > 0 ? stretched : as_it_is});
        run.step();
        if (lanes == 1) scalar = run.positions();
        // The lattice computes in floats; the first corrections are a tenth of the body, later ones smaller.
        EXPECT_LE(distance(run.positions(), scalar), lane_error(precision, precision == single_precision ? 10 : 1e8))
            << lanes << " lanes, h " << h;
      }
    }
  }
}

// (2 mu + lambda) h^2 / (rho l^2), for each body.
TEST(Multilevel, CorrectsBodiesThatAreStiffForTheirStep) {
  const auto at = [](Vec3d move, double length) {
    TetMesh mesh = box({6, 6, 6}, {length, length, length});
    for (Vec3d& v : mesh.vertices) v += move;
    return mesh;
  };
  const auto steps = [](const Body& body, double h, const MultilevelOptions& options) {
    Trial run(body, multilevel(h, 5, 0, options));
    run.hold(on_left);
    return run.step().corrections;
  };
  constexpr double spacing = 2;
  const MultilevelOptions automatic{.spacing = spacing};
  const double l = 1 / 7.0;  // for a unit cube of 7^3 vertices
  const Lame lame = lame_from(1, 0.3);
  // For kappa 1 and 30, with a step of 1/60 s and 10 kg/m^3.
  const auto modulus = [&](double kappa) { return kappa * 10 * l * l / (frame * frame) / (2 * lame.mu + lame.lambda); };
  const Body soft = body_of(at({}, 1), MaterialKind::NeoHookean, modulus(1)),
             hard = body_of(at({}, 1), MaterialKind::NeoHookean, modulus(30));
  const Bodies bodies = bodies_of(hard.compile());
  ASSERT_EQ(bodies.count(), 1);
  EXPECT_NEAR(bodies.sizes[0].stiffness_over_inertia(frame), 30, 1e-9);
  EXPECT_NEAR(bodies.sizes[0].distance, l, 1e-12);

  const CorrectionCounts none = steps(soft, frame, automatic), some = steps(hard, frame, automatic);
  EXPECT_EQ(none.nodes + none.matrices + none.lengths, 0);
  EXPECT_GT(some.nodes, 50);
  EXPECT_GE(some.matrices, 1);
  EXPECT_GT(steps(soft, 10 * frame, automatic).nodes, 0) << "for a longer step";
  EXPECT_EQ(steps(hard, frame / 10, automatic).nodes, 0) << "for a shorter one";
  EXPECT_EQ(steps(soft, 0, automatic).nodes, some.nodes) << "in equilibrium";
  MultilevelOptions all = always;
  all.spacing = spacing;
  EXPECT_EQ(steps(soft, frame, all).nodes, some.nodes);
  // Of two bodies, only the hard one has a lattice, the same as alone.
  Body both = hard;
  both.mesh = together(both.mesh, at({2, 0, 0}, 1));
  both.blocks.push_back(soft.blocks[0]);
  both.density.push_back(10);
  for (size_t e = 0; e < both.mesh.tets.size(); ++e) both.block_of_tet.push_back(e >= hard.mesh.tets.size());
  EXPECT_EQ(steps(both, frame, automatic).nodes, some.nodes);
  EXPECT_EQ(steps(both, frame, all).nodes, 2 * some.nodes);
}

// Also bodies that become stiff by a longer step or in an equilibrium.
TEST(Multilevel, ChoosesAnewInEachStep) {
  const Model model = body_of(box({6, 6, 6}), MaterialKind::NeoHookean, 1000).compile();
  ThreadPool pool(1);
  const auto solver = make_multilevel({.precision = double_precision}, {});
  solver->prepare(model, pool);
  int64_t nodes = 0;
  for (const double h : {1e-3, 0.1, 1e-3, 0.0}) {
    const StepProblem problem = problem_of(model, model.rest, h);
    const Objective objective(problem, pool);
    solver->begin_step(objective);
    solver->iterate();
    const CorrectionCounts counts = solver->corrections();
    EXPECT_EQ(counts.nodes > 0, h != 1e-3) << h;
    EXPECT_EQ(counts.matrices > 0, h != 1e-3) << h;
    if (h == 0.1) nodes = counts.nodes;
    if (h == 0) {
      EXPECT_EQ(counts.nodes, nodes);
    }
  }
}

// Counts the matrices and the changed lengths of corrections in each step.
TEST(Multilevel, CountsWhatItDoes) {
  const Body body = body_of(box({12, 6, 6}, {1, 0.5, 0.5}), MaterialKind::NeoHookean, 1000);
  Trial run(body, multilevel(0, 1, 0, always));
  run.hold(on_left);
  const CorrectionCounts first = run.step().corrections;
  EXPECT_EQ(first.matrices, 1);
  Trial more(body, multilevel(0, 60, 0, always));
  more.hold(on_left);
  const CorrectionCounts all = more.step().corrections;  // it bends by its own length
  EXPECT_GT(all.matrices, 3);
  EXPECT_LE(all.lengths, all.matrices);
  EXPECT_EQ(all.nodes, first.nodes);
}

// A body that is held entirely does not move.
TEST(Multilevel, LeavesWhatIsHeld) {
  const Body body = body_of(box({6, 3, 3}, {1, 0.5, 0.5}), MaterialKind::NeoHookean, 1e5);
  for (const double h : {frame, 0.0}) {
    for (const int precision : {single_precision, double_precision}) {
      Method m = multilevel(h, 5, 0, always);
      m.solve.precision = precision;
      Trial run(body, m);
      run.hold([](Vec3d) { return true; });
      run.step();
      EXPECT_EQ(distance(run.positions(), body.mesh.vertices), 0);
    }
  }
}

// An undeformed body that nothing holds falls by g h^2 n (n + 1) / 2 in n steps. In floats the forces of a stiff body
// do not quite sum to 0, and corrections would move it accordingly: by 2 mm in 30 steps, for 1e7 Pa and 10 kg/m^3.
TEST(Multilevel, FallsFreely) {
  for (const int precision : {double_precision, single_precision}) {
    for (const double modulus : {1e3, 1e7}) {
      const Body body = body_of(box({6, 6, 6}), MaterialKind::NeoHookean, modulus);
      Method m = multilevel(frame, 5, 0, always);
      m.solve.precision = precision;
      Trial run(body, m);
      for (int step = 0; step < 30; ++step) run.step();
      const double expected = 9.8 * frame * frame * 30 * 31 / 2;
      double error = 0;
      for (size_t v = 0; v < body.mesh.vertices.size(); ++v)
        error = std::fmax(error, size(run.positions()[v] - body.mesh.vertices[v] + Vec3d{0, expected, 0}));
      EXPECT_LT(error, precision == double_precision ? 5e-11 : 5e-6) << modulus;
    }
  }
}

// A stiff body released stretched, sheared and spinning: a hundredth of the residual hides far more than the momentum
// of the whole body, and 30 steps accumulate it, to 0.1 m if nothing preserved the momentum.
TEST(Multilevel, StiffBodiesKeepTheirMomentum) {
  const Body body = body_of(box({8, 4, 4}, {1, 0.5, 0.5}), MaterialKind::NeoHookean, 1e8);
  Method exact = newton(frame, 1e-7), quick = multilevel(frame, 100);
  quick.solve.relative_tolerance = 0.01;
  quick.solve.check_every = 1;
  for (const int precision : {double_precision, single_precision}) {
    quick.solve.precision = precision;
    Trial reference(body, exact), run(body, quick);
    for (Trial* t : {&reference, &run}) {
      for (size_t s = 0; s < t->state.x.size(); ++s) {
        Vec3d& x = t->state.x[s];
        x = {1.05 * x.x, x.y + 0.02 * x.x, x.z};
        t->state.v[s] = {1, 2 * x.z, -2 * x.y};
      }
      for (int step = 0; step < 30; ++step) t->step();
    }
    EXPECT_LT(distance(run.positions(), reference.positions()), 1e-4) << precision;
  }
}

// With over-relaxation, compressed StVK and contracting fibres would diverge or stop.
TEST(Multilevel, EndsLikeNewtonWhereOverRelaxationFails) {
  const auto squeezed = [](Vec3d x) { return Vec3d{0.7 * x.x, x.y, x.z}; };
  expect_newton(body_of(box({12, 4, 4}, {1, 0.3, 0.3}), MaterialKind::Stvk, 1e5),
                {.start = squeezed, .tolerance = 1e-8}, "StVK");
  const Activation full{{0}, {1}};
  Body strong = muscle(full, {8, 4, 4});
  strong.blocks[0].material = elastic_material(strong.blocks[0].material.kind, lame_from(100, 0.3));
  expect_newton(strong, {.iterations = 200}, "strong fibres");
}

// In floats the rounding of the hard body's forces exceeds the soft one's weight.
TEST(Multilevel, SoftBodiesSagBesideHardOnes) {
  Body body = body_of(box({10, 2, 2}, {1, 0.2, 0.2}), MaterialKind::NeoHookean, 1e4);
  TetMesh hard = body.mesh;
  for (Vec3d& v : hard.vertices) v.y += 1;
  const size_t soft_tets = body.mesh.tets.size();
  body.mesh = together(std::move(body.mesh), hard);
  body.block_of_tet.assign(body.mesh.tets.size(), 1);
  std::fill_n(body.block_of_tet.begin(), soft_tets, 0);
  body.blocks.push_back({.material = elastic_material(MaterialKind::NeoHookean, lame_from(1e10, 0.3))});
  body.density = {1000, 1000};
  Method m = multilevel(0, 100, 0, {});
  m.solve.relative_tolerance = 0.01;
  m.solve.precision = single_precision;
  Trial run(body, m), reference(body, newton(0, 1e-4));
  for (Trial* t : {&run, &reference}) {
    t->hold(on_left);
    t->step();
  }
  EXPECT_GT(distance(reference.positions(), body.mesh.vertices), 0.1);
  EXPECT_LT(distance(run.positions(), reference.positions()), 0.01);
}

// Soft bodies are swept without corrections, and end in the same place.
TEST(Multilevel, EndsLikeNewtonWithoutCorrections) {
  const Body body = body_of(box({12, 6, 6}, {1, 0.5, 0.5}), MaterialKind::NeoHookean, 300);
  Trial run(body, multilevel(frame, 60)), reference(body, newton(frame, 1e-10));
  for (Trial* t : {&run, &reference}) put(*t, {.start = stretched});
  reference.step();
  EXPECT_EQ(run.step().corrections.nodes, 0);
  EXPECT_LT(distance(run.positions(), reference.positions()), 1e-8);
}

}  // namespace
}  // namespace sinew
