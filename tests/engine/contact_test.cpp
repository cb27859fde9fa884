// Source: docs/contact.md and the definitions there; Chen et al. 2024 (VBD), sections 3.5 and 3.6; Li et al. 2020
// (IPC), for friction; mechanics of a block on a slope.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "sinew/intersections.h"
#include "sinew/lists.h"
#include "sinew/simulation.h"
#include "support/contact_scenes.h"
#include "support/simulated.h"

namespace sinew {
namespace {

// The springs of n contacts of stiffness k carry the weight: mean gap r - m g / (n k), and of the penalty, whose radius
// is 0, a depth of m g / (n k).
TEST(Contact, RestsWhereItsStiffnessCarriesTheWeight) {
  for (const ContactLaw law : {ContactLaw::offset, ContactLaw::penalty}) {
    Scene scene = on_floor();
    scene.contact->law = law;
    scene.contact->stiffness = 1000;
    if (law == ContactLaw::offset) scene.contact->radius = 0.01;
    scene.materials[0].damping = 0.02;
    Simulation s = simulation_of(scene);
    take(s, 300);
    double sum = 0;
    int n = 0;
    const double radius = law == ContactLaw::offset ? 0.01 : 0;
    for (const Real3& x : s.positions()) {
      if (x[1] > 0.02) continue;
      sum += radius - x[1];
      ++n;
    }
    ASSERT_EQ(n, 16);
    const double weight = 1000 * 1e-3 * gravity;
    EXPECT_NEAR(sum / n, weight / (n * 1000.0), 0.01 * weight / (n * 1000.0)) << name_of(law);
    EXPECT_LT(fastest(s), 1e-4) << name_of(law);
  }
}

// A falling body does not pass, whatever the solver; one that solves the step stays above the floor.
TEST(Contact, HoldsUnderEverySolver) {
  for (const SolverDescription& solver : solvers()) {
    if (!solver.contact || !solver.dynamic) continue;
    Scene scene = on_floor(1e5);
    scene.objects[0].velocity = {0, -1, 0};
    scene.solver = {};
    scene.solver.type = solver.name;
    scene.solver.options.set("iterations", 60);
    // All methods by constraint have a form of one of these, which is sound in steps of this length.
    scene.materials[0].model = solver.name == "xpbd_root" ? "stvk" : "fixed_corotated";
    const Result<Simulation> made = Simulation::create(scene, 1);
    if (!made) {
      ADD_FAILURE() << solver.name << ": " << made.error().message();
      continue;
    }
    Simulation s = simulation_of(scene);
    take(s, 60);
    EXPECT_GT(lowest(s), -0.002) << solver.name;
    EXPECT_LT(lowest(s), 0.05) << solver.name;
  }
}

// Over-relaxation would throw vertices from stiff contacts, here of a hundred times the automatic stiffness, and never
// let them settle.
TEST(Contact, OverRelaxedSweepsSettleOnStiffContacts) {
  for (const char* solver : {"multilevel", "pbng"}) {
    Scene scene = on_floor(1e5);
    scene.contact->stiffness = 1e6;
    scene.objects = {cube("cube", {0, 0.02, 0}, 2)};
    scene.objects[0].velocity = {0, -1, 0};
    scene.solver = {};
    scene.solver.type = solver;
    scene.solver.options.set("iterations", 20);
    if (scene.solver.type == "pbng") scene.solver.options.set("omega", 1.7);
    Simulation s = simulation_of(scene);
    const auto energy = [&] { return s.energies().kinetic + s.energies().elastic + s.energies().gravity; };
    const double start = energy();
    for (int k = 0; k < 60; ++k) {
      take(s, 1);
      EXPECT_LE(energy(), start) << solver << " " << k;
    }
    EXPECT_LT(s.evaluate().residual, 0.1) << solver;  // [N] of a weight of 10
    EXPECT_LT(fastest(s), 0.01) << solver;
  }
}

// Solvers whose limit is Newton's reach its solution of a step with contact between bodies, with friction.
TEST(Contact, OneStepLikeNewton) {
  const auto scene_of = [](const std::string& solver) {
    Scene scene = on_floor(1e5);
    scene.contact->friction = 0.3;
    scene.contact->radius = 0.01;
    scene.objects[0].velocity = {0.2, -0.3, 0};
    scene.objects.push_back(cube("upper", {0.03, 0.114, 0.02}));
    scene.objects[1].velocity = {0, -0.8, 0};
    solve_by(scene, solver, 1e-10, 20000);
    return scene;
  };
  Simulation reference = simulation_of(scene_of("newton"));
  take(reference, 1);
  const std::vector<Real3> expected = reference.positions();
  for (const char* solver : {"vbd", "pbng", "multilevel", "block_jacobi", "gradient_descent", "quasi_newton"}) {
    Simulation s = simulation_of(scene_of(solver));
    take(s, 1);
    const std::vector<Real3> positions = s.positions();
    double most = 0;
    for (size_t v = 0; v < positions.size(); ++v)
      for (size_t k = 0; k < 3; ++k) most = std::max(most, std::abs(positions[v][k] - expected[v][k]));
    // Of motions of .01 m in the step.
    EXPECT_LT(most, 1e-8) << solver;
  }
}

// Recolouring (Chen et al. 2023, PBNG, section 9.1) changes the way there and not the solution; and the first sweep
// differs from that without only if vertices of one colour do share contacts.
TEST(Contact, RecolouredSweepsReachTheSameSolution) {
  const auto scene_of = [](const char* solver, const char* recolor, double tolerance, int iterations) {
    Scene scene = on_floor(1e5);
    scene.contact->friction = 0.3;
    scene.contact->radius = 0.01;
    scene.objects = {cube("lower", {0, 0.006, 0}, 4)};
    scene.objects[0].velocity = {0.2, -0.3, 0};
    // The same mesh above: its vertices have the colours of those below them.
    scene.objects.push_back(cube("upper", {0.001, 0.114, 0.001}, 4));
    scene.objects[1].velocity = {0, -0.8, 0};
    solve_by(scene, solver, tolerance, iterations);
    if (recolor) scene.solver.options.set("recolor", recolor);
    return scene;
  };
  const auto after_a_step = [](const Scene& scene, int threads) {
    Simulation s = simulation_of(scene, threads);
    take(s, 1);
    return s.positions();
  };
  const auto farthest = [](const std::vector<Real3>& a, const std::vector<Real3>& b) {
    double most = 0;
    for (size_t v = 0; v < a.size(); ++v)
      for (size_t k = 0; k < 3; ++k) most = std::max(most, std::abs(a[v][k] - b[v][k]));
    return most;
  };
  const std::vector<Real3> expected = after_a_step(scene_of("newton", nullptr, 1e-10, 20000), 1);
  for (const char* solver : {"vbd", "pbng"}) {
    const Scene solved = scene_of(solver, "incremental", 1e-10, 20000);
    const std::vector<Real3> reached = after_a_step(solved, 1);
    EXPECT_LT(farthest(reached, expected), 1e-8) << solver;  // of motions of .01 m
    EXPECT_EQ(farthest(after_a_step(solved, 3), reached), 0) << solver;
    const std::vector<Real3> one = after_a_step(scene_of(solver, "incremental", 0, 1), 1);
    EXPECT_GT(farthest(one, after_a_step(scene_of(solver, "none", 0, 1), 1)), 1e-6) << solver;
  }
}

// Two bodies that meet head-on keep their momentum.
TEST(Contact, KeepsMomentumOfBodiesThatMeet) {
  for (const char* solver : {"newton", "multilevel", "vbd"}) {
    Scene scene = on_floor(1e5);
    scene.gravity = {0, 0, 0};
    scene.colliders.clear();
    scene.contact->friction = 0.3;
    scene.objects = {cube("left", {0, 0, 0}), cube("right", {0.12, 0.013, 0.021}, 4)};
    scene.objects[0].velocity = {1, 0, 0};
    scene.objects[1].velocity = {-1, 0, 0};
    solve_by(scene, solver, 1e-9, 3000);
    Simulation s = simulation_of(scene);
    const std::vector<double> mass = s.masses();
    double most = 0;
    for (int step = 0; step < 40; ++step) {
      take(s, 1);
      const std::vector<Real3> v = s.velocities();
      Real3 momentum{};
      for (size_t k = 0; k < v.size(); ++k)
        for (size_t c = 0; c < 3; ++c) momentum[c] += mass[k] * v[k][c];
      most = std::max(most, std::hypot(momentum[0], momentum[1], momentum[2]));
    }
    EXPECT_LT(most, 1e-5) << solver;  // of 2 kg m/s
    // They have parted.
    EXPECT_LT(s.velocities().front()[0], 0.2) << solver;
  }
}

// A stiff cube on a slope of 25 degrees.
constexpr double slope_angle = 25 * 3.14159265358979 / 180;
Scene on_slope(double mu, FrictionForm form) {
  Scene scene = on_floor(1e7);
  scene.objects[0].mesh = MeshBox{{0.1, 0.05, 0.1}, {3, 2, 3}, {0, 0.001, 0}, 5};
  scene.gravity = {gravity * std::sin(slope_angle), -gravity * std::cos(slope_angle), 0};
  scene.contact->friction = mu;
  scene.contact->radius = 0.001;
  scene.contact->friction_speed = 1e-3;
  scene.contact->friction_form = form;
  return scene;
}

// It sticks if tan 25 = .466 <= mu, but for the creep of smooth friction, and else slides g (sin a - mu cos a) t^2 / 2.
TEST(Contact, SlidesAsCoulombSays) {
  for (const FrictionForm form : {FrictionForm::smooth, FrictionForm::stick}) {
    for (const double mu : {0.1, 0.3, 0.44, 0.49, 0.9}) {
      Simulation s = simulation_of(on_slope(mu, form));
      const double before = mean_of(s.positions())[0];
      take(s, 100);
      const double slid = mean_of(s.positions())[0] - before;
      const double free = gravity / 2 * (std::sin(slope_angle) - mu * std::cos(slope_angle));
      if (mu > std::tan(slope_angle)) {
        EXPECT_LT(slid, form == FrictionForm::smooth ? 1e-3 : 1e-4) << mu << " " << name_of(form);
      } else {
        // Backward Euler adds half a step of acceleration: 1 % here.
        EXPECT_NEAR(slid, free * 1.01, 0.02 * free) << mu << " " << name_of(form);
      }
    }
  }
}

// Friction that sticks does not creep, under any solver that solves the step, also when the surfaces' features change.
TEST(Contact, SticksWithoutCreep) {
  for (const char* solver : {"newton", "multilevel", "vbd"}) {
    Scene scene = on_slope(1.05 * std::tan(slope_angle), FrictionForm::stick);
    scene.materials[0].damping = 0.01;
    solve_by(scene, solver, 1e-6, 2000);
    Simulation s = simulation_of(scene);
    take(s, 100);
    const double settled = mean_of(s.positions())[0];
    take(s, 300);
    EXPECT_LT(std::abs(mean_of(s.positions())[0] - settled), 1e-7) << solver;
  }
}

// A soft, nearly incompressible body that hits something curved fast: it bounces, and gains nothing.
TEST(Contact, QuadraticBodiesBounceWhole) {
  for (const char* solver : {"vbd", "pbng", "multilevel"}) {
    for (const double speed : {5.0, 10.0}) {
      Scene scene;
      SceneMaterial rubber;
      rubber.name = "rubber";
      rubber.set("youngs_modulus", 1e5);
      rubber.set("poisson_ratio", 0.499);
      scene.materials = {rubber};
      SceneObject cube;
      cube.name = "cube";
      cube.mesh = MeshBox{{1, 1, 1}, {3, 3, 3}, {-0.5, -0.5, -0.5}, 5};
      cube.material = "rubber";
      cube.quadratic = true;
      cube.velocity = {0, -speed, 0};
      scene.objects = {cube};
      scene.gravity = {0, 0, 0};
      scene.colliders = {{.name = "ball", .shape = ColliderSphere{{0.2, -1.6, 0.1}, 1}}};
      scene.time.frame_dt = 1.0 / 60;
      scene.solver = {};
      scene.solver.type = solver;
      if (std::string(solver) != "multilevel") scene.solver.options.set("iterations", 20);
      Simulation s = simulation_of(scene, 2);
      const double energy = s.energies().kinetic;
      for (int k = 0; k < 18; ++k) {
        const Result<StepReport> report = s.step();
        ASSERT_TRUE(report.ok());
        EXPECT_NE(report->status, SolveStatus::diverged) << solver << " step " << k;
        EXPECT_EQ(s.evaluate().inverted, 0) << solver << " step " << k;
        const Energies now = s.energies();
        EXPECT_LT(now.kinetic + now.elastic + now.contact, energy) << solver << " step " << k;
      }
      EXPECT_GT(mean_of(s.positions())[1], -0.5) << solver << ": it bounces";
    }
  }
}

// The same bits for any number of threads.
TEST(Contact, SameBitsForAnyThreads) {
  for (const char* solver : {"vbd", "multilevel", "newton", "xpbd"}) {
    std::map<int, uint64_t> hashes;
    for (const int threads : {1, 3}) {
      Scene scene = on_floor(1e5);
      scene.contact->friction = 0.2;
      scene.objects[0].velocity = {0.3, -1, 0};
      scene.objects.push_back(cube("upper", {0.03, 0.13, 0.02}, 4));
      scene.objects[1].velocity = {0, -2, 0};
      scene.solver = {};
      scene.solver.type = solver;
      scene.solver.options.set("iterations", 30);
      if (std::string(solver) != "newton") scene.solver.cluster_vertices = 40;
      Simulation s = simulation_of(scene, threads);
      take(s, 20);
      hashes[threads] = s.hash();
    }
    EXPECT_EQ(hashes[1], hashes[3]) << solver;
  }
}

}  // namespace
}  // namespace sinew
