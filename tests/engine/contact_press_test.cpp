// Sources: the promises of docs/contact.md: with the guarantee, colliders that something is in the way of stop as
// wholes. Planes and vertices are certified by contact/separation.h; the rest is geometry.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "contact/separation.h"
#include "sinew/simulation.h"
#include "support/simulated.h"

namespace sinew {
namespace {

// A held cube of 0.1 m on a floor, and what comes down on it: by 5 cm too far.
Scene press(ColliderShape shape, double rotate_degrees = 0) {
  Scene scene;
  SceneMaterial rubber;
  rubber.name = "rubber";
  rubber.set("youngs_modulus", 1e5);
  scene.materials = {rubber};
  SceneObject cube;
  cube.name = "cube";
  cube.mesh = MeshBox{{0.1, 0.1, 0.1}, {2, 2, 2}, {0, 0.01, 0}, 5};
  cube.material = "rubber";
  scene.objects = {cube};
  ScenePin pin;
  pin.object = "cube";
  pin.select = SelectAll{};
  scene.pins = {pin};
  scene.contact = ContactSettings{};
  scene.contact->guarantee = ContactGuarantee::intersection_free;
  scene.contact->radius = 0.004;
  SceneCollider plate;
  plate.name = "plate";
  plate.shape = std::move(shape);
  plate.motion.smooth = false;
  plate.motion.keyframes = {
      {.time = 0}, {.time = 0.05, .translate = {0.01, -0.1, 0}, .rotate_degrees = rotate_degrees}, {.time = 0.1}};
  scene.colliders = {{.name = "floor", .shape = ColliderHalfSpace{}}, plate};
  scene.time.frame_dt = 0.005;
  scene.solver.type = "vbd";
  return scene;
}
Vec3d vec(const Real3& p) {
  return {p[0], p[1], p[2]};
}
double height(const PlacedCollider::Plane& plane, const Real3& x) {
  return dot_below(vec(plane.normal), vec(x)) - dot_above(vec(plane.normal), vec(plane.point));
}

TEST(ContactPress, AHalfSpaceStopsAtVertices) {
  for (const double degrees : {0.0, 20.0}) {
    Simulation s = simulation_of(press(ColliderHalfSpace{{0, 0.16, 0}, {0, -1, 0}}, degrees), 2);
    int64_t unreached = 0;
    double least = 1;
    for (int k = 0; k < 20; ++k) {
      const Result<StepReport> report = s.step();
      ASSERT_TRUE(report.ok());
      unreached += report->unreached;
      EXPECT_EQ(report->undivided, 0);
      const PlacedCollider::Plane plane = s.collider({1}).value().planes[0];
      for (const Real3& x : s.positions()) {
        EXPECT_GT(height(plane, x), 0) << "step " << k;
        least = std::min(least, height(plane, x));
      }
    }
    EXPECT_GT(unreached, 0);
    EXPECT_LT(least, 0.001) << "it comes close";
    EXPECT_NEAR(s.collider({1}).value().planes[0].point[1], 0.16, 1e-12) << "it goes back";
  }
}

// Distances between its corners are those at rest.
TEST(ContactPress, APlateStopsAsAWhole) {
  for (const double degrees : {0.0, 20.0}) {
    const ColliderBox box{{0.05, 0.16, -0.1}, {0.3, 0.18, 0.2}};
    Simulation s = simulation_of(press(box, degrees), 2);
    const PlacedCollider at_rest = s.collider({1}).value();
    int64_t unreached = 0;
    double lowest = 1;
    for (int k = 0; k < 20; ++k) {
      const Result<StepReport> report = s.step();
      ASSERT_TRUE(report.ok());
      unreached = std::max(unreached, report->unreached);
      const std::vector<Real3> x = s.collider({1}).value().vertices;
      for (size_t a = 0; a < x.size(); ++a)
        for (size_t b = 0; b < a; ++b) {
          const Vec3d now = vec(x[a]) - vec(x[b]), rest = vec(at_rest.vertices[a]) - vec(at_rest.vertices[b]);
          EXPECT_NEAR(std::sqrt(dot(now, now)), std::sqrt(dot(rest, rest)), 1e-15) << "step " << k;
          lowest = std::min(lowest, x[a][1]);
        }
    }
    EXPECT_EQ(unreached, 8) << "all its corners";
    if (degrees == 0) {
      EXPECT_GT(lowest, 0.11);
    }
    EXPECT_LT(lowest, 0.115);
    for (size_t k = 0; k < 8; ++k) EXPECT_NEAR(s.collider({1}).value().vertices[k][1], at_rest.vertices[k][1], 1e-12);
  }
}

// A floor that comes up lifts what stands on it, and a step that is taken again has the same bits.
TEST(ContactPress, AFloorLiftsWhatStandsOnIt) {
  Scene scene = press(ColliderHalfSpace{{0, 9, 0}, {0, -1, 0}});
  scene.pins.clear();
  scene.colliders[0].motion.keyframes = {{.time = 0}, {.time = 0.1, .translate = {0, 0.05, 0}}};
  Simulation s = simulation_of(scene);
  take(s, 10);
  const Snapshot then = s.save();
  take(s, 10);
  const uint64_t straight = s.hash();
  const PlacedCollider::Plane floor = s.collider({0}).value().planes[0];
  EXPECT_NEAR(floor.point[1], 0.05, 1e-3);
  for (const Real3& x : s.positions()) EXPECT_GT(height(floor, x), 0);
  ASSERT_TRUE(s.restore(then));
  take(s, 10);
  EXPECT_EQ(s.hash(), straight);
}

// Steps that wait for a script begin anew again and again, where a descent must not forget how far it may go.
TEST(ContactPress, DescentsOfAllVerticesAtOncePressABall) {
  for (const char* const solver : {"gradient_descent", "block_jacobi"}) {
    Scene scene;
    SceneMaterial rubber;
    rubber.name = "rubber";
    rubber.model = "stable_neo_hookean";
    rubber.set("youngs_modulus", 1e5);
    rubber.set("poisson_ratio", 0.3);
    rubber.damping = 0.002;
    scene.materials = {rubber};
    SceneObject ball;
    ball.name = "ball";
    ball.mesh = MeshBall{.radius = 0.1, .shells = 6, .center = {0, 0.1, 0}};
    ball.material = "rubber";
    scene.objects = {ball};
    scene.contact = ContactSettings{};
    scene.contact->guarantee = ContactGuarantee::intersection_free;
    scene.contact->friction = 0.3;
    SceneCollider plate;
    plate.name = "plate";
    plate.shape = ColliderBox{{-0.6, 0.203, -0.6}, {0.6, 0.3, 0.6}};
    plate.motion.keyframes = {{.time = 0}, {.time = 1.2, .translate = {0, -0.186, 0}}};
    scene.colliders = {{.name = "anvil", .shape = ColliderBox{{-0.6, -0.1, -0.6}, {0.6, -0.003, 0.6}}}, plate};
    scene.time.frame_dt = 1.0 / 240;
    scene.solver.type = solver;
    scene.solver.options = {{"iterations", 40.0}, {"precision", std::string("double")}};
    Simulation s = simulation_of(scene, 2);
    int64_t unreached = 0;
    for (int k = 0; k < 200; ++k) {
      const Result<StepReport> report = s.step();
      ASSERT_TRUE(report.ok()) << solver << ", step " << k << ": " << report.error().message();
      unreached += report->unreached;
    }
    EXPECT_GT(unreached, 0) << solver;
    for (const Real3& x : s.positions()) EXPECT_LT(std::abs(x[0]) + std::abs(x[1]) + std::abs(x[2]), 1) << solver;
  }
}

}  // namespace
}  // namespace sinew
