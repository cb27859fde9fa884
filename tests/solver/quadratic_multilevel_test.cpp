// Source: Newton's solution of quadratic tets at convergence, with and without multipliers, to 1e-8 in double
// precision; the design's counts of iterations for statics (energy error 1e-3 of the first in its norm); bit-identical
// for any number of threads and where a run goes on.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "mesh/middles.h"
#include "solver/by_vertex/vbd.h"
#include "solver/multilevel/bodies.h"
#include "solver/multilevel_case.h"
#include "solver/sweep_case.h"
#include "solver/sweep_solver.h"

namespace sinew {
namespace {

using support::body_of;
using support::box;

Body quadratic(TetMesh mesh, double youngs_modulus, double poisson_ratio,
               MaterialKind material = MaterialKind::NeoHookean) {
  add_middles(mesh);
  return body_of(std::move(mesh), material, youngs_modulus, poisson_ratio);
}
constexpr MultilevelOptions without_multipliers{.corrections = corrections_always, .multipliers = false};

TEST(QuadraticMultilevel, EndsLikeNewton) {
  for (const double ratio : {0.3, 0.49}) {
    const Body body = quadratic(box({6, 3, 3}, {1, 0.5, 0.5}), 3000, ratio);
    for (const MultilevelOptions& options : {always, without_multipliers}) {
      const std::string what = std::to_string(ratio) + (options.multipliers ? ", with" : ", without");
      expect_newton(body, {.start = stretched, .iterations = 300, .options = options}, what);
      expect_newton(body, {.h = 0, .iterations = 300, .options = options}, what + ", equilibrium");
    }
  }
}

TEST(QuadraticMultilevel, EndsLikeNewtonWithEveryMaterial) {
  for (const MaterialKind material : support::every_material()) {
    const Body body = quadratic(box({4, 2, 2}, {1, 0.5, 0.5}), 3000, 0.45, material);
    expect_newton(body, {.start = stretched, .iterations = 300}, traits_of(material).name);
  }
}

TEST(QuadraticMultilevel, EndsLikeNewtonWithWhateverOptions) {
  Body body = quadratic(box({6, 3, 3}, {1, 0.5, 0.5}), 3000, 0.45);
  const std::pair<std::string, MultilevelOptions> list[] = {{"stiffer blocks", {.blocks = blocks_stiffer}},
                                                            {"one sweep", {.sweeps = 1}},
                                                            {"fine", {.spacing = 2}},
                                                            {"one cube", {.spacing = 100}},
                                                            {"no mixing", {.mix = false}},
                                                            {"no over-relaxation", {.omega = 1}},
                                                            {"all at once", {.order = sweeps_jacobi}}};
  for (auto [name, options] : list) {
    options.corrections = corrections_always;
    expect_newton(body, {.start = stretched, .iterations = 400, .options = options}, name);
  }
  Random random(1);
  support::vary_stiffness(body, random);
  expect_newton(body, {.start = stretched, .iterations = 300}, "stiffness factors");
  for (const DampingForm form : {DampingForm::strain_rate, DampingForm::own_block}) {
    body.blocks[0].damping = 0.01;
    body.damping_form = form;
    expect_newton(body, {.start = stretched, .iterations = 300}, "damped", 1e-5);
  }
}

// A body of both elements, with weak constraints between.
TEST(QuadraticMultilevel, EndsLikeNewtonBesideLinearTets) {
  TetMesh left = box({4, 3, 3}, {0.7, 0.5, 0.5}), right = left;
  const auto first = static_cast<int32_t>(left.vertices.size());
  for (Vec3d& x : right.vertices) x.x += 0.75;
  const auto tets = left.tets.size();
  Body body = quadratic(support::together(std::move(left), right), 3000, 0.45);
  body.blocks.push_back(body.blocks[0]);
  body.density.push_back(10);
  for (size_t e = 0; e < body.mesh.tets.size(); ++e) {
    body.block_of_tet.push_back(e >= tets);
    if (e >= tets) body.mesh.middles[e].fill(no_middle);
  }
  // Middles of the right half have no tets left.
  std::vector<uint8_t> used(body.mesh.vertices.size(), 0);
  for (const Tet& t : body.mesh.tets)
    for (const int32_t v : t) used[static_cast<size_t>(v)] = 1;
  for (const Middles& m : body.mesh.middles)
    for (const int32_t v : m)
      if (v != no_middle) used[static_cast<size_t>(v)] = 1;
  for (int32_t v = 0; v < first; ++v) {
    if (body.mesh.vertices[static_cast<size_t>(v)].x < 0.7 - 1e-9) continue;
    body.ties.add(weak_constraint_law(200), std::array{v, first + v - 4}, std::array{1.0, -1.0});
  }
  for (const double h : {frame, 0.0}) expect_newton(body, {.h = h, .iterations = 300}, "beside linear tets");
}

// Iterations until the energy is within 1e-6 of its whole decrease, and so the error within 1e-3 in the energy's norm.
int iterations_to_end(const Body& body, std::unique_ptr<Solver> tested, int most) {
  const Model model = body.compile();
  ThreadPool pool(1);
  StepProblem problem = support::problem_of(model, model.rest, 0);
  for (size_t s = 0; s < model.mass.size(); ++s) problem.held[s] = model.mass[s] == 0 || on_left(model.rest[s]);
  const Objective objective(problem, pool);
  const SolveOptions solve{.precision = double_precision};
  const auto newton = make_newton(solve, {}, make_linear_solver);
  std::vector<Vec3d> x(model.rest.size());
  for (Solver* s : {newton.get(), tested.get()}) {
    s->prepare(model, pool);
    s->begin_step(objective);
  }
  for (int k = 0; k < 30 && !newton->stalled(); ++k) newton->iterate();
  newton->positions(x);
  const double last = objective.evaluate(x).energy, first = objective.evaluate(model.rest).energy;
  EXPECT_LT(last, first);
  for (int k = 1; k <= most; ++k) {
    tested->iterate();
    tested->positions(x);
    if (objective.evaluate(x).energy - last < 1e-6 * (first - last)) return k;
  }
  return most + 1;
}
int iterations_to_end(const Body& body, const MultilevelOptions& options) {
  return iterations_to_end(body, make_multilevel({.precision = double_precision}, options), 200);
}

// A clamped cube of two cells in equilibrium.
TEST(Quadratic, TakesHundredsOfSweepsAloneAndFewMoreNearAHalf) {
  for (const auto& [ratio, most] : {std::pair{0.3, 520}, {0.499, 730}}) {
    const Body body = quadratic(box({2, 2, 2}, {1, 1, 1}), 1e7, ratio);
    EXPECT_LE(iterations_to_end(body, make_vbd({.precision = double_precision}, {}), most), most) << ratio;
  }
}

// With cubes as large as the cells of the mesh, and by default twice as large: the design's 10 and 20 sweeps.
TEST(QuadraticMultilevel, TakesAFewIterationsWhateverThePoissonRatioAndTheMesh) {
  const auto body_of_cells = [](int cells, int length, double ratio) {
    return quadratic(box({cells * length, cells, cells}, {double(length), 1, 1}), 1e7, ratio);
  };
  const auto sweeps_of = [](const Body& body, int cells) {
    MultilevelOptions options = always;
    options.spacing = 1.0 / cells / bodies_of(body.compile()).sizes[0].distance;
    return options.sweeps * iterations_to_end(body, options);
  };
  for (const auto& [ratio, most, most_of_beams] : {std::tuple{0.3, 10, 12}, {0.499, 20, 24}}) {
    EXPECT_LE(sweeps_of(body_of_cells(2, 1, ratio), 2), most) << ratio;
    EXPECT_LE(sweeps_of(body_of_cells(4, 1, ratio), 4), most) << ratio << ", finer";
    for (const int cells : {1, 2, 3}) {
      const Body beam = body_of_cells(cells, 4, ratio);
      EXPECT_LE(sweeps_of(beam, cells), most_of_beams) << ratio << ", " << cells << " cells across";
      EXPECT_LE(always.sweeps * iterations_to_end(beam, always), most_of_beams + 4)
          << ratio << ", " << cells << " cells across, by default";
    }
  }
  // Without multipliers the lattice's functions lock on lambda.
  EXPECT_GT(iterations_to_end(body_of_cells(2, 1, 0.499), without_multipliers), 50);
}

// Slivers that the lattice's cubes cut resist kinks between the cubes. When its matrix left that out, corrections
// overshot in every iteration and the first two meshes took 45 and more than 60; 8 on a mesh of regular cells.
TEST(QuadraticMultilevel, ConvergesOnSlivers) {
  for (const auto& [cells, most] :
       {std::pair{std::array{2, 12, 12}, 20}, {std::array{3, 3, 24}, 30}, {std::array{6, 6, 6}, 12}}) {
    Body body = quadratic(support::turned_box(cells), 1e6, 0.3);
    body.density = {1000};
    Method m = multilevel(frame, most, 0, always);
    m.solve.relative_tolerance = 1e-4;
    Trial run(body, m);
    put(run, {.held = [](Vec3d x) { return x.x < -0.35; },
              .start =
                  [](Vec3d x) {
                    return Vec3d{1.02 * x.x, x.y, x.z};
                  }});
    const StepReport report = run.step();
    EXPECT_EQ(report.status, SolveStatus::converged) << cells[2];
    EXPECT_EQ(report.corrections.lengths, 0) << cells[2];
  }
}

TEST(QuadraticMultilevelSameBits, ForAnyNumberOfThreadsOnSlivers) {
  const Body body = quadratic(support::turned_box({3, 3, 24}), 1e6, 0.49);
  uint64_t expected = 0;
  for (const int threads : {1, 2, 4}) {
    Method m = multilevel(frame, 5, 0, always);
    m.threads = threads;
    Trial run(body, m);
    put(run, {.held = [](Vec3d x) { return x.x < -0.35; }, .start = stretched});
    for (int step = 0; step < 2; ++step) run.step();
    if (threads == 1) expected = run.hash();
    EXPECT_EQ(run.hash(), expected) << threads << " threads";
  }
}

TEST(QuadraticMultilevelSameBits, ForAnyNumberOfThreads) {
  Body body = quadratic(box({9, 9, 9}), 1e5, 0.49);
  for (const int32_t cluster_vertices : {0, 700}) {
    body.cluster_vertices = cluster_vertices;
    for (const double h : {0.0, frame}) {
      uint64_t expected = 0;
      for (const int threads : {1, 2, 4}) {
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

// The state has the multipliers.
TEST(QuadraticMultilevelSameBits, WhereARunGoesOn) {
  const Body body = quadratic(box({4, 3, 3}, {1, 0.6, 0.6}), 1e5, 0.49, MaterialKind::FixedCorotated);
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
      EXPECT_FALSE(first->state.pressures.empty());
      second->state = first->state;
      for (int step = 0; step < 2; ++step) second->step();
      EXPECT_EQ(second->hash(), whole->hash()) << h << ' ' << precision_names[precision];
    }
  }
}

// Bodies that stiffness alone would call stiff: with multipliers sweeps know nothing of lambda.
TEST(QuadraticMultilevel, JudgesStiffnessByTheSweeps) {
  const Model model = quadratic(box({3, 3, 3}), 1000, 0.4999).compile();
  const double with = bodies_of(model, true).sizes[0].stiffness, without = bodies_of(model, false).sizes[0].stiffness;
  const double mu = model.blocks[0].material.lame.mu, lambda = model.blocks[0].material.lame.lambda;
  const double distance = bodies_of(model).sizes[0].distance;
  EXPECT_NEAR(without, (2 * mu + lambda) * distance, 1e-9 * without);
  EXPECT_NEAR(with, (2 * mu + 2 * mu + 8 * mu) * distance, 1e-2 * with);
  EXPECT_NEAR(distance, 1 / std::cbrt(model.order.vertex_count()), 1e-12);
}

// Thrown out of shape as far as it goes, and back after a second and a half.
// Where the exact blocks of corotated materials may be indefinite.
TEST(QuadraticMultilevel, CorotatedBodiesComeBackMirrored) {
  for (const MaterialKind kind : {MaterialKind::FixedCorotated, MaterialKind::Arap}) {
    for (const double ratio : {0.3, 0.499}) {
      Body body = support::body_of(support::with_middles(box({2, 2, 2})), kind, 1e5, ratio);
      body.gravity = {};
      Method m = multilevel(frame, 10, 0, {});
      m.solve.precision = single_precision;
      Trial run(body, m);
      put(run, {.start = [](Vec3d x) { return Vec3d{-x.x, x.y, x.z}; }});
      for (int step = 0; step < 180; ++step) run.step();
      const Evaluation e = run.evaluate();
      EXPECT_TRUE(e.finite) << ratio;
      EXPECT_EQ(e.inverted, 0) << ratio;
    }
  }
}

TEST(QuadraticMultilevel, ComesBackFromAnywhere) {
  const auto start_times = [](double a, double b, double c) {
    return [=](Vec3d x) { return Vec3d{a * x.x, b * x.y, c * x.z}; };
  };
  const std::pair<std::string, Start> starts[] = {
      {"flattened", start_times(1, 0, 1)},
      {"mirrored", start_times(-1, 1, 1)},
      {"at random",
       [](Vec3d x) { return 0.5 * Random(static_cast<uint32_t>(1e6 * (x.x + 3 * x.y + 7 * x.z + 1))).vector(); }}};
  for (const double ratio : {0.3, 0.499}) {
    for (const int precision : {single_precision, double_precision}) {
      for (const auto& [name, start] : starts) {
        const Body body = quadratic(box({3, 3, 3}), 1e4, ratio);
        Method m = multilevel(frame, 30, 0, always);
        m.solve.precision = precision;
        Trial run(body, m);
        put(run, {.start = start});
        for (int step = 0; step < 90; ++step) run.step();
        const Evaluation e = run.evaluate();
        EXPECT_TRUE(e.finite) << name;
        EXPECT_EQ(e.inverted, 0) << name << ' ' << ratio << ' ' << precision_names[precision];
      }
    }
  }
}

}  // namespace
}  // namespace sinew
