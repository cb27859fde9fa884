// Source: grabs in sinew/simulation.h and sinew/live.h; statics of a hanging body; what is changed live equals what was
// built so from the start, bit for bit.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "sinew/simulation.h"
#include "solver/solver_list.h"
#include "support/box_scene.h"
#include "support/simulated.h"

namespace sinew {
namespace {

// A block of 1 m and 1000 kg in the air.
Scene falling_block(const char* solver = "vbd") {
  Scene scene = box_scene(2);
  scene.materials[0].set("youngs_modulus", 1e6);
  scene.solver.type = solver;
  scene.gravity = {0, -9.81, 0};
  scene.time.frame_dt = 0.02;
  return scene;
}
// A point of the upper face, from above.
SurfacePoint top_of(const Simulation& s) {
  const auto hit = s.cast_ray({0.4, 9, 0.3}, {0, -1, 0}).value();
  EXPECT_TRUE(hit.has_value());
  return hit.value_or(SurfacePoint());
}
Real3 place_of(const Simulation& s, const SurfacePoint& point) {
  const std::vector<Real3> x = s.positions();
  Real3 place{};
  for (size_t j = 0; j < 3; ++j)
    for (size_t c = 0; c < 3; ++c) place[c] += point.weights[j] * x[static_cast<size_t>(point.vertices[j])][c];
  return place;
}
double distance(const Real3& a, const Real3& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}
double mass_of(const Simulation& s) {
  double mass = 0;
  for (const double m : s.masses()) mass += m;
  return mass;
}

// A body hangs from a grab by its weight: the spring is m g/k long, 1 cm by default, the hand feels the weight, and the
// energy is that of the spring. By then its critical damping has stilled the swing of the centre.
TEST(LiveGrab, LiftsItsBodyByASmallStretch) {
  for (const bool by_default : {true, false}) {
    Scene scene = falling_block("newton");
    scene.materials[0].damping = 0.05;
    Simulation s = simulation_of(scene);
    const auto top = s.nearest_point({0.5, 1, 0.5}).value();  // above the centre
    const double k = by_default ? 1000 * mass_of(s) : 2e6;
    const GrabHandle grab =
        s.add_grab(*top, {.stiffness = by_default ? std::nullopt : std::optional(k), .damping = {}}).value();
    take(s, 400);
    EXPECT_NEAR(top->position[1] - place_of(s, *top)[1], mass_of(s) * 9.81 / k, 1e-4 * 9.81 / 1000);
    const Real3 force = s.grab_force(grab).value();
    EXPECT_NEAR(force[0], 0, 1e-2 * mass_of(s));
    EXPECT_NEAR(force[1], mass_of(s) * 9.81, 1e-3 * mass_of(s));
    EXPECT_NEAR(s.energies().grabs, force[1] * force[1] / (2 * k), 1e-3 * mass_of(s));
    ASSERT_TRUE(s.remove_grab(grab).ok());
    EXPECT_EQ(s.energies().grabs, 0);
  }
}

// Beside the spring the default damping is critical: let down 10 cm lower a body comes back up without passing by.
TEST(LiveGrab, DefaultDampingIsCritical) {
  Scene scene = falling_block("newton");
  scene.materials[0].set("youngs_modulus", 1e8);
  scene.gravity = {0, 0, 0};
  scene.time.substeps = 8;
  Simulation s = simulation_of(scene);
  const auto top = s.nearest_point({0.5, 1, 0.5}).value();
  const GrabHandle grab = s.add_grab(*top).value();
  ASSERT_TRUE(s.move_grab(grab, {0.5, 1.1, 0.5}).ok());
  double before = 1, at_one_swing = 0;
  for (int step = 0; step < 400; ++step) {
    take(s, 1);
    const double y = place_of(s, *top)[1];
    EXPECT_GE(y, before - 1e-6);
    EXPECT_LT(y, 1.1 + 1e-6);
    before = y;
    if (step == 39) at_one_swing = y;  // 0.1 s: 1 - (1 + w t) e^(-w t) of the way, w = sqrt(1000)/s
  }
  EXPECT_NEAR(at_one_swing, 1 + 0.1 * (1 - (1 + 3.162) * std::exp(-3.162)), 0.004);
  EXPECT_NEAR(before, 1.1, 1e-6);
}

// Carried along steadily, a body lags behind by damping times speed; with the target's velocity it does not.
TEST(LiveGrab, TargetsVelocityTakesTheLagAway) {
  for (const bool told : {false, true}) {
    Scene scene = falling_block("newton");
    scene.gravity = {0, 0, 0};
    Simulation s = simulation_of(scene);
    const auto side = s.nearest_point({2, 0.5, 0.5}).value();
    const GrabHandle grab = s.add_grab(*side, {.stiffness = 1e6, .damping = 0.04}).value();
    Real3 target = side->position;
    for (int step = 0; step < 200; ++step) {
      target[0] += 3 * 0.02;
      ASSERT_TRUE(s.move_grab(grab, target, {told ? 3.0 : 0.0, 0, 0}).ok());
      take(s, 1);
    }
    EXPECT_NEAR(target[0] - place_of(s, *side)[0], told ? 0 : 3 * 0.04, 1e-3);
  }
}

// In every solver of the list a grab pulls, and one that was added and removed before the first step is not there.
TEST(LiveGrab, PullsUnderEverySolver) {
  for (const SolverInfo& info : solver_list()) {
    Scene scene = falling_block(info.name);
    scene.materials[0].set("youngs_modulus", 1e5);
    scene.time.quasistatic = !info.traits.dynamic;
    scene.pins = {pin_of(SelectPlane{{0, 0, 0}, {0, -1, 0}})};
    if (info.traits.needs_zero_at_rest) scene.materials[0].model = "stable_neo_hookean";
    if (!Simulation::create(scene, 1)) scene.materials[0].model = "fixed_corotated";
    Simulation without = simulation_of(scene), removed = simulation_of(scene), pulled = simulation_of(scene, 3);
    const SurfacePoint top = top_of(pulled);
    ASSERT_TRUE(removed.remove_grab(removed.add_grab(top).value()).ok());
    const GrabHandle grab = pulled.add_grab(top, {.stiffness = 1e5, .damping = 0.01}).value();
    Real3 target = top.position;
    target[0] += 0.2;
    ASSERT_TRUE(pulled.move_grab(grab, target).ok());
    for (Simulation* s : {&without, &removed, &pulled}) take(*s, 3);
    EXPECT_EQ(without.hash(), removed.hash()) << info.name;
    EXPECT_GT(place_of(pulled, top)[0], place_of(without, top)[0] + 0.001) << info.name;
  }
}

// The same grabs in one order or another, moved at once or in two ways: the same bits as added so from the start.
TEST(LiveGrab, ChangedLiveEqualsAddedSo) {
  for (const char* solver : {"vbd", "multilevel", "xpbd", "fp_pxpbd", "newton", "quasi_newton"}) {
    Simulation straight = simulation_of(falling_block(solver)), astray = simulation_of(falling_block(solver));
    const SurfacePoint top = top_of(straight);
    const GrabHandle a = straight.add_grab(top, {.stiffness = 2e6, .damping = 0.02}).value();
    ASSERT_TRUE(straight.move_grab(a, {0.3, 1.2, 0.5}, {0, 1, 0}).ok());

    const GrabHandle other = astray.add_grab(3).value(),
                     b = astray.add_grab(top, {.stiffness = 2e6, .damping = 0.02}).value();
    ASSERT_TRUE(astray.move_grab(b, {5, 5, 5}).ok());
    ASSERT_TRUE(astray.remove_grab(other).ok());
    ASSERT_TRUE(astray.move_grab(b, {0.3, 1.2, 0.5}, {0, 1, 0}).ok());
    take(straight, 4);
    take(astray, 4);
    EXPECT_EQ(straight.hash(), astray.hash()) << solver;
  }
}

TEST(LiveGrab, StaysWhenSolverTimeStepAndModulusChange) {
  Simulation s = simulation_of(falling_block());
  const GrabHandle grab = s.add_grab(top_of(s)).value();
  take(s, 2);
  ASSERT_TRUE(s.set("solver.type", "newton").ok());
  ASSERT_TRUE(s.set("time.substeps", "3").ok());
  ASSERT_TRUE(s.set("materials.rubber.youngs_modulus", "2e6").ok());
  take(s, 300);
  EXPECT_NEAR(s.grab_force(grab).value()[1], mass_of(s) * 9.81, 0.2 * mass_of(s) * 9.81);
}

// A body among copies of an object is lifted by its own mass.
TEST(LiveGrab, DefaultStiffnessIsThatOfOneBody) {
  Scene scene = falling_block();
  scene.objects[0].copies.count = {3, 1, 1};
  scene.objects[0].copies.spacing = {2, 0, 0};
  Simulation s = simulation_of(scene);
  EXPECT_NEAR(mass_of(s), 3000, 1e-6);
  const GrabHandle grab = s.add_grab(0, {.stiffness = {}, .damping = 0}).value();
  const Real3 place = s.positions()[0];
  ASSERT_TRUE(s.move_grab(grab, {place[0] + 1, place[1], place[2]}).ok());
  EXPECT_NEAR(s.grab_force(grab).value()[0], 1000.0 * 1000, 1e-3);
}

TEST(LiveGrab, SnapshotsLogsAndCheckpointsHoldIt) {
  for (const SolverInfo& info : solver_list()) {
    if (!info.traits.dynamic) continue;
    Scene scene = falling_block(info.name);
    scene.materials[0].set("youngs_modulus", 1e5);
    if (info.traits.needs_zero_at_rest) scene.materials[0].model = "stable_neo_hookean";
    if (!Simulation::create(scene, 1)) scene.materials[0].model = "fixed_corotated";
    Simulation s = simulation_of(scene);
    const GrabHandle grab = s.add_grab(top_of(s)).value(),
                     gone = s.add_grab(7, {.stiffness = 1e4, .damping = 0.1}).value();
    ASSERT_TRUE(s.move_grab(grab, {0.3, 1.5, 0.4}, {0, 0.5, 0.1}).ok());
    take(s, 3);
    ASSERT_TRUE(s.remove_grab(gone).ok());
    const Snapshot then = s.save();
    const std::string bytes = s.checkpoint();
    const auto go_on = [&](Simulation& each) {
      ASSERT_TRUE(each.move_grab(grab, {0.3, 1.7, 0.4}).ok());
      take(each, 3);
      ASSERT_TRUE(each.remove_grab(grab).ok());
      take(each, 2);
    };
    go_on(s);
    const uint64_t straight = s.hash();
    Simulation replayed = simulation_of(scene, 2);
    const Status replay = replayed.replay(s.changes().value());
    ASSERT_TRUE(replay.ok()) << replay.error().message();
    EXPECT_EQ(replayed.hash(), straight) << info.name;
    EXPECT_EQ(replayed.changes().value(), s.changes().value());

    ASSERT_TRUE(s.restore(then).ok());
    EXPECT_REFUSED(s.grab_force(gone), "was removed");
    go_on(s);
    EXPECT_EQ(s.hash(), straight) << info.name;
    Result<Simulation> resumed = Simulation::resume(bytes, 3);
    ASSERT_TRUE(resumed.ok()) << resumed.error().message();
    EXPECT_REFUSED(resumed->move_grab(gone, {0, 0, 0}), "was removed");
    go_on(*resumed);
    EXPECT_EQ(resumed->hash(), straight) << info.name;
  }
}

// Accelerators see more multipliers while there is a grab, and none of it afterwards: a new method that goes on from
// there has the same bits.
TEST(LiveGrab, ComesAndGoesUnderAccelerators) {
  for (const auto& [solver, accelerator] : {std::pair{"xpbd", "anderson"},
                                            {"xpbd", "chebyshev"},
                                            {"fp_pxpbd", "anderson"},
                                            {"vbd", "chebyshev"},
                                            {"block_jacobi", "chebyshev"}}) {
    Scene scene = falling_block(solver);
    scene.materials[0].set("youngs_modulus", 1e5);
    scene.materials[0].model = "fixed_corotated";
    Simulation s = simulation_of(scene);
    ASSERT_TRUE(s.set("solver.accelerator", accelerator).ok()) << solver << ' ' << accelerator;
    take(s, 2);
    const GrabHandle grab = s.add_grab(top_of(s)).value(), other = s.add_grab(5).value();
    take(s, 2);
    ASSERT_TRUE(s.remove_grab(grab).ok());
    std::string bytes = s.checkpoint();
    for (int round = 0; round < 2; ++round) {
      Result<Simulation> resumed = Simulation::resume(bytes, 2);
      ASSERT_TRUE(resumed.ok()) << resumed.error().message();
      take(s, 2);
      take(*resumed, 2);
      EXPECT_EQ(s.hash(), resumed->hash()) << solver << ' ' << accelerator;
      if (round == 0) {
        ASSERT_TRUE(s.remove_grab(other).ok());
      }
      bytes = s.checkpoint();
    }
  }
}

// A grab goes with its object, and the others keep their handles. One on an object that is off does nothing.
TEST(LiveGrab, GoesWithItsObject) {
  Scene scene = falling_block();
  SceneObject second = scene.objects[0];
  second.name = "second";
  second.transform.translate = {3, 0, 0};
  scene.objects.push_back(second);
  Simulation s = simulation_of(scene);
  const int32_t of_one = s.objects()[1].first_vertex;
  const GrabHandle first = s.add_grab(top_of(s)).value(), other = s.add_grab(of_one + 4).value();
  ASSERT_TRUE(s.switch_object("second", false).ok());
  const Real3 place = s.positions()[static_cast<size_t>(of_one + 4)];
  ASSERT_TRUE(s.move_grab(other, {9, 9, 9}).ok());
  take(s, 2);
  EXPECT_EQ(s.positions()[static_cast<size_t>(of_one + 4)], place);
  ASSERT_TRUE(s.switch_object("second", true).ok());
  take(s, 2);
  EXPECT_GT(s.positions()[static_cast<size_t>(of_one + 4)][1], place[1]);

  ASSERT_TRUE(s.remove_object("block").ok());
  EXPECT_REFUSED(s.move_grab(first, {0, 0, 0}), "was removed");
  const Real3 force = s.grab_force(other).value();
  ASSERT_TRUE(s.move_grab(other, {9, 9, 9}).ok());
  EXPECT_EQ(s.grab_force(other).value(), force) << "it still holds the same vertex";
  const GrabHandle third = s.add_grab(0).value();
  EXPECT_NE(third, first);
  take(s, 1);
}

// Pins win over grabs, and their reaction bears the pull.
TEST(LiveGrab, ReactionsBearIt) {
  Scene scene = falling_block("newton");
  scene.gravity = {0, 0, 0};
  Simulation s = simulation_of(scene);
  const auto pin = s.add_pin(std::vector<int32_t>{0});
  ASSERT_TRUE(pin.ok());
  const GrabHandle grab = s.add_grab(0, {.stiffness = 1e3, .damping = 0}).value();
  const Real3 place = s.positions()[0];
  ASSERT_TRUE(s.move_grab(grab, {place[0] + 0.5, place[1], place[2]}).ok());
  take(s, 2);
  EXPECT_LT(distance(s.positions()[0], place), 1e-12);
  EXPECT_NEAR(s.reactions()[0][0], -500, 1e-6);
}

TEST(LiveGrab, StaysInThePlaneOfAPlaneBody) {
  Scene scene = falling_block();
  scene.objects[0].mesh = MeshRectangle{1, 1, 2, 2, {0, 0, 0}};
  Simulation s = simulation_of(scene);
  const auto point = s.nearest_point({0.3, 0.4, 0}).value();
  ASSERT_TRUE(point.has_value());
  const GrabHandle grab = s.add_grab(*point).value();
  EXPECT_REFUSED(s.move_grab(grab, {0.5, 0.6, 0.1}), "leaves the plane");
  EXPECT_REFUSED(s.move_grab(grab, {0.5, 0.6, 0}, {0, 0, 1}), "leaves the plane");
  ASSERT_TRUE(s.move_grab(grab, {0.5, 0.6, 1e-9}).ok());
  take(s, 3);
  for (const Real3& x : s.positions()) EXPECT_EQ(x[2], 0);
}

// A cloth is held by its cells, if these have diagonals that tie their corners, and by its points in any case.
TEST(LiveGrab, HoldsCloth) {
  for (const double shear : {1e3, 0.0}) {
    for (const char* solver : {"newton", "vbd", "multilevel", "xpbd"}) {
      Scene scene = falling_block(solver);
      scene.objects[0].mesh = MeshGrid{.columns = 5, .rows = 5, .shear_stiffness = shear};
      scene.objects[0].material.clear();
      Simulation s = simulation_of(scene);
      const auto point = s.nearest_point({0.07, 0.13, 1}).value();
      ASSERT_TRUE(point.has_value());
      const Result<GrabHandle> cell = s.add_grab(*point);
      EXPECT_EQ(cell.ok(), shear > 0);
      if (!cell) {
        EXPECT_HAS(cell.error().message(), "grid without diagonals");
      }
      const GrabHandle grab = cell ? *cell : s.add_grab(point->vertices[0]).value();
      take(s, 150);
      EXPECT_NEAR(s.grab_force(grab).value()[1], 0.1 * 9.81, 0.3 * 0.1 * 9.81) << solver << ' ' << shear;
    }
  }
}

TEST(LiveGrab, BadInputIsRefused) {
  Simulation s = simulation_of(falling_block()), same = simulation_of(falling_block());
  const SurfacePoint top = top_of(s);
  const GrabHandle grab = s.add_grab(top).value();
  ASSERT_TRUE(same.add_grab(top).ok());
  const double nan = std::nan(""), infinite = std::numeric_limits<double>::infinity();
  EXPECT_REFUSED(s.add_grab(-1), "-1: there are 27 vertices");
  EXPECT_REFUSED(s.add_grab(27), "27: there are 27 vertices");
  SurfacePoint wrong = top;
  wrong.weights[1] += 0.1;
  EXPECT_REFUSED(s.add_grab(wrong), "do not add up to 1");
  wrong.weights = {nan, 0.5, 0.5};
  EXPECT_REFUSED(s.add_grab(wrong), "do not add up to 1");
  wrong = top;
  wrong.vertices[2] = wrong.vertices[0];
  EXPECT_REFUSED(s.add_grab(wrong), "is named twice");
  wrong.vertices = {0, 26, 13};
  EXPECT_REFUSED(s.add_grab(wrong), "are no triangle of a surface");
  for (const double k : {0.0, -1.0, 1e19, nan, infinite})
    EXPECT_REFUSED(s.add_grab(0, {.stiffness = k, .damping = {}}), "stiffness");
  for (const double d : {-1.0, 1e7, nan, infinite})
    EXPECT_REFUSED(s.add_grab(0, {.stiffness = {}, .damping = d}), "damping");
  EXPECT_REFUSED(s.move_grab(grab, {nan, 0, 0}), "target");
  EXPECT_REFUSED(s.move_grab(grab, {0, 0, 0}, {0, infinite, 0}), "velocity");
  EXPECT_REFUSED(s.move_grab({5}, {0, 0, 0}), "there is no such grab");
  EXPECT_REFUSED(s.remove_grab({-1}), "there is no such grab");
  EXPECT_REFUSED(s.grab_force({1}), "there is no such grab");
  // None of these left anything behind.
  take(s, 2);
  take(same, 2);
  EXPECT_EQ(s.hash(), same.hash());
  EXPECT_EQ(s.changes().value(), same.changes().value());
  ASSERT_TRUE(s.remove_grab(grab).ok());
  EXPECT_REFUSED(s.remove_grab(grab), "was removed");
}

// In single precision 1e18 N/m are still numbers.
TEST(LiveGrab, TheStiffestIsStillANumber) {
  for (const char* solver : {"vbd", "multilevel", "xpbd", "newton"}) {
    Scene scene = falling_block(solver);
    scene.materials[0].model = "fixed_corotated";
    Simulation s = simulation_of(scene);
    const GrabHandle grab = s.add_grab(13, {.stiffness = 1e18, .damping = 1e6}).value();
    const Real3 place = s.positions()[13];
    take(s, 5);
    EXPECT_LT(distance(s.positions()[13], place), 1e-3) << solver;
    EXPECT_TRUE(std::isfinite(s.grab_force(grab).value()[1]));
  }
}

}  // namespace
}  // namespace sinew
