// Source: mechanics: contact and friction give a body no energy, under every solver and however stiff contacts are.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "sinew/simulation.h"
#include "support/contact_scenes.h"
#include "support/simulated.h"

namespace sinew {
namespace {

// [J]
double energy_without_contact(const Simulation& s) {
  const Energies energies = s.energies();
  return energies.kinetic + energies.elastic + energies.gravity;
}

// A guess that falls through the floor has millions of joules of contact. L-BFGS, which knows nothing of the stiffness
// of contacts, must not end where a share of that is left.
TEST(ContactFaults, ABodyStaysOnAFloorOfTheStiffestKind) {
  for (const auto guarantee : {ContactGuarantee::none, ContactGuarantee::intersection_free}) {
    Scene scene = on_floor(1e5);
    scene.objects = {cube("cube", {0, 0.02, 0}, 2)};
    scene.contact->stiffness = 1e12;
    scene.contact->friction = 0.4;
    scene.contact->guarantee = guarantee;
    scene.time.frame_dt = 1.0 / 60;
    scene.solver = {};
    scene.solver.type = "quasi_newton";
    Simulation s = simulation_of(scene);
    const double start = energy_without_contact(s);
    for (int step = 0; step < 20; ++step) {
      take(s, 1);
      ASSERT_LT(energy_without_contact(s), start + 0.01) << step;
    }
    EXPECT_LT(fastest(s), 0.1);
    EXPECT_LT(lowest(s), 0.02);
  }
}

// Two blocks that hit each other at 10 m/s go 17 cm into each other in the guess of a step of 1/60 s, two cells. What
// pushes them out must not throw them away; a fifth is what 20 iterations that are not converged may add.
TEST(ContactFaults, MethodsByConstraintHardlyGainEnergyInAHardHit) {
  for (const char* solver : {"xpbd", "pbd", "b_pxpbd"}) {
    for (const double modulus : {1e5, 1e6, 1e7}) {
      Scene scene;
      scene.materials = {rubber(modulus)};
      scene.materials[0].model = "fixed_corotated";
      scene.objects = {cube("upper", {0, 0.3, 0}, 4, 0.4), cube("lower", {0.013, -0.2, 0.017}, 4, 0.4)};
      scene.objects[0].velocity = {0, -10, 0};
      scene.gravity = {0, 0, 0};
      scene.contact = ContactSettings{};
      scene.contact->friction = 0.4;
      scene.time.frame_dt = 1.0 / 60;
      scene.solver.type = solver;
      Simulation s = simulation_of(scene);
      const double start = energy_without_contact(s);
      for (int step = 0; step < 24; ++step) {
        take(s, 1);
        ASSERT_LT(energy_without_contact(s), (modulus > 1e6 ? 1.25 : 1.05) * start)
            << solver << " " << modulus << " " << step;
      }
    }
  }
}

// With a penalty a thousand times as stiff as the bodies, vertices that move out of each other together overshoot;
// VBD, which does not share penalties, may double their energy in 60 sweeps, and a little more.
TEST(ContactFaults, SweepsTakeStiffPenaltiesBetweenSoftBodies) {
  for (const auto& [solver, most] : {std::pair{"vbd", 3.0}, std::pair{"pbng", 1.02}}) {
    Scene scene;
    scene.materials = {rubber(1000)};
    scene.objects = {cube("upper", {0, 0.25, 0}, 4, 0.4), cube("lower", {0.013, -0.2, 0.017}, 4, 0.4)};
    scene.objects[0].velocity = {0, -1, 0};
    scene.gravity = {0, 0, 0};
    scene.contact = ContactSettings{};
    scene.contact->law = ContactLaw::penalty;
    scene.contact->stiffness = 1e5;
    scene.time.frame_dt = 1.0 / 60;
    scene.solver.type = solver;
    scene.solver.options.set("iterations", 60);
    Simulation s = simulation_of(scene);
    const double start = energy_without_contact(s);
    for (int step = 0; step < 24; ++step) {
      take(s, 1);
      ASSERT_LT(energy_without_contact(s), most * start) << solver << " " << step;
    }
  }
}

}  // namespace
}  // namespace sinew
