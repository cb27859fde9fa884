// What is changed live of bodies on a grid, as of any others.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "math/length.h"
#include "sinew/simulation.h"
#include "support/grid_cube.h"
#include "support/simulated.h"

namespace sinew {
namespace {

// Without weight, one corner at the origin.
Scene floating_cube() {
  Scene scene = cube_on_grid({0, 0, 0});
  scene.solver.options.set("iterations", 20);
  scene.solver.options.set("precision", std::string("double"));
  return scene;
}
Vec3d mass_mean(const Simulation& s, const std::vector<Real3>& of) {
  const std::vector<double> mass = s.masses();
  Vec3d sum{};
  double all = 0;
  for (size_t v = 0; v < of.size(); ++v) {
    sum += mass[v] * Vec3d{of[v][0], of[v][1], of[v][2]};
    all += mass[v];
  }
  return (1 / all) * sum;
}
std::vector<int32_t> above(const Simulation& s, double height) {
  std::vector<int32_t> list;
  const std::vector<Real3> x = s.positions();
  for (size_t v = 0; v < x.size(); ++v)
    if (x[v][1] > height) list.push_back(static_cast<int32_t>(v));
  return list;
}

TEST(GridLive, AForceAcceleratesTheBody) {
  Simulation s = simulation_of(floating_cube());
  const Result<ForceHandle> force = s.add_force(above(s, 0.39), {0, 0, 6.4});
  ASSERT_TRUE(force.ok());
  take(s, 20);
  EXPECT_NEAR(mass_mean(s, s.velocities()).z, 0.2 * 6.4 / 12.8, 1e-9);
  ASSERT_TRUE(s.remove_force(*force).ok());
  take(s, 10);
  EXPECT_NEAR(mass_mean(s, s.velocities()).z, 0.2 * 6.4 / 12.8, 1e-9);
}

// As it does without a grid.
TEST(GridLive, AGrabPullsTheBodyAlong) {
  const auto end_of = [](bool on_grid) {
    Scene scene = floating_cube();
    if (!on_grid) scene.grid.reset();
    Simulation s = simulation_of(scene);
    const Result<std::optional<SurfacePoint>> hit = s.cast_ray({0.21, 0.19, -1}, {0, 0, 1});
    EXPECT_TRUE(hit.ok() && *hit);
    const Result<GrabHandle> grab = s.add_grab(**hit);
    EXPECT_TRUE(grab.ok()) << grab.error().message();
    for (int step = 1; step <= 60; ++step) {
      EXPECT_TRUE(s.move_grab(*grab, {0.21, 0.19 + 0.005 * step, 0}).ok());
      take(s, 1);
      if (step == 5) {
        EXPECT_GT((*s.grab_force(*grab))[1], 0);
      }
    }
    EXPECT_TRUE(s.remove_grab(*grab).ok());
    take(s, 1);
    return mass_mean(s, s.positions());
  };
  const Vec3d with = end_of(true), without = end_of(false);
  EXPECT_GT(with.y, 0.24);
  EXPECT_LT(length(with - without), 0.01);
}

TEST(GridLive, PinsHoldCarryAndLetGo) {
  Scene scene = floating_cube();
  scene.gravity = {0, -9.8, 0};
  Simulation s = simulation_of(scene);
  const std::vector<int32_t> top = above(s, 0.39);
  const Result<PinHandle> pin = s.add_pin(top);
  ASSERT_TRUE(pin.ok());
  take(s, 150);
  EXPECT_NEAR(mass_mean(s, s.velocities()).y, 0, 0.05);
  double held = 0;
  for (const Real3& f : s.reactions()) held += f[1];
  EXPECT_NEAR(held, 12.8 * 9.8, 12) << "it hangs, and still swings a little";
  const double before = mass_mean(s, s.positions()).y;
  for (int step = 1; step <= 50; ++step) {
    PinPose pose;
    pose.translate = {0.004 * step, 0, 0};
    ASSERT_TRUE(s.move_pin(*pin, pose).ok());
    take(s, 1);
  }
  take(s, 100);
  EXPECT_NEAR(mass_mean(s, s.positions()).x, 0.4, 0.05);
  EXPECT_NEAR(mass_mean(s, s.positions()).y, before, 0.02);
  ASSERT_TRUE(s.remove_pin(*pin).ok());
  take(s, 20);
  EXPECT_LT(mass_mean(s, s.velocities()).y, -1.5);
}

TEST(GridLive, OtherParametersAreThoseOfAnotherScene) {
  Scene scene = floating_cube();
  scene.objects[0].stretch = {1.1, 1, 1};
  Simulation changed = simulation_of(scene);
  ASSERT_TRUE(changed.set("materials." + scene.materials[0].name + ".youngs_modulus", 1e4).ok());
  ASSERT_TRUE(changed.set("solver.type", "xpbd").ok());
  ASSERT_TRUE(changed.set_gravity({0, 0, -1}).ok());
  scene.materials[0].set("youngs_modulus", 1e4);
  scene.solver.type = "xpbd";
  scene.gravity = {0, 0, -1};
  Simulation built = simulation_of(scene);
  take(changed, 5);
  take(built, 5);
  EXPECT_EQ(changed.positions(), built.positions());
}

// Those that are off stay to the last bit.
TEST(GridLive, ObjectsAreSwitchedOffAndOn) {
  Scene scene = floating_cube();
  scene.gravity = {0, -9.8, 0};
  scene.objects.push_back(scene.objects[0]);
  scene.objects[1].name = "other";
  scene.objects[1].transform.translate = {2, 0, 0};
  Simulation s = simulation_of(scene);
  take(s, 3);
  ASSERT_TRUE(s.switch_object("other", false).ok());
  const std::vector<Real3> before = s.positions();
  take(s, 10);
  const ObjectInfo other = s.objects()[1], first = s.objects()[0];
  const std::vector<Real3> after = s.positions();
  for (auto v = static_cast<size_t>(other.first_vertex); v < static_cast<size_t>(other.last_vertex); ++v)
    ASSERT_EQ(after[v], before[v]) << v;
  EXPECT_LT(after[static_cast<size_t>(first.first_vertex)][1],
            before[static_cast<size_t>(first.first_vertex)][1] - 0.05);
  ASSERT_TRUE(s.switch_object("other", true).ok());
  take(s, 10);
  EXPECT_LT(s.positions()[static_cast<size_t>(other.first_vertex)][1],
            before[static_cast<size_t>(other.first_vertex)][1] - 0.03);
}

TEST(GridLive, ObjectsThatAreOffStayWhereCollidersPass) {
  for (const char* precision : {"single", "double"}) {
    Scene scene = floating_cube();
    scene.gravity = {0, -9.8, 0};
    scene.solver.options.set("precision", std::string(precision));
    SceneCollider ball;
    ball.name = "ball";
    ball.shape = ColliderSphere{{-0.4, 0.2, 0.2}, 0.15};
    ball.motion.keyframes = {{.time = 0}, {.time = 0.5, .translate = {0.8, 0, 0}}};
    scene.colliders = {ball};
    Simulation s = simulation_of(scene);
    ASSERT_TRUE(s.switch_object(s.objects()[0].name, false).ok());
    const std::vector<Real3> before = s.positions();
    take(s, 60);
    EXPECT_EQ(s.positions(), before) << precision;
    for (const Real3& v : s.velocities()) ASSERT_EQ(v, (Real3{0, 0, 0}));
  }
}

TEST(GridLive, ObjectsAreAddedAndRemoved) {
  Scene scene = floating_cube();
  scene.gravity = {0, -9.8, 0};
  Simulation alone = simulation_of(scene), s = simulation_of(scene);
  take(alone, 10);
  take(s, 5);
  SceneObject far = scene.objects[0];
  far.name = "far";
  far.transform.translate = {3, 0, 0};
  ASSERT_TRUE(s.add_object(far).ok());
  take(s, 5);
  const std::vector<Real3> expected = alone.positions(), x = s.positions();
  for (size_t v = 0; v < expected.size(); ++v)
    for (size_t c = 0; c < 3; ++c) ASSERT_NEAR(x[v][c], expected[v][c], 1e-9) << v;
  EXPECT_NEAR(mass_mean(s, s.velocities()).y, -9.8 * (0.1 + 0.05) / 2, 1e-6);
  ASSERT_TRUE(s.remove_object("far").ok());
  take(s, 5);
  EXPECT_EQ(s.positions().size(), expected.size());
}

TEST(GridLive, SnapshotsAndLogsLeadToTheSameBits) {
  Scene scene = floating_cube();
  scene.objects[0].stretch = {1.1, 1, 1};
  Simulation s = simulation_of(scene);
  take(s, 5);
  const Snapshot then = s.save();
  ASSERT_TRUE(s.add_force(above(s, 0.39), {1, 2, 3}).ok());
  take(s, 5);
  const uint64_t end = s.hash();
  const Result<std::string> log = s.changes();
  ASSERT_TRUE(log.ok());
  Simulation again = simulation_of(scene);
  ASSERT_TRUE(again.replay(*log).ok());
  if (again.steps_taken() < s.steps_taken()) take(again, static_cast<int>(s.steps_taken() - again.steps_taken()));
  EXPECT_EQ(again.hash(), end);
  ASSERT_TRUE(s.restore(then).ok());
  ASSERT_TRUE(s.add_force(above(s, 0.39), {1, 2, 3}).ok());
  take(s, 5);
  EXPECT_EQ(s.hash(), end);
}

// A body that is stopped has no spin left, wherever a grid keeps it.
TEST(GridLive, VelocitiesAreSetWithTheirSpin) {
  Simulation s = simulation_of(floating_cube());
  const std::vector<Real3> start = s.positions();
  std::vector<Real3> spin(start.size());
  for (size_t v = 0; v < start.size(); ++v) spin[v] = {-3 * (start[v][1] - 0.2), 3 * (start[v][0] - 0.2), 0};
  ASSERT_TRUE(s.set_velocities(spin).ok());
  take(s, 10);
  std::vector<Real3> still(start.size(), Real3{0, 0, 0});
  ASSERT_TRUE(s.set_velocities(still).ok());
  const std::vector<Real3> before = s.positions();
  take(s, 1);
  double most = 0;
  const std::vector<Real3> after = s.positions();
  for (size_t v = 0; v < after.size(); ++v)
    most = std::max(most,
                    length(Vec3d{after[v][0] - before[v][0], after[v][1] - before[v][1], after[v][2] - before[v][2]}));
  EXPECT_LT(most, 0.01 * 3 * 0.28 * 0.1) << "a tenth of what the corners moved in a step";
  ASSERT_TRUE(s.set_state(start, still).ok());
  take(s, 1);
  EXPECT_NEAR(length(mass_mean(s, s.positions()) - Vec3d{0.2, 0.2, 0.2}), 0, 1e-6);
}

}  // namespace
}  // namespace sinew
