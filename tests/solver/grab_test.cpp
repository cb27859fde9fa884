// Source: model/grab.h, the equation of a spring and a damper by backward Euler; ties between a point and one that is
// held (element/weak_constraint.h); statics of a hanging body. Sweeps reach Newton's solution.
#include "model/grab.h"

#include <gtest/gtest.h>

#include <set>

#include "base/hash.h"
#include "solver/sweep.h"
#include "support/grabbed.h"

namespace sinew {
namespace {

using support::Body;
using support::body_of;
using support::box;
using support::distance;
using support::grab_of;
using support::GrabbedFace;
using support::size;
using support::TiedTrial;
using support::two_particles;

bool at_origin(Vec3d rest) {
  return size(rest) == 0;
}
bool on_top(Vec3d rest) {
  return rest.y > 1 - 1e-12;
}
bool far_away(Vec3d rest) {
  return rest.x > 50;
}

// A body beside a particle that is held, so that nothing of the body is.
Body floating(Body body) {
  body.point_mass.assign(body.mesh.vertices.size(), 0);
  body.mesh.vertices.push_back({100, 0, 0});
  body.point_mass.push_back(1);
  return body;
}

// Whether it ends at the minimum of the step's objective, however stiff the constraints are.
bool minimizes(const SolverInfo& info) {
  const std::string name = info.name;
  return !name.starts_with("xpbd") && name != "pbd";
}

// m (x - 2 x' + x'')/h^2 = m g + k (a - x) + k k_d (w - (x - x')/h), with a target that moves with w: linear, so that
// every method solves it but PBD, whose springs are rigid.
TEST(Grab, AParticleFollowsSpringAndDamper) {
  const double m = 2, k = 30, h = 0.02;
  const Vec3d w{0.3, -0.2, 0.5}, g{0, -9.8, 0};
  for (const double damping : {0.0, 0.05}) {
    for (const SolverInfo& info : solver_list()) {
      if (!info.traits.dynamic || info.name == std::string("pbd")) continue;
      const Body body = two_particles(m);
      TiedTrial trial(body, {.solver = info.name, .h = h}, at_origin);
      Vec3d a{0.7, 0.2, -0.1}, before = body.mesh.vertices[1], x = before;
      trial.stepper->grabs() = {grab_of(trial.model, {1}, {1}, k, a, damping, w)};
      for (int step = 0; step < 20; ++step) {
        a += h * w;
        trial.stepper->grabs()[0].target = a;
        trial.step();
        const double inertia = m / (h * h), drag = k * damping / h;
        const Vec3d next =
            (1 / (inertia + k + drag)) * (inertia * (2.0 * x - before) + m * g + k * a + drag * (x + h * w));
        before = x;
        x = next;
      }
      EXPECT_LT(size(trial.positions()[1] - x), 1e-10) << info.name << ' ' << damping;
      const Vec3d force = force_of(trial.stepper->grabs()[0], trial.state.x, trial.state.v);
      EXPECT_LT(size(force - (k * (a - x) + (k * damping) * (w - (1 / h) * (x - before)))), 1e-8) << info.name;
    }
  }
}

TEST(Grab, UnderPbdAPointGoesWhereDampingLetsIt) {
  const double h = 0.02, damping = 0.06;
  const Body body = two_particles(2);
  TiedTrial trial(body, {.solver = "pbd", .h = h}, at_origin);
  Vec3d x = body.mesh.vertices[1];
  const Vec3d a = x + Vec3d{1, 2, 3};
  trial.stepper->grabs() = {grab_of(trial.model, {1}, {1}, 5, a, damping)};
  for (int step = 0; step < 3; ++step) {
    trial.step();
    x += (1 / (1 + damping / h)) * (a - x);
    EXPECT_LT(size(trial.positions()[1] - x), 1e-12);
  }
}

// In equilibrium a particle hangs m g/k below its target; a damper does not act.
TEST(Grab, AParticleHangsByItsWeight) {
  for (const SolverInfo& info : solver_list()) {
    if (!info.traits.quasistatic || info.name == std::string("pbd")) continue;
    TiedTrial trial(two_particles(2), {.solver = info.name, .h = 0, .iterations = 2000}, at_origin);
    const Vec3d a{0.7, 0.2, -0.1};
    trial.stepper->grabs() = {grab_of(trial.model, {1}, {1}, 50, a, 0.1, {1, 1, 1})};
    trial.step();
    EXPECT_LT(size(trial.positions()[1] - (a + Vec3d{0, -2 * 9.8 / 50, 0})), 1e-9) << info.name;
  }
}

// The residual falls to 1e-9 N; the softest motion of the box has more than 10 N/m.
TEST(Grab, EveryMethodPullsABoxAsNewtonDoes) {
  const Body body = body_of(box({2, 2, 2}));
  const GrabbedFace face(body);
  for (const double h : {0.0, 0.02}) {
    for (const double stiffness : {50.0, 1e5}) {
      const auto pull = [&](TiedTrial& trial) {
        trial.stepper->grabs() = {face.pulled(trial.model, stiffness, {0.15, -0.1, 0.05}, 0.05),
                                  grab_of(trial.model, {0}, {1}, 80, {0.1, -0.2, 0})};
        return trial.step();
      };
      TiedTrial newton(body, {.h = h, .tolerance = 1e-9}, on_top);
      EXPECT_EQ(pull(newton).status, SolveStatus::converged);
      TiedTrial alone(body, {.h = h, .tolerance = 1e-9}, on_top);
      alone.step();
      EXPECT_GT(distance(newton.positions(), alone.positions()), 1e-3);
      for (const SolverInfo& info : solver_list()) {
        if (!minimizes(info) || (h == 0 ? !info.traits.quasistatic : !info.traits.dynamic)) continue;
        TiedTrial trial(body, {.solver = info.name, .h = h, .iterations = 30000, .tolerance = 1e-8}, on_top);
        EXPECT_EQ(pull(trial).status, SolveStatus::converged) << info.name << ' ' << h << ' ' << stiffness;
        EXPECT_LT(distance(trial.positions(), newton.positions()), 1e-7) << info.name << ' ' << h << ' ' << stiffness;
      }
    }
  }
}

// XPBD's converged state is near Newton's where the material's is (fixed corotated): nearer by far than what the grab
// moves.
TEST(Grab, ConstraintsPullABoxNearlyAsNewtonDoes) {
  const Body body = body_of(box({2, 2, 2}), MaterialKind::FixedCorotated);
  const GrabbedFace face(body);
  for (const SolverInfo& info : solver_list()) {
    if (minimizes(info) || info.name == std::string("pbd")) continue;
    const double h = info.traits.dynamic ? 0.02 : 0;
    std::vector<Vec3d> ends[2];
    for (const bool pulled : {false, true}) {
      TiedTrial newton(body, {.h = h, .tolerance = 1e-9}, on_top),
          trial(body, {.solver = info.name, .h = h, .iterations = 200}, on_top);
      for (TiedTrial* each : {&newton, &trial}) {
        if (pulled) each->stepper->grabs() = {face.pulled(each->model, 300, {0.2, -0.2, 0.1}, 0.02)};
        for (int step = 0; step < (h == 0 ? 1 : 3); ++step) each->step();
      }
      ends[pulled] = newton.positions();
      if (!pulled) continue;
      EXPECT_LT(distance(trial.positions(), ends[1]), 0.1 * distance(ends[0], ends[1])) << info.name;
    }
  }
}

// Without damping a grab is a weak constraint to a particle that is held where the target is.
TEST(Grab, IsAWeakConstraintToAHeldPoint) {
  Body tied = floating(body_of(box({2, 2, 2})));
  const GrabbedFace face(tied);
  const Vec3d way{0.2, 0.3, 0.1};
  const auto held = static_cast<int32_t>(tied.mesh.vertices.size()) - 1;
  tied.mesh.vertices.back() = face.point + way + Vec3d{100, 0, 0};
  Body grabbed = tied;
  // The held point stands for the target 100 m away: the body is there too.
  for (Body* body : {&tied, &grabbed})
    for (int32_t v = 0; v < held; ++v) body->mesh.vertices[v].x += 100;
  const std::vector<int32_t>& f = face.vertices;
  tied.ties.add(weak_constraint_law(700), std::array{held, f[0], f[1], f[2]},
                std::array{1.0, -face.weights[0], -face.weights[1], -face.weights[2]});
  const auto is_target = [&](Vec3d rest) { return size(rest - tied.mesh.vertices.back()) == 0; };
  for (const std::string solver : {"newton", "vbd", "multilevel", "fp_pxpbd"}) {
    TiedTrial a(tied, {.solver = solver, .iterations = 5000, .tolerance = 1e-8}, is_target),
        b(grabbed, {.solver = solver, .iterations = 5000, .tolerance = 1e-8}, is_target);
    b.stepper->grabs() = {face.pulled(b.model, 700, way + Vec3d{100, 0, 0})};
    for (int step = 0; step < 10; ++step) {
      a.step();
      b.step();
    }
    EXPECT_LT(distance(a.positions(), b.positions()), 1e-8) << solver;
    EXPECT_GT(distance(a.positions(), tied.mesh.vertices), 0.1) << solver;
  }
}

// The forces on a free body are its weight and the grab's alone: m a = m g + f for its centre, in every step.
TEST(Grab, MovesAFreeBodysCentreAsItsForceSays) {
  for (const std::string solver : {"newton", "multilevel"}) {
    const Body body = floating(body_of(box({3, 3, 3}), MaterialKind::NeoHookean, 1e5));
    const GrabbedFace face(body);
    TiedTrial trial(body, {.solver = solver, .iterations = 1000, .tolerance = 1e-8}, far_away);
    trial.stepper->grabs() = {face.pulled(trial.model, 1e4, {0, 0.2, 0.1}, 0.05)};
    const double h = 1.0 / 60;
    const auto momentum = [&] {
      Vec3d sum{};
      for (size_t s = 0; s < trial.model.mass.size(); ++s) sum += trial.model.mass[s] * trial.state.v[s];
      return sum;
    };
    for (int step = 0; step < 20; ++step) {
      const Vec3d before = momentum();
      trial.step();
      const Vec3d force = force_of(trial.stepper->grabs()[0], trial.state.x, trial.state.v);
      EXPECT_LT(size((1 / h) * (momentum() - before) - (force + Vec3d{0, -98, 0})), 1e-6) << solver << ' ' << step;
    }
  }
}

// 1e7 N/m towards a target 10 m away, and then to one 20 m from there: a jelly of 1 m is flung through the air at 150
// m/s and stretched to many times its length, but comes along.
TEST(Grab, AStiffOneFarAwayStaysInHand) {
  const Body body = floating(body_of(box({2, 2, 2}), MaterialKind::FixedCorotated));
  const GrabbedFace face(body);
  for (const SolverInfo& info : solver_list()) {
    if (!info.traits.dynamic || info.name == std::string("pbd") || info.name == std::string("xpbd_primary")) continue;
    TiedTrial trial(body, {.solver = info.name, .iterations = info.common.iterations}, far_away);
    for (const double far : {10.0, -10.0}) {
      trial.stepper->grabs() = {face.pulled(trial.model, 1e7, {far, 0, 0}, 0.05)};
      for (int step = 0; step < 30; ++step) trial.step();
    }
    const GrabScript& grab = trial.stepper->grabs()[0];
    EXPECT_LT(size(point_of(grab, trial.state.x) - grab.target), 0.05) << info.name;
    for (size_t s = 0; s < trial.state.x.size(); ++s) {
      if (trial.model.mass[s] == 0 || trial.state.x[s].x > 50) continue;
      EXPECT_LT(size(trial.state.x[s] - grab.target), 50) << info.name;
    }
  }
}

// Also in clusters, with a grab whose vertices belong to several.
TEST(Grab, ClustersSeeAllOfAGrab) {
  Body body = body_of(box({3, 3, 3}));
  for (const std::string solver : {"vbd", "block_jacobi"}) {
    const TiedTrial::How how{.solver = solver, .h = 0.02, .iterations = 20000, .tolerance = 1e-9};
    TiedTrial whole(body, how, on_top);
    Body split = body;
    split.cluster_vertices = 8;
    TiedTrial pieces(split, how, on_top);
    ASSERT_GT(pieces.model.clusters.count(), 3);
    // A triangle of a tet that lies in two clusters or more.
    std::vector<int32_t> across;
    for (const Tet& t : body.mesh.tets) {
      if (body.mesh.vertices[t[0]].y + body.mesh.vertices[t[1]].y + body.mesh.vertices[t[2]].y > 2) continue;
      std::set<int32_t> clusters;
      for (int j = 0; j < 3; ++j)
        clusters.insert(pieces.model.clusters.cluster_of(
            static_cast<int32_t>(pieces.model.order.slot(UserVertex{t[static_cast<size_t>(j)]}))));
      if (clusters.size() > 1) across = {t[0], t[1], t[2]};
    }
    ASSERT_EQ(across.size(), 3u);
    for (TiedTrial* trial : {&whole, &pieces}) {
      trial->stepper->grabs() = {grab_of(trial->model, across, {0.2, 0.3, 0.5}, 400, {1.5, 0.3, 0.8}, 0.01)};
      EXPECT_EQ(trial->step().status, SolveStatus::converged) << solver;
    }
    EXPECT_LT(distance(whole.positions(), pieces.positions()), 1e-9) << solver;
    EXPECT_GT(distance(whole.positions(), body.mesh.vertices), 0.01) << solver;
  }
}

// Beside ties, damped and undamped, whose sums a sweep by vertices keeps in the same places.
TEST(Grab, ActsBesideTies) {
  for (const double damping : {0.0, 0.2}) {
    Body body = support::spring_grid(6, 100);
    for (TieLaw<double>& law : body.ties.laws) law.damping = damping;
    const auto pull = [&](TiedTrial& trial) {
      trial.stepper->grabs() = {grab_of(trial.model, {3}, {1}, 200, {0.3, -0.3, 0.4}, 0.05),
                                grab_of(trial.model, {4}, {1}, 30, {0.8, 0.1, 0.4})};
      trial.step();
      return trial.step().status;
    };
    TiedTrial newton(body, {.h = 0.02, .tolerance = 1e-10}, on_top);
    EXPECT_EQ(pull(newton), SolveStatus::converged);
    for (const std::string solver : {"vbd", "pbng", "block_jacobi", "gradient_descent", "quasi_newton", "multilevel"}) {
      TiedTrial trial(body, {.solver = solver, .h = 0.02, .iterations = 20000, .tolerance = 1e-9}, on_top);
      EXPECT_EQ(pull(trial), SolveStatus::converged) << solver;
      EXPECT_LT(distance(trial.positions(), newton.positions()), 1e-8) << solver;
    }
  }
}

// Every width computes the same up to rounding, as fused operations differ; a line search weighs grabs exactly, as no
// sweep then raises the energy.
TEST(Grab, EveryLaneWidthSweepsAlike) {
  const Body body = body_of(box({3, 3, 3}));
  const GrabbedFace face(body);
  std::vector<Vec3d> scalar;
  for (const int lanes : {1, 4, 8, 16}) {
    if (!kernels_with_lanes(lanes)) continue;
    TiedTrial trial(
        body,
        {.solver = "vbd", .iterations = 5, .options = {{"lanes", static_cast<double>(lanes)}, {"line_search", true}}},
        on_top);
    trial.stepper->grabs() = {face.pulled(trial.model, 500, {0.2, 0.2, 0.1}, 0.03)};
    trial.step();
    if (lanes == 1) scalar = trial.positions();
    EXPECT_LT(distance(trial.positions(), scalar), 1e-12) << lanes;
  }
}

TEST(Grab, LineSearchWeighsGrabs) {
  const Body body = body_of(box({2, 2, 2}));
  const GrabbedFace face(body);
  for (const std::string solver : {"vbd", "pbng"}) {
    TiedTrial trial(body, {.solver = solver, .h = 0, .iterations = 1, .options = {{"line_search", true}}}, on_top);
    trial.stepper->grabs() = {face.pulled(trial.model, 1e5, {0.6, -0.5, 0.3})};
    double before = std::numeric_limits<double>::infinity();
    for (int step = 0; step < 30; ++step) {
      trial.step();
      const double energy = trial.evaluate().energy;
      EXPECT_LE(energy, before + 1e-9 * std::abs(energy)) << solver << ' ' << step;
      before = energy;
    }
  }
}

// Within what rounds positions of 1 m in single precision, 6e-8 m, and what that does in an elastic body over five
// steps.
TEST(Grab, SinglePrecisionPullsAlike) {
  Body body = body_of(box({3, 3, 3}));
  const GrabbedFace near(body);
  for (const std::string solver : {"vbd", "multilevel", "fp_pxpbd"}) {
    std::vector<Vec3d> ends[2];
    for (const int precision : {double_precision, single_precision}) {
      TiedTrial trial(body, {.solver = solver, .iterations = 300, .precision = precision}, on_top);
      trial.stepper->grabs() = {near.pulled(trial.model, 500, {0.2, 0.2, 0.1}, 0.03)};
      for (int step = 0; step < 5; ++step) trial.step();
      ends[precision == single_precision] = trial.positions();
    }
    EXPECT_LT(distance(ends[0], ends[1]), 2e-5) << solver;
    EXPECT_GT(distance(ends[0], body.mesh.vertices), 0.05) << solver;
  }
}

// Corrections on the lattice know of the grab: a stiff bar that hangs from its end by a stiff one converges about as
// fast as one that is held there.
TEST(Grab, LatticeCorrectsGrabbedBodies) {
  const Body body = floating(body_of(box({4, 16, 4}, {0.25, 1, 0.25}), MaterialKind::NeoHookean, 1e7));
  int32_t top = 0;
  for (int32_t v = 0; v < static_cast<int32_t>(body.mesh.vertices.size()); ++v)
    if (size(body.mesh.vertices[v] - Vec3d{0.125, 1, 0.125}) < 1e-9) top = v;
  TiedTrial trial(body, {.solver = "multilevel", .iterations = 200, .tolerance = 1e-3}, far_away);
  trial.stepper->grabs() = {
      grab_of(trial.model, {top}, {1}, 1e5, body.mesh.vertices[top] + Vec3d{0.02, 0.01, 0}, 0.01)};
  int most = 0;
  for (int step = 0; step < 10; ++step) {
    const StepReport report = trial.step();
    EXPECT_EQ(report.status, SolveStatus::converged);
    most = std::max(most, report.iterations);
  }
  EXPECT_LE(most, 40);
}

TEST(GrabSameBits, ForAnyNumberOfThreads) {
  Body boxes = body_of(box({6, 6, 6}));
  const GrabbedFace face(boxes);
  for (const int32_t cluster : {0, 50}) {
    boxes.cluster_vertices = cluster;
    for (const std::string solver :
         {"vbd", "pbng", "block_jacobi", "multilevel", "fp_pxpbd", "newton", "quasi_newton"}) {
      uint64_t first = 0;
      for (const int threads : {1, 2, 3, 4}) {
        TiedTrial trial(boxes, {.solver = solver, .iterations = 3, .threads = threads}, on_top);
        trial.stepper->grabs() = {face.pulled(trial.model, 700, {0.1, 0.1, 0}, 0.02),
                                  face.pulled(trial.model, 100, {0.1, 0.1, 0.3})};
        trial.step();
        trial.step();
        const uint64_t hash = Hash().bytes(trial.state.x.data(), trial.state.x.size() * sizeof(Vec3d)).value();
        if (threads == 1) first = hash;
        EXPECT_EQ(hash, first) << solver << " with " << threads << " threads";
      }
    }
  }
}

// One that comes and goes leaves no trace in a solver.
TEST(GrabSameBits, AfterAGrabWasRemoved) {
  const Body body = body_of(box({3, 3, 3}), MaterialKind::FixedCorotated);
  const GrabbedFace face(body);
  for (const SolverInfo& info : solver_list()) {
    const double h = info.traits.dynamic ? 0.02 : 0;
    TiedTrial with(body, {.solver = info.name, .h = h, .iterations = 10}, on_top),
        without(body, {.solver = info.name, .h = h, .iterations = 10}, on_top);
    without.step();
    const State then = without.state;
    without.step();
    with.stepper->grabs() = {face.pulled(with.model, 700, {0.1, 0.1, 0}, 0.02)};
    with.step();
    EXPECT_GT(distance(with.state.x, then.x), 1e-6) << info.name;
    with.stepper->grabs()[0] = {};
    with.state = then;
    with.step();
    EXPECT_EQ(distance(with.state.x, without.state.x), 0) << info.name;
  }
}

}  // namespace
}  // namespace sinew
