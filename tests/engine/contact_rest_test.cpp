// Source: mechanics: what is at rest stays so, and what contacts and friction do takes energy only. Chen et al. 2024
// (VBD), section 3.5, for bodies whose surfaces meet at edges.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "sinew/simulation.h"
#include "support/contact_scenes.h"
#include "support/simulated.h"

namespace sinew {
namespace {

// [J]
double energy_of(const Simulation& s) {
  const Energies energies = s.energies();
  return energies.kinetic + energies.elastic + energies.gravity + energies.contact;
}

// Ten cubes: a wall of four rows on a floor.
Scene heap(FrictionForm form) {
  Scene scene = on_floor(1e5);
  scene.materials[0].damping = 0.05;
  scene.objects.clear();
  for (int row = 0; row < 4; ++row)
    for (int k = 0; k < 4 - row; ++k) {
      const std::string name = "cube " + std::to_string(row) + std::to_string(k);
      scene.objects.push_back(cube(name.c_str(), {0.11 * k + 0.055 * row, 0.006 + 0.106 * row, 0.004 * k}, 1));
    }
  scene.contact->friction = 0.5;
  scene.contact->friction_form = form;
  scene.contact->radius = 0.005;
  scene.time.frame_dt = 0.02;
  return scene;
}

// At most 1e-4 m/s, and no energy out of nothing: not more than at the start by a thousandth of what there is.
// SINEW_CONTACT_SECONDS=60 looks at a minute, also under the solver that takes most time for so small bodies.
TEST(ContactRest, AHeapOfTenStaysAtRest) {
  const char* wanted = std::getenv("SINEW_CONTACT_SECONDS");
  const double seconds = wanted ? std::atof(wanted) : 1;
  std::vector<const char*> solvers = {"vbd", "newton"};
  if (wanted) solvers.push_back("multilevel");
  for (const char* solver : solvers) {
    Scene scene = heap(FrictionForm::stick);
    solve_by(scene, solver, 1e-3, 60);
    Simulation s = simulation_of(scene);
    take(s, 100);  // 2 s to settle
    const double start = energy_of(s);
    double most = 0, fast = 0;
    for (int k = 0; k < static_cast<int>(seconds / scene.time.frame_dt); ++k) {
      const Result<StepReport> report = s.step();
      ASSERT_TRUE(report) << report.error().message();
      most = std::max(most, energy_of(s) - start);
      fast = std::max(fast, fastest(s));
    }
    EXPECT_LT(fast, 1e-4) << solver;
    EXPECT_LT(most, 1e-3 * std::abs(start)) << solver;
  }
}

// What falls in a heap never has more energy than at the start, nor than in the step before.
TEST(ContactRest, AHeapThatFallsGainsNoEnergy) {
  for (const char* solver : {"multilevel", "vbd", "pbng", "newton"}) {
    for (const FrictionForm form : {FrictionForm::smooth, FrictionForm::stick}) {
      Scene scene = heap(form);
      scene.materials[0].damping = 0;
      for (SceneObject& object : scene.objects) {
        std::get<MeshBox>(object.mesh).origin[1] *= 1.3;
        object.velocity = {0.2 * (std::get<MeshBox>(object.mesh).origin[0] - 0.2), -1, 0};
      }
      scene.time.frame_dt = 0.005;
      solve_by(scene, solver, 1e-3, 60);
      Simulation s = simulation_of(scene);
      const double start = energy_of(s);
      const double kinetic = s.energies().kinetic;
      double last = start, most = 0, jump = 0;
      for (int k = 0; k < 80; ++k) {
        const Result<StepReport> report = s.step();
        ASSERT_TRUE(report) << report.error().message();
        EXPECT_LE(report->evaluation.friction_work, 0);
        const double energy = energy_of(s);
        most = std::max(most, energy - start);
        jump = std::max(jump, energy - last);
        last = energy;
      }
      EXPECT_LT(most, 1e-3 * kinetic) << solver << " " << name_of(form);
      EXPECT_LT(jump, 1e-3 * kinetic) << solver << " " << name_of(form);
      EXPECT_GT(s.contacts().size(), 20u) << "they have met";
    }
  }
}

// A cube on a floor: of each of its lower vertices, k/2 (r - y)^2 of the law, or the logarithm below r/2, with its own
// height above the floor.
TEST(ContactRest, EnergyIsThatOfTheLawAtEachVertex) {
  constexpr double r = 0.005;
  // [N/m] 10 N on 16 vertices: above r/2, and with the guarantee, under which nothing bounds the logarithm, below it.
  for (const double k : {2e4, 100.0}) {
    Scene scene = on_floor(1e6);
    scene.contact->radius = r;
    scene.contact->stiffness = k;
    scene.contact->friction = 0.5;  // stores nothing
    if (k < 1000) scene.contact->guarantee = ContactGuarantee::intersection_free;
    Simulation s = simulation_of(scene);
    EXPECT_EQ(s.energies().contact, 0) << "above the floor";
    take(s, 60);
    double expected = 0;
    int near = 0, low = 0;
    for (const Real3& x : s.positions()) {
      const double y = x[1];
      if (!(y < r)) continue;
      ++near;
      low += y < r / 2;
      expected += y < r / 2 ? k * r * r / 8 + k * r * r / 4 * std::log(r / (2 * y)) : k / 2 * (r - y) * (r - y);
    }
    EXPECT_EQ(near, 16) << k;
    EXPECT_EQ(low, k < 1000 ? 16 : 0) << k;
    EXPECT_GT(s.energies().contact, 0);
    EXPECT_NEAR(s.energies().contact, expected, 1e-9 * expected) << k;
    EXPECT_NEAR(s.energies().contact, s.evaluate().contact_energy, 1e-12 * expected) << k;
  }
}

// A bounce on a floor: what the cube has lost while it is in touch is in the contacts and in its strain, but for what
// the steps take, which halves with them.
TEST(ContactRest, EnergiesOfABounceAddUp) {
  double lost[2], stored = 0;
  for (const int halved : {0, 1}) {
    Scene scene = on_floor(1e6);
    scene.contact->radius = 0.01;
    scene.contact->stiffness = 2e3;
    std::get<MeshBox>(scene.objects[0].mesh).origin[1] = 0.0101;
    scene.objects[0].velocity = {0, -0.5, 0};
    scene.time.frame_dt = halved ? 1e-4 : 2e-4;
    Simulation s = simulation_of(scene);
    const double start = energy_of(s), kinetic = s.energies().kinetic;
    double least = start;
    stored = 0;
    for (int k = 0; k < (halved ? 400 : 200); ++k) {
      take(s, 1);
      EXPECT_LT(energy_of(s), least + 1e-6 * kinetic) << k;
      least = energy_of(s);
      stored = std::max(stored, s.energies().contact / kinetic);
    }
    lost[halved] = (start - least) / kinetic;
  }
  EXPECT_GT(stored, 0.5);
  EXPECT_GT(lost[0], 1.7 * lost[1]);
  EXPECT_NEAR(2 * lost[1] - lost[0], 0, 0.02) << "of the kinetic energy, with steps of no length";
}

// A block with ridges on its upper side, `flip`ped one with them below and across.
SceneObject ridged(const char* name, int cells_across, int cells_along, double width, double length, double height,
                   bool flip, double gap) {
  SceneObject object;
  object.name = name;
  object.material = "rubber";
  object.mesh = mapped_box({cells_across, 2, cells_along}, [&](int i, int j, int k) {
    const double y = j * 0.02 + (j == 2 && i % 2 ? height : 0);
    const double x = width * (double(i) / cells_across - 0.5), z = length * (double(k) / cells_along - 0.5);
    // Turned about (1, 0, 1), by half a turn.
    return flip ? Real3{z, 0.08 + 2 * height + gap - y, x} : Real3{x, y, z};
  });
  return object;
}

// Beams, combs and shallow roofs, crossed and pressed by 0.2 m/s: with the guarantee they come to rest on their edges,
// held by forces alone, since no vertex is limited any more.
TEST(ContactRest, CrossedEdgesRestOnForcesAlone) {
  struct Shape {
    const char* name;
    int across, along;
    double width, length, height;
  };
  for (const Shape& shape : {Shape{"beams", 2, 8, 0.04, 0.2, 0.02}, Shape{"combs", 8, 8, 0.16, 0.16, 0.015},
                             Shape{"shallow roofs", 2, 2, 0.16, 0.16, 0.008}}) {
    Scene scene = on_floor(1e5);
    scene.gravity = {0, 0, 0};
    scene.materials[0].damping = 0.005;
    scene.colliders.clear();
    const auto body = [&](const char* name, bool flip) {
      return ridged(name, shape.across, shape.along, shape.width, shape.length, shape.height, flip, 0.004);
    };
    scene.objects = {body("lower", false), body("upper", true)};
    scene.contact->radius = 0.003;
    scene.contact->guarantee = ContactGuarantee::intersection_free;
    scene.time.frame_dt = 1.0 / 120;
    scene.pins.push_back({.object = "lower", .select = SelectPlane{{0, 1e-4, 0}, {0, -1, 0}}});
    ScenePin& press = scene.pins.emplace_back();
    press.object = "upper";
    press.select = SelectPlane{{0, 0.08 + 2 * shape.height + 0.004 - 1e-4, 0}, {0, 1, 0}};
    press.motion.smooth = false;
    press.motion.keyframes = {{.time = 0}, {.time = 0.06, .translate = {0, -0.012, 0}}};
    scene.solver = {};
    scene.solver.type = "vbd";
    scene.solver.options.set("iterations", 60);
    Simulation s = simulation_of(scene);
    take(s, 100);
    int64_t limited = 0;
    for (int k = 0; k < 20; ++k) {
      const Result<StepReport> report = s.step();
      ASSERT_TRUE(report) << report.error().message();
      limited += report->limited;
    }
    const Evaluation at = s.evaluate();
    EXPECT_EQ(limited, 0) << shape.name;
    EXPECT_GT(at.contacts, 0) << shape.name;
    EXPECT_GT(at.smallest_gap, 0.1 * 0.003) << shape.name;
    EXPECT_LT(at.residual, 0.05) << shape.name;
    EXPECT_LT(fastest(s), 1e-3) << shape.name;
  }
}

}  // namespace
}  // namespace sinew
