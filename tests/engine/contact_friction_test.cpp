// Source: Coulomb's law of friction, and what follows from it by hand: a block on a slope, one that comes to rest, a
// belt on a cylinder (Euler and Eytelwein); Li et al. 2020 (IPC), eq. 16, for the creep of smoothed friction.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "sinew/simulation.h"
#include "support/contact_scenes.h"
#include "support/simulated.h"

namespace sinew {
namespace {

// A stiff block at rest on a slope, at the height at which its contacts carry it.
Scene resting(double slope, double mu, FrictionForm form = FrictionForm::smooth) {
  Scene scene = on_floor(1e7);
  constexpr double radius = 1e-3, stiffness = 1e5;
  const Real3 size{0.1, 0.04, 0.1};
  const double weight = 1000 * size[0] * size[1] * size[2] * gravity * std::cos(slope);
  scene.objects = {block("block", {0, radius - weight / (4 * stiffness), 0}, size, {1, 1, 1})};
  scene.gravity = {gravity * std::sin(slope), -gravity * std::cos(slope), 0};
  scene.contact->radius = radius;
  scene.contact->stiffness = stiffness;
  scene.contact->friction = mu;
  scene.contact->friction_speed = 1e-4;
  scene.contact->friction_form = form;
  return scene;
}
double place(const Simulation& s) {
  return mean_of(s.positions())[0];
}
double speed(const Simulation& s) {
  return mean_of(s.velocities())[0];
}

// A percent above tan(slope) holds; a percent below lets go, by about g (sin a - mu cos a), which is a hundredth of the
// forces that a residual of 1e-4 leaves in balance.
TEST(ContactFriction, HoldsIffTheSlopeIsBelowItsAngle) {
  for (const char* solver : {"vbd", "pbng", "newton"}) {
    for (int tenths = 1; tenths <= 9; ++tenths) {
      const double mu = 0.1 * tenths;
      for (const double share : {0.99, 1.01}) {
        const double slope = std::atan(share * mu);
        Scene scene = resting(slope, mu);
        scene.materials = {rubber(2e6)};  // sweeps need fewer iterations then
        solve_by(scene, solver, 1e-4, 5000);
        Simulation s = simulation_of(scene);
        take(s, 30);
        const double free = 0.3 * gravity * std::cos(slope) * 0.01 * mu;
        if (share < 1) {
          EXPECT_LT(speed(s), scene.contact->friction_speed) << solver << " " << mu;
        } else {
          EXPECT_GT(speed(s), 0.8 * free) << solver << " " << mu;
        }
      }
    }
  }
}

// g/2 (sin a - mu cos a) t (t + h), which backward Euler's sum is, for a = .3, mu = .2 and t = 1 s.
TEST(ContactFriction, SlidesDownASlope) {
  for (const FrictionForm form : {FrictionForm::smooth, FrictionForm::stick}) {
    Scene scene = resting(0.3, 0.2, form);
    for (double& g : scene.gravity) g *= 9.8 / gravity;
    scene.time.frame_dt = 1.0 / 150;
    Simulation s = simulation_of(scene);
    const double start = place(s);
    take(s, 150);
    EXPECT_NEAR(place(s) - start, 0.5153, 1e-2 * 0.5153) << name_of(form);
  }
}

// From 2 m/s after v^2 / (2 mu g); and friction takes all of the energy, never giving any.
TEST(ContactFriction, StopsAfterItsBrakingDistance) {
  for (const FrictionForm form : {FrictionForm::smooth, FrictionForm::stick}) {
    for (const auto& [mu, distance] : {std::pair{0.2, 1.0194}, std::pair{0.4, 0.5097}, std::pair{0.7, 0.2912}}) {
      Scene scene = resting(0, mu, form);
      scene.time.frame_dt = 1e-3;
      scene.objects[0].velocity = {2, 0, 0};
      Simulation s = simulation_of(scene);
      const double start = place(s);
      double work = 0;
      for (int k = 0; k < static_cast<int>(1.1 * 2 / (mu * gravity) / 1e-3); ++k) {
        const Result<StepReport> report = s.step();
        ASSERT_TRUE(report) << report.error().message();
        EXPECT_LE(report->evaluation.friction_work, 0);
        work += report->evaluation.friction_work;
      }
      EXPECT_NEAR(place(s) - start, distance, 1e-2 * distance) << mu << " " << name_of(form);
      EXPECT_LT(std::abs(speed(s)), 1e-4) << mu << " " << name_of(form);
      const double kinetic = 0.5 * 0.4 * 2 * 2;  // of 0.4 kg
      EXPECT_NEAR(work, -kinetic, 0.02 * kinetic) << mu << " " << name_of(form);
    }
  }
}

// What smoothed friction holds creeps at v = friction_speed (1 - sqrt(1 - tan(slope)/mu)).
TEST(ContactFriction, CreepsAsSmoothedFrictionSays) {
  const double slope = 20 * std::numbers::pi / 180;
  Scene scene = resting(slope, 0.5);
  scene.contact->friction_speed = 1e-2;
  Simulation s = simulation_of(scene);
  take(s, 100);
  EXPECT_NEAR(speed(s) / 1e-2, 0.4784, 0.01 * 0.4784);
}

// Friction that sticks does not creep: less than 1e-6 m in a minute at mu = 1.05 tan(slope).
TEST(ContactFriction, HoldsForAMinute) {
  Scene scene = resting(0.3, 1.05 * std::tan(0.3), FrictionForm::stick);
  scene.materials[0].damping = 1e-3;
  Simulation s = simulation_of(scene);
  take(s, 100);
  const double start = place(s);
  take(s, 6000);
  EXPECT_LT(std::abs(place(s) - start), 1e-6);
}

// A closed cylinder about the z axis.
ColliderArrays cylinder(double radius, double half_length, int sides) {
  ColliderArrays surface;
  surface.vertices = {0, 0, -half_length, 0, 0, half_length};
  for (int k = 0; k < sides; ++k)
    for (const double z : {-half_length, half_length}) {
      const double angle = 2 * std::numbers::pi * k / sides;
      surface.vertices.insert(surface.vertices.end(), {radius * std::cos(angle), radius * std::sin(angle), z});
    }
  for (int k = 0; k < sides; ++k) {
    const int64_t a = 2 + 2 * k, b = 2 + 2 * ((k + 1) % sides);
    const int64_t corners[][3] = {{a, b, b + 1}, {a, b + 1, a + 1}, {0, b, a}, {1, a + 1, b + 1}};
    for (const auto& t : corners) surface.triangles.insert(surface.triangles.end(), t, t + 3);
  }
  return surface;
}

// A belt over the upper half of a cylinder, whose ends hang down; one is held, a force pulls at the other. The cylinder
// turns under it away from the end that is held, which then carries e^(mu pi) times the force. The belt's thickness and
// radius take half a percent, as friction acts below its middle.
TEST(ContactFriction, BeltOnACylinderCarriesTheForceOfTheCapstan) {
  constexpr double inner = 0.1, gap = 9e-4, thickness = 1e-3, width = 0.01, mu = 0.3, force = 0.5;
  constexpr int along_arc = 40, along_tail = 4;
  const double middle = inner + gap, step = std::numbers::pi * middle / along_arc;
  Scene scene = on_floor(2e7);
  scene.gravity = {0, 0, 0};
  scene.objects[0].name = "belt";
  // From the end that hangs at -x, over the top, to the one at +x.
  scene.objects[0].mesh = mapped_box({along_arc + 2 * along_tail, 1, 1}, [&](int i, int j, int k) {
    const double out = middle + thickness * j, z = width * (k - 0.5);
    const int on_arc = std::clamp(i - along_tail, 0, along_arc);
    const double angle = std::numbers::pi * (1 - double(on_arc) / along_arc);
    const int in_tail = std::max(along_tail - i, i - along_tail - along_arc);
    return Real3{out * std::cos(angle), out * std::sin(angle) - (in_tail > 0 ? step * in_tail : 0), z};
  });
  scene.materials[0].damping = 2e-2;
  const double low = -step * along_tail + 1e-4;
  scene.pins.push_back({.object = "belt", .select = SelectBox{{-1, -1, -1}, {0, low, 1}}});
  SceneLoad& load = scene.loads.emplace_back();
  load.kind = SceneLoad::Kind::force;
  load.object = "belt";
  load.select = SelectBox{{0, -1, -1}, {1, low, 1}};
  load.value = {0, -force, 0};
  scene.colliders = {{.name = "cylinder", .shape = cylinder(inner, 0.02, 180)}};
  scene.colliders[0].motion.smooth = false;
  scene.colliders[0].motion.center = Real3{0, 0, 0};
  scene.colliders[0].motion.keyframes = {{.time = 0}, {.time = 10, .rotate_degrees = -360}};
  scene.contact->radius = 1e-3;
  scene.contact->stiffness = 2e3;
  scene.contact->friction = mu;
  scene.contact->friction_speed = 1e-3;
  scene.contact->self = false;
  scene.solver.options.set("relative_tolerance", 1e-6);
  Simulation s = simulation_of(scene);
  double held = 0;
  constexpr int settle = 40, measured = 20;
  for (int k = 0; k < settle + measured; ++k) {
    take(s, 1);
    if (k < settle) continue;
    for (const Real3& r : s.reactions()) held -= r[1] / measured;
  }
  const double expected = std::exp(mu * std::numbers::pi);
  EXPECT_NEAR(held / force, expected, 0.02 * expected);
}

}  // namespace
}  // namespace sinew
