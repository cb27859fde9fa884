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

// [J] Of a state at which the last step has been measured.
double energy_of(const Simulation& s, const Evaluation& evaluation) {
  const Energies energies = s.energies();
  return energies.kinetic + energies.elastic + energies.gravity + evaluation.contact_energy;
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
    const double start = energy_of(s, s.evaluate());
    double most = 0, fast = 0;
    for (int k = 0; k < static_cast<int>(seconds / scene.time.frame_dt); ++k) {
      const Result<StepReport> report = s.step();
      ASSERT_TRUE(report) << report.error().message();
      most = std::max(most, energy_of(s, report->evaluation) - start);
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
      const double start = energy_of(s, {});
      const double kinetic = s.energies().kinetic;
      double last = start, most = 0, jump = 0;
      for (int k = 0; k < 80; ++k) {
        const Result<StepReport> report = s.step();
        ASSERT_TRUE(report) << report.error().message();
        EXPECT_LE(report->evaluation.friction_work, 0);
        const double energy = energy_of(s, report->evaluation);
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
