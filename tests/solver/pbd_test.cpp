// Source: Mueller et al. 2007 (one projection without compliance); Chen et al. 2023 (PBNG), section 6 (the external
// force that PBD loses), with numbers of an independent program (numpy, double precision).
#include "solver/by_constraint/pbd.h"
#include "material/materials.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "element/element.h"
#include "element/tet_frame.h"
#include "solver/solver_list.h"
#include "support/constraint_bar.h"
#include "support/tied.h"

namespace sinew {
namespace {

using support::body_of;
using support::box;
using support::largest_coordinate;
using support::Method;
using support::on_left;
using support::problem_of;
using support::Random;
using support::shaken;
using support::size;
using support::Trial;

Method by(const PbdOptions& options, int iterations, int precision = double_precision) {
  return {.solve = {.iterations = iterations, .precision = precision},
          .make = [options](const SolveOptions& common) { return make_pbd(common, options); }};
}

// x after `iterations` of a step from x_target.
std::vector<Vec3d> iterated(const StepProblem& problem, const PbdOptions& options, int iterations, int precision) {
  ThreadPool pool(1);
  const auto solver = make_pbd({.iterations = iterations, .precision = precision}, options);
  solver->prepare(*problem.model, pool);
  const Objective objective(problem, pool);
  solver->begin_step(objective);
  for (int k = 0; k < iterations; ++k) solver->iterate();
  std::vector<Vec3d> x(problem.x_start.size());
  solver->positions(x);
  return x;
}

// One tet by hand: shear, then volume, each along w grad C by the share k' = 1 - (1 - k)^(1/n) of C / sum w |grad C|^2.
TEST(Pbd, ProjectsEachConstraintByItsShare) {
  const Model model = body_of(support::one_tet(), MaterialKind::FixedCorotated).compile();
  Random random(3);
  StepProblem problem = problem_of(model, shaken(model.rest, 0.2, random), 0.01);
  problem.held[static_cast<size_t>(model.tets[0][2])] = 1;
  problem.x_start = problem.x_target;
  const Tet& t = model.tets[0];
  const auto material = FixedCorotated<double>::from({1, 1}, 3);
  for (const double stiffness : {1.0, 0.5}) {
    std::vector<Vec3d> x = problem.x_target;
    const int iterations = 3;
    const double share = 1 - std::pow(1 - stiffness, 1.0 / iterations);
    for (int n = 0; n < iterations; ++n) {
      const auto project = [&]<int k>() {
        const auto edge = [&](const std::vector<Vec3d>& p, int j) { return p[t[j]] - p[t[0]]; };
        const RestShape rest = tet_rest_shape(edge(model.rest, 1), edge(model.rest, 2), edge(model.rest, 3));
        const Vec3d g[4] = {-(rest.gradient[0] + rest.gradient[1] + rest.gradient[2]), rest.gradient[0],
                            rest.gradient[1], rest.gradient[2]};
        const FullTetFrame<double> frame{g[1], g[2], g[3], rest.volume};
        const auto c = material.template constraint<k>(frame.deformation_gradient(edge(x, 1), edge(x, 2), edge(x, 3)));
        const double at_rest = k == 0 ? 1e-6 : 0;  // sqrt(eps) of |F - R|
        double sum = 0;
        const auto w = [&](int j) { return problem.held[t[j]] ? 0 : 1 / model.mass[t[j]]; };
        for (int j = 0; j < 4; ++j) sum += w(j) * dot(c.gradient * g[j], c.gradient * g[j]);
        for (int j = 0; j < 4; ++j) x[t[j]] += (-share * (c.value - at_rest) / sum * w(j)) * (c.gradient * g[j]);
      };
      project.template operator()<0>();
      project.template operator()<1>();
    }
    for (const int precision : {double_precision, single_precision}) {
      const std::vector<Vec3d> found = iterated(problem, {.stiffness = stiffness}, iterations, precision);
      for (int j = 0; j < 4; ++j) {
        // In single precision eps is 1e-8, which hides a strain of 1e-4.
        EXPECT_LT(size(found[t[j]] - x[t[j]]), precision == double_precision ? 1e-13 : 1e-3) << j;
      }
    }
  }
}

// A body without strain does not move, whatever its rotation; nor does one that is held entirely.
TEST(Pbd, LeavesWhatHasNoStrain) {
  const Model model = body_of(box({3, 2, 2}), MaterialKind::FixedCorotated).compile();
  std::vector<Vec3d> turned = model.rest;
  for (Vec3d& p : turned) p = {0.6 * p.x - 0.8 * p.y + 3, 0.8 * p.x + 0.6 * p.y, p.z};
  StepProblem problem = problem_of(model, turned, 0.01);
  problem.x_target = problem.x_start = turned;
  for (const int precision : {double_precision, single_precision}) {
    const double rounding = precision == double_precision ? 1e-13 : 1e-5;
    EXPECT_LT(largest_coordinate(iterated(problem, {}, 20, precision), turned), rounding);
  }
  problem.held.assign(problem.held.size(), 1);
  for (Vec3d& p : problem.x_start) p.x *= 1.5;
  EXPECT_EQ(largest_coordinate(iterated(problem, {}, 20, double_precision), problem.x_start), 0);
}

// Moduli have no effect, because there is no compliance.
TEST(Pbd, KnowsNoModuli) {
  const auto stretched = [&](double youngs_modulus) {
    Trial trial(body_of(box({4, 2, 2}, {0.4, 0.2, 0.2}), MaterialKind::FixedCorotated, youngs_modulus), by({}, 300));
    trial.hold(on_left);
    for (Vec3d& p : trial.state.x) p.x *= 1.2;
    trial.step();
    return trial.positions();
  };
  const std::vector<Vec3d> soft = stretched(1e3);
  EXPECT_EQ(largest_coordinate(soft, stretched(1e6)), 0);
}

// [pbd]: bar .4 x .1 x .1 of 6 x 2 x 2 cells. The tip is at -.204 in equilibrium; 200 iterations from y, .98 mm below,
// leave it at -.6 mm, and tens of iterations at -1.1 mm.
TEST(Pbd, LosesTheExternalForce) {
  const auto tip = [](const Method& method) {
    Trial trial(body_of(box({6, 2, 2}, {0.4, 0.1, 0.1}), MaterialKind::FixedCorotated), method);
    trial.hold(on_left);
    trial.step();
    const std::vector<Vec3d> x = trial.positions(), rest = trial.model.order.to_user(trial.model.rest);
    double lowest = 0;
    for (size_t v = 0; v < x.size(); ++v) {
      if (rest[v].x > 0.4 - 1e-9) lowest = std::min(lowest, x[v].y - rest[v].y);
    }
    return lowest;
  };
  for (const int iterations : {10, 50, 200}) {
    const double y = tip(by({}, iterations));
    EXPECT_LT(y, -2e-4);
    EXPECT_GT(y, -1.5e-3);
  }
  // In pseudo-time each step adds as much, and the iterations undo what they can: the more of them, the stiffer the
  // body.
  Method few = by({.local_iterations = 1}, 400), many = by({.local_iterations = 20}, 8000);
  few.quasistatic = many.quasistatic = true;
  EXPECT_LT(tip(few), 2 * tip(many));
}

TEST(PbdSameBits, ForAnyNumberOfThreadsAndHeldVerticesStay) {
  uint64_t expected = 0;
  for (const int threads : {1, 2, 4}) {
    Method m = by({}, 12, single_precision);
    m.threads = threads;
    Trial trial(body_of(box({24, 13, 13}, {1, 0.55, 0.55}), MaterialKind::FixedCorotated), m);
    trial.hold(on_left);
    for (int step = 0; step < 2; ++step) trial.step();
    if (threads == 1) expected = trial.hash();
    EXPECT_EQ(trial.hash(), expected) << threads;
    const std::vector<Vec3d> x = trial.positions(), rest = trial.model.order.to_user(trial.model.rest);
    for (size_t v = 0; v < x.size(); ++v) {
      if (on_left(rest[v])) {
        EXPECT_EQ(size(x[v] - rest[v]), 0);
      }
    }
  }
}

// Two or three points of different masses, tied.
struct TiedPoints {
  TiedPoints(const TieLaw<double>& law, const std::vector<double>& weights) {
    support::Body body{.mesh = {}};
    body.mesh.vertices = {{0, 0, 0}, {1.2, 0.5, 0.1}, {0.5, 0.2, -0.3}};
    body.mesh.vertices.resize(weights.size());
    body.point_mass = std::vector<double>{1, 2, 4};
    body.point_mass.resize(weights.size());
    body.gravity = {};
    std::vector<int32_t> ends{0, 1, 2};
    ends.resize(weights.size());
    body.ties.add(law, ends, weights);
    model = body.compile();
    problem = problem_of(model, model.rest, 0.01);
    problem.x_start = problem.x_target = model.rest;
  }
  std::vector<Vec3d> after(const PbdOptions& options, int iterations) const {
    return model.order.to_user(iterated(problem, options, iterations, double_precision));
  }
  Model model;
  StepProblem problem;
};

// Mueller et al. 2007, eqs. 9-11 and section 3.3: n iterations leave the share 1 - k of the extension, and each point
// moves along the spring in proportion to its inverse mass.
TEST(Pbd, ProjectsSpringsByItsShare) {
  for (const double k : {1.0, 0.5}) {
    for (const double modulus : {1e-6, 1e9}) {
      const TiedPoints points(spring_law(modulus, 0.3), {1, -1});
      const std::vector<Vec3d> before = points.model.order.to_user(points.model.rest),
                               x = points.after({.stiffness = k}, 4);
      const Vec3d along = (1 / size(before[1] - before[0])) * (before[1] - before[0]);
      const double taken = k * (size(before[1] - before[0]) - 0.3);
      EXPECT_LT(size(x[0] - (before[0] + (2.0 / 3) * taken * along)), 1e-15) << k << ' ' << modulus;
      EXPECT_LT(size(x[1] - (before[1] - (1.0 / 3) * taken * along)), 1e-15) << k << ' ' << modulus;
    }
  }
  const TiedPoints limp(spring_law(0, 0.3), {1, -1});
  EXPECT_EQ(largest_coordinate(limp.after({}, 4), limp.model.order.to_user(limp.model.rest)), 0)
      << "no modulus, no spring";
}

// A binding's vector is removed along its normal, across it, or both: where it has a stiffness.
TEST(Pbd, ClosesBindings) {
  const Vec3d normal{0, 0.6, 0.8};
  const struct {
    TieLaw<double> law;
    bool along, across;
  } cases[] = {{weak_constraint_law(50), true, true},
               {weak_constraint_law(3, 4, normal), true, true},
               {weak_constraint_law(3, 0, normal), true, false},
               {weak_constraint_law(0, 4, normal), false, true}};
  for (const auto& c : cases) {
    const TiedPoints points(c.law, {1, -0.25, -0.75});
    const auto vector = [](const std::vector<Vec3d>& x) { return x[0] - 0.25 * x[1] - 0.75 * x[2]; };
    const std::vector<Vec3d> before = points.model.order.to_user(points.model.rest);
    const Vec3d open = vector(before), open_along = dot(open, normal) * normal;
    for (const double k : {1.0, 0.3}) {
      const std::vector<Vec3d> x = points.after({.stiffness = k}, 5);
      const Vec3d left = vector(x), left_along = dot(left, normal) * normal;
      EXPECT_LT(size(left_along - (c.along ? 1 - k : 1) * open_along), 1e-15);
      EXPECT_LT(size((left - left_along) - (c.across ? 1 - k : 1) * (open - open_along)), 1e-15);
      EXPECT_LT(size((x[0] - before[0]) + 2.0 * (x[1] - before[1]) + 4.0 * (x[2] - before[2])), 1e-15) << "momentum";
    }
  }
}

// A rope of any modulus hangs at its length; in a step its lowest link yields less than gravity moves it, h^2 g = 2.7
// mm.
TEST(Pbd, HangsAChainAtItsLength) {
  for (const double modulus : {1.0, 1e8}) {
    support::TiedTrial trial(support::chain(10, 0.1, modulus), {.solver = "pbd", .iterations = 400},
                             [](Vec3d rest) { return size(rest) == 0; });
    for (int step = 0; step < 60; ++step) trial.step();
    EXPECT_LT(trial.positions().back().y, -0.3) << "it falls";
    EXPECT_LT(trial.extension(), 1e-3);
  }
}

// As |F| does not vanish at rest, the solver is rejected with the reason and a remedy.
TEST(Pbd, RefusesConstraintsThatDoNotVanishAtRest) {
  const auto answer = [](MaterialKind material) {
    const Status s = check_solver(*find_solver("pbd"), body_of(support::one_tet(), material).compile(), false);
    return s.ok() ? std::string("fine") : s.error().message();
  };
  EXPECT_EQ(answer(MaterialKind::FixedCorotated), "fine");
  for (const char* part : {"neo_hookean", "do not vanish at rest", "fixed_corotated", "vbd", "xpbd"}) {
    EXPECT_NE(answer(MaterialKind::NeoHookean).find(part), std::string::npos) << answer(MaterialKind::NeoHookean);
  }
  EXPECT_NE(answer(MaterialKind::Stvk).find("no constraint form"), std::string::npos);
}

}  // namespace
}  // namespace sinew
