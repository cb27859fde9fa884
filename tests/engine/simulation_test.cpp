// Sources: the interface in sinew/simulation.h; equilibrium of forces; for fibres Blemker, Pinsky & Delp 2005, whose
// Cauchy stress along a fibre of optimal length is sigma_max.
#include "sinew/simulation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "io/says.h"
#include "support/box_scene.h"

namespace sinew {
namespace {

// A block that hangs from its upper face, optionally moved to the right at 1 m/s.
Scene hanging_block(bool moved = false) {
  Scene scene = box_scene(2);
  scene.gravity = {0, -9.81, 0};
  scene.pins = {pin_of(SelectPlane{{0, 1, 0}, {0, 1, 0}})};
  if (moved) scene.pins[0].motion.keyframes = {{.time = 0}, {.time = 10, .translate = {10, 0, 0}}};
  scene.time.frame_dt = 0.02;
  scene.time.duration = 1;
  return scene;
}

double total(const std::vector<Real3>& forces, size_t axis) {
  double sum = 0;
  for (const Real3& f : forces) sum += f[axis];
  return sum;
}

// The pins carry the weight, upwards.
TEST(Simulation, ReactionsCarryTheWeight) {
  Scene scene = hanging_block();
  scene.time.quasistatic = true;
  scene.solver.type = "newton";
  Result<Simulation> still = Simulation::create(scene, 1);
  ASSERT_TRUE(still.ok()) << still.error().message();
  ASSERT_TRUE(still->step().ok());
  const double weight = 1000 * 9.81;  // of 1 m^3
  EXPECT_NEAR(total(still->reactions(), 1), weight, 1e-6 * weight);
  EXPECT_NEAR(total(still->reactions(), 0), 0, 1e-6 * weight);
  const std::vector<Real3> rest = still->rest_positions(), forces = still->reactions();
  for (size_t v = 0; v < rest.size(); ++v) {
    if (rest[v][1] < 1) {
      EXPECT_EQ(forces[v], (Real3{0, 0, 0})) << v;
    }
  }
}

// All corners are held where the body is stretched to the fibres' optimal length at constant volume: the force on the
// ends is the peak stress times their current area.
TEST(Simulation, PeakStressOfFibresIsCauchys) {
  const double best = 1.3, peak = 2e5;
  Scene scene = box_scene(1);
  scene.materials[0].set("youngs_modulus", 1e-3);  // negligible relative to the fibres
  SceneFibres fibres{.along = FibreConstant{{1, 0, 0}}, .activation_curve = {}};
  fibres.peak_stress = peak;
  fibres.optimal_stretch = best;
  fibres.activation = 1;
  scene.objects[0].fibres = fibres;
  scene.objects[0].stretch = {best, 1 / std::sqrt(best), 1 / std::sqrt(best)};
  scene.pins = {pin_of(SelectPlane{{-9, 0, 0}, {1, 0, 0}})};
  scene.time.quasistatic = true;
  const Result<Simulation> simulation = Simulation::create(scene, 1);
  ASSERT_TRUE(simulation.ok()) << simulation.error().message();
  double pull = 0;
  const std::vector<Real3> rest = simulation->rest_positions(), forces = simulation->reactions();
  for (size_t v = 0; v < rest.size(); ++v) pull += rest[v][0] == 1 ? forces[v][0] : 0;
  const double area = 1 / best;  // of the face that was 1 m^2
  EXPECT_NEAR(pull, peak * area, 1e-6 * peak);
}

TEST(Simulation, SetsFreeVerticesAndRefusesToMoveHeldOnes) {
  for (const bool moved : {false, true}) {
    Result<Simulation> simulation = Simulation::create(hanging_block(moved), 1);
    ASSERT_TRUE(simulation.ok()) << simulation.error().message();
    ASSERT_TRUE(simulation->advance_frame().ok());
    const std::vector<Real3> rest = simulation->rest_positions(), before = simulation->positions();
    const std::vector<Real3> still(before.size(), Real3{0, 0, 0});
    size_t held = 0, free = 0;
    while (rest[held][1] < 1) ++held;
    while (rest[free][1] == 1) ++free;
    for (size_t v = 0; v < rest.size(); ++v) EXPECT_EQ(simulation->held()[v], rest[v][1] == 1) << v;

    std::vector<Real3> wanted = before;
    wanted[free][0] += 0.01;
    ASSERT_TRUE(simulation->set_state(wanted, still).ok()) << "velocities of held vertices are not looked at";
    EXPECT_EQ(simulation->positions(), wanted);

    const uint64_t state = simulation->hash();
    std::vector<Real3> wrong = wanted;
    wrong[held][1] += 0.01;
    const Status refused = simulation->set_state(wrong, still);
    ASSERT_FALSE(refused.ok());
    EXPECT_TRUE(says(refused.error().message(), "positions: entry " + std::to_string(held) + " is ("));
    EXPECT_TRUE(says(refused.error().message(), "but pins.0 holds this vertex at ("));
    EXPECT_EQ(simulation->hash(), state) << "a refusal changes nothing";

    // Positions that were stored in single precision are also accepted.
    for (Real3& x : wanted)
      for (double& c : x) c = static_cast<float>(c);
    ASSERT_TRUE(simulation->set_state(wanted, still).ok());
    EXPECT_EQ(simulation->positions()[held], before[held]);
    ASSERT_TRUE(simulation->advance_frame().ok());
  }
}

// Once a pin is released, its vertices can be set.
TEST(Simulation, SetsWhatIsReleased) {
  Scene scene = hanging_block();
  scene.pins[0].release = 0.03;
  Result<Simulation> simulation = Simulation::create(scene, 1);
  ASSERT_TRUE(simulation.ok()) << simulation.error().message();
  std::vector<Real3> x = simulation->positions();
  for (Real3& p : x) p[0] += 1;
  const std::vector<Real3> still(x.size(), Real3{0, 0, 0});
  const auto held = [&] {
    const std::vector<bool> of = simulation->held();
    return std::count(of.begin(), of.end(), true);
  };
  EXPECT_FALSE(simulation->set_state(x, still).ok());
  EXPECT_GT(held(), 0);
  ASSERT_TRUE(simulation->advance_frame().ok());
  EXPECT_EQ(held(), 0);
  EXPECT_TRUE(simulation->set_state(x, still).ok()) << "the next step ends at 0.04 s";
  EXPECT_EQ(simulation->positions(), x);
}

}  // namespace
}  // namespace sinew
