// Source: mechanics: contact and friction give a body no energy, under every solver and however stiff contacts are.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "sinew/simulation.h"
#include "support/contact_scenes.h"
#include "support/simulated.h"

namespace sinew {
namespace {

// [J]
double energy_of(const Simulation& s) {
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
    const double start = energy_of(s);
    for (int step = 0; step < 20; ++step) {
      take(s, 1);
      ASSERT_LT(energy_of(s), start + 0.01) << step;
    }
    EXPECT_LT(fastest(s), 0.1);
    EXPECT_LT(lowest(s), 0.02);
  }
}

}  // namespace
}  // namespace sinew
