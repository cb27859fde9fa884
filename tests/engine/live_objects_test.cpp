// Sources: the promises of sinew/simulation.h: objects, muscles and points of surfaces that are changed live must be as
// if the scene had been built so from the start, bit for bit where the order of vertices permits it.
#include <gtest/gtest.h>

#include <cmath>

#include "sinew/scene_file.h"
#include "sinew/simulation.h"
#include "support/box_scene.h"
#include "support/simulated.h"

namespace sinew {
namespace {

constexpr const char* solvers[] = {"vbd", "multilevel", "xpbd", "newton", "fp_pxpbd", "b_pxpbd", "quasi_newton"};

// A block that hangs from its upper face.
Scene one_block(const char* solver = "vbd") {
  Scene scene = box_scene(2);
  scene.gravity = {0, -9.81, 0};
  scene.solver.type = solver;
  scene.time.frame_dt = 0.02;
  scene.pins = {pin_of(SelectPlane{{0, 1, 0}, {0, 1, 0}})};
  return scene;
}
SceneObject other_block(double below = 1) {
  SceneObject object;
  object.name = "other";
  object.mesh = MeshBox{{1, 1, 1}, {2, 3, 2}, {0, 0, 0}, 5};
  object.material = "rubber";
  object.transform.translate = {0.1, -below, 0};
  object.velocity = {0.5, 0, 0};
  return object;
}
// Another one below it, bound to its lower face.
Scene two_blocks(const char* solver = "vbd", bool bound = true) {
  Scene scene = one_block(solver);
  scene.objects.push_back(other_block());
  if (!bound) return scene;
  SceneBinding binding;
  binding.bind = {"other", SelectPlane{{0, 0, 0}, {0, 1, 0}}};
  binding.to = {"block", SelectAll{}};
  binding.distance = 0.01;
  binding.stiffness = 1e4;
  scene.bindings = {binding};
  return scene;
}
// The largest distance of vertices [first, first + count) of `a` from [other_first, ..) of `b`.
double distance(const Simulation& a, int32_t first, const Simulation& b, int32_t other_first, int32_t count) {
  double far = 0;
  const std::vector<Real3> x = a.positions(), y = b.positions();
  for (int32_t v = 0; v < count; ++v)
    for (size_t c = 0; c < 3; ++c)
      far = std::max(far, std::abs(x[static_cast<size_t>(first + v)][c] - y[static_cast<size_t>(other_first + v)][c]));
  return far;
}

TEST(LiveMuscles, ActivationEqualsBuiltSo) {
  for (const char* solver : {"vbd", "multilevel", "xpbd", "newton", "quasi_newton"}) {
    Scene scene = one_block(solver);
    scene.objects[0].fibres = SceneFibres{.along = FibreConstant{{0, 1, 0}}, .activation_curve = {}};
    Scene pulled = scene;
    pulled.objects[0].fibres->activation = 0.4;
    Simulation built = simulation_of(pulled), live = simulation_of(scene), by_path = simulation_of(scene);
    ASSERT_TRUE(live.set_activation("block", 0.4).ok());
    ASSERT_TRUE(by_path.set("objects.block.fibres.activation", "0.4").ok());
    take(built, 4);
    take(live, 4);
    take(by_path, 4);
    EXPECT_EQ(built.hash(), live.hash()) << solver;
    EXPECT_EQ(built.hash(), by_path.hash()) << solver;
    // In the middle of a run, and back to a snapshot.
    const Snapshot then = live.save();
    take(live, 3);
    const uint64_t straight = live.hash();
    ASSERT_TRUE(live.set_activation("block", 1).ok());
    take(live, 2);
    ASSERT_TRUE(live.restore(then).ok());
    take(live, 3);
    EXPECT_EQ(live.hash(), straight) << solver;
  }
}

TEST(LiveMuscles, ActivationReplacesACurve) {
  Scene scene = one_block();
  scene.objects[0].fibres =
      SceneFibres{.along = FibreConstant{{0, 1, 0}}, .activation_curve = ActivationCurve{{0, 0.06, 0.08}, {0, 0, 1}}};
  Scene without = scene;
  without.objects[0].fibres->activation_curve.reset();
  Simulation live = simulation_of(scene), same = simulation_of(without);
  take(live, 3);
  take(same, 3);
  ASSERT_TRUE(live.set_activation("block", 0.5).ok());
  ASSERT_TRUE(same.set_activation("block", 0.5).ok());
  take(live, 3);
  take(same, 3);
  EXPECT_EQ(live.hash(), same.hash());
  EXPECT_REFUSED(live.set_activation("block", 1.5), "must be from 0 to 1");
  EXPECT_REFUSED(live.set_activation("block", std::nan("")), "must be from 0 to 1");
  EXPECT_REFUSED(live.set_activation("blocks", 1), "there is no such muscle");
  Simulation none = simulation_of(one_block());
  EXPECT_REFUSED(none.set_activation("block", 1), "no object of the scene has fibres");
}

// A force on a point is that on its corners, by its weights.
TEST(LivePointForces, AreSharedByWeights) {
  Simulation live = simulation_of(one_block()), same = simulation_of(one_block());
  const SurfacePoint point = *live.cast_ray({0.3, 0.2, 5}, {0, 0, -1}).value();
  const ForceHandle force = live.add_force(point, {50, 20, 0}).value();
  ForceHandle corners[3];
  const auto weighted = [](double w, const Real3& f) { return Real3{w * f[0], w * f[1], w * f[2]}; };
  for (size_t k = 0; k < 3; ++k)
    corners[k] = same.add_force(std::span(&point.vertices[k], 1), weighted(point.weights[k], {50, 20, 0})).value();
  take(live, 3);
  take(same, 3);
  EXPECT_EQ(live.hash(), same.hash());

  ASSERT_TRUE(live.set_force(force, {0, 0, 80}).ok());
  for (size_t k = 0; k < 3; ++k) ASSERT_TRUE(same.set_force(corners[k], weighted(point.weights[k], {0, 0, 80})).ok());
  take(live, 2);
  take(same, 2);
  EXPECT_EQ(live.hash(), same.hash());

  // To another place; then a force that was there from now on.
  const SurfacePoint there = *live.nearest_point({2, 0.4, 0.5}).value();
  ASSERT_TRUE(live.move_force(force, there).ok());
  for (const ForceHandle& corner : corners) ASSERT_TRUE(same.remove_force(corner).ok());
  ASSERT_TRUE(same.add_force(there, {0, 0, 80}).ok());
  take(live, 2);
  take(same, 2);
  EXPECT_EQ(live.hash(), same.hash());
  Simulation replayed = simulation_of(one_block(), 2);
  ASSERT_TRUE(replayed.replay(live.changes().value()).ok());
  EXPECT_EQ(replayed.hash(), live.hash());

  SurfacePoint wrong = point;
  wrong.weights = {0.5, 0.5, 0.5};
  EXPECT_REFUSED(live.add_force(wrong, {1, 0, 0}), "do not add up to 1");
  EXPECT_REFUSED(live.move_force(force, wrong), "do not add up to 1");
  wrong = point;
  wrong.vertices[2] = 999;
  EXPECT_REFUSED(live.add_force(wrong, {1, 0, 0}), "999: there are");
  EXPECT_REFUSED(live.add_force(point, {NAN, 0, 0}), "is not finite");
  ASSERT_TRUE(live.remove_force(force).ok());
  EXPECT_REFUSED(live.move_force(force, point), "was removed");
}

// One that is off stays, and the other moves as if it were alone: to the tolerance of Newton's method, since vertices
// are ordered otherwise.
TEST(LiveObjects, OffTakesNoPart) {
  for (const bool bound : {false, true}) {
    Simulation both = simulation_of(two_blocks("newton", bound)), alone = simulation_of(one_block("newton"));
    const ObjectInfo other = both.objects()[1];
    ASSERT_TRUE(both.switch_object("other", false).ok());
    EXPECT_FALSE(both.objects()[1].on);
    const std::vector<Real3> before = both.positions();
    take(both, 5);
    take(alone, 5);
    EXPECT_LT(distance(both, 0, alone, 0, other.first_vertex), 1e-9) << bound;
    for (int32_t v = other.first_vertex; v < other.last_vertex; ++v) {
      EXPECT_EQ(both.positions()[static_cast<size_t>(v)], before[static_cast<size_t>(v)]);
      EXPECT_EQ(both.velocities()[static_cast<size_t>(v)], (Real3{0, 0, 0}));
    }
    // On again it falls from rest: two free steps of h^2 g and 2 h^2 g if nothing holds it.
    ASSERT_TRUE(both.switch_object("other", true).ok());
    take(both, 2);
    const auto v = static_cast<size_t>(other.last_vertex - 1);
    if (!bound) {
      EXPECT_NEAR(both.positions()[v][1] - before[v][1], -3 * 0.02 * 0.02 * 9.81, 1e-9);
    }
    EXPECT_NE(both.positions()[v], before[v]);
    EXPECT_REFUSED(both.switch_object("third", true), "there is no such object");
  }
}

// Every solver leaves it where it is, and goes on when it is on again; a snapshot and a replay lead to the same bits.
TEST(LiveObjects, OffAndOnHaveTheSameBitsWithEverySolver) {
  for (const char* solver : solvers) {
    Simulation s = simulation_of(two_blocks(solver), 3), straight = simulation_of(two_blocks(solver));
    take(s, 2);
    take(straight, 2);
    const Snapshot then = s.save();
    ASSERT_TRUE(s.switch_object("block", false).ok());
    const Real3 still = s.positions()[0];
    take(s, 2);
    EXPECT_EQ(s.positions()[0], still) << solver;
    for (int32_t v = 0; v < s.objects()[0].last_vertex; ++v)
      EXPECT_EQ(s.reactions()[static_cast<size_t>(v)], (Real3{0, 0, 0}));
    const Snapshot off = s.save();
    ASSERT_TRUE(s.switch_object("block", true).ok());
    take(s, 2);
    const uint64_t later = s.hash();
    ASSERT_TRUE(s.restore(off).ok());
    EXPECT_FALSE(s.objects()[0].on);
    ASSERT_TRUE(s.switch_object("block", true).ok());
    take(s, 2);
    EXPECT_EQ(s.hash(), later) << solver;
    Simulation replayed = simulation_of(two_blocks(solver));
    ASSERT_TRUE(replayed.replay(s.changes().value()).ok());
    EXPECT_EQ(replayed.hash(), s.hash()) << solver;
    ASSERT_TRUE(s.restore(then).ok());
    take(s, 2);
    take(straight, 2);
    EXPECT_EQ(s.hash(), straight.hash()) << solver;
  }
}

TEST(LiveObjects, AddedAtTheStartEqualsBuiltSo) {
  for (const char* solver : solvers) {
    Simulation built = simulation_of(two_blocks(solver, false)), live = simulation_of(one_block(solver)),
               by_text = simulation_of(one_block(solver));
    ASSERT_TRUE(live.add_object(other_block()).ok());
    const Status added = by_text.add_object("other", R"({"mesh": {"box": {"cells": [2, 3, 2]}}, "material": "rubber",
        "transform": {"translate": [0.1, -1, 0]}, "velocity": [0.5, 0, 0]})");
    ASSERT_TRUE(added.ok()) << added.error().message();
    ASSERT_EQ(live.objects().size(), 2u);
    EXPECT_EQ(live.vertex_count(), built.vertex_count());
    take(built, 4);
    take(live, 4);
    take(by_text, 4);
    EXPECT_EQ(built.hash(), live.hash()) << solver;
    EXPECT_EQ(built.hash(), by_text.hash()) << solver;
  }
}

TEST(LiveObjects, RemovedAtTheStartEqualsBuiltSo) {
  for (const char* solver : solvers) {
    Simulation built = simulation_of(one_block(solver)), live = simulation_of(two_blocks(solver));
    ASSERT_TRUE(live.remove_object("other").ok());
    take(built, 4);
    take(live, 4);
    EXPECT_EQ(built.hash(), live.hash()) << solver;
  }
}

// In the middle of a run: what stays goes on as if nothing had happened, with its pins and forces.
TEST(LiveObjects, OthersGoOn) {
  Scene scene = two_blocks("newton", false);
  scene.pins.push_back(pin_of(SelectPlane{{0, -1, 0}, {0, -1, 0}}, "other"));
  Simulation s = simulation_of(scene), untouched = simulation_of(scene);
  const int32_t first = s.objects()[1].first_vertex;
  const std::vector<int32_t> mixed{3, first + 3}, there{first + 2};
  for (Simulation* each : {&s, &untouched}) {
    ASSERT_TRUE(each->add_force(mixed, {30, 0, 0}).ok());
    ASSERT_TRUE(each->add_force(there, {0, 0, 40}).ok());
    ASSERT_TRUE(each->add_pin(there).ok());
    ASSERT_TRUE(each->move_pin({1}, {.translate = {0, 0, 0.05}, .center = {}}).ok());
    take(*each, 3);
  }
  SceneObject third = other_block(3);
  third.name = "third";
  ASSERT_TRUE(s.add_object(third).ok());
  EXPECT_EQ(s.steps_taken(), 3);
  EXPECT_LT(distance(s, 0, untouched, 0, untouched.vertex_count()), 1e-15);
  take(s, 3);
  take(untouched, 3);
  EXPECT_LT(distance(s, 0, untouched, 0, untouched.vertex_count()), 1e-9);
  // Third began with the velocity of its own.
  EXPECT_NEAR(s.velocities().back()[0], 0.5, 1e-9);

  // Without the first, the others have smaller numbers and their handles.
  ASSERT_TRUE(s.remove_object("block").ok());
  ASSERT_EQ(s.objects().size(), 2u);
  EXPECT_EQ(s.objects()[0].name, "other");
  EXPECT_LT(distance(s, 0, untouched, first, s.objects()[0].last_vertex), 1e-15);
  for (Simulation* each : {&s, &untouched}) {
    ASSERT_TRUE(each->set_force({1}, {0, 0, -40}).ok());
    ASSERT_TRUE(each->move_pin({1}, {.translate = {0, 0, 0.1}, .center = {}}).ok());
    take(*each, 3);
  }
  EXPECT_LT(distance(s, 0, untouched, first, s.objects()[0].last_vertex), 1e-9);
  EXPECT_REFUSED(s.move_pin({0}, PinPose()), "was removed");  // it held the block
  ASSERT_TRUE(s.set_force({0}, {0, 0, 0}).ok());              // what of it is left
  ASSERT_TRUE(s.remove_pin({2}).ok());
  EXPECT_REFUSED(s.remove_object("block"), "there is no such object");
  ASSERT_TRUE(s.remove_object("other").ok());
  EXPECT_REFUSED(s.set_force({1}, {0, 0, 0}), "was removed");
  EXPECT_REFUSED(s.remove_object("third"), "is the only one");
  take(s, 1);
  Simulation replayed = simulation_of(scene, 2);
  const Status replay = replayed.replay(s.changes().value());
  ASSERT_TRUE(replay.ok()) << replay.error().message();
  EXPECT_EQ(replayed.hash(), s.hash());
}

TEST(LiveObjects, SnapshotsBringBackObjects) {
  Simulation s = simulation_of(two_blocks("vbd")), straight = simulation_of(two_blocks("vbd"));
  take(s, 2);
  take(straight, 2);
  const Snapshot then = s.save();
  ASSERT_TRUE(s.set("materials.rubber.youngs_modulus", "2e5").ok());
  ASSERT_TRUE(s.remove_object("other").ok());
  take(s, 2);
  SceneObject third = other_block(3);
  third.name = "third";
  ASSERT_TRUE(s.add_object(third).ok());
  const Snapshot with_third = s.save();
  take(s, 2);
  const uint64_t later = s.hash();
  ASSERT_TRUE(s.restore(then).ok());
  take(s, 3);
  take(straight, 3);
  EXPECT_EQ(s.hash(), straight.hash());
  ASSERT_TRUE(s.restore(with_third).ok());
  take(s, 2);
  EXPECT_EQ(s.hash(), later);
}

// All that was changed goes on from a checkpoint, with the same handles and the same log.
TEST(LiveCheckpoints, GoOnWithTheSameBits) {
  for (const char* solver : solvers) {
    Scene scene = two_blocks(solver);
    scene.objects[0].fibres =
        SceneFibres{.along = FibreConstant{{0, 1, 0}}, .peak_stress = 1e3, .activation_curve = {}};
    SceneLoad wind = load_of(SceneLoad::Kind::wind, {}, SelectAll{});
    wind.wind.velocity = {5, 0, 0};
    scene.loads = {wind};
    Simulation s = simulation_of(scene, 2);
    take(s, 2);
    SceneObject third = other_block(3);
    third.name = "third";
    ASSERT_TRUE(s.add_object(third).ok());
    ASSERT_TRUE(s.switch_object("other", false).ok());
    ASSERT_TRUE(s.set_activation("block", 0.3).ok());
    ASSERT_TRUE(s.set("materials.rubber.youngs_modulus", "2e5").ok());
    ASSERT_TRUE(s.set("time.substeps", "2").ok());
    ASSERT_TRUE(s.set_gravity({1, -9, 0}).ok());
    const PinHandle pin = s.add_pin(std::vector<int32_t>{2, 5}).value();
    const ForceHandle force = s.add_force(*s.nearest_point({0.5, 0.5, 3}).value(), {0, 50, 0}).value();
    ASSERT_TRUE(s.move_pin({0}, {.translate = {0.01, 0, 0}, .center = {}}).ok());
    take(s, 2);
    const std::string bytes = s.checkpoint();
    Result<Simulation> later = Simulation::resume(bytes, 1);
    ASSERT_TRUE(later.ok()) << later.error().message();
    EXPECT_EQ(later->hash(), s.hash());
    EXPECT_EQ(later->time(), s.time());
    EXPECT_FALSE(later->objects()[1].on);
    for (Simulation* each : {&s, &*later}) {
      take(*each, 2);
      ASSERT_TRUE(each->set_force(force, {0, -50, 0}).ok());
      ASSERT_TRUE(each->remove_pin(pin).ok());
      ASSERT_TRUE(each->switch_object("other", true).ok());
      take(*each, 2);
    }
    EXPECT_EQ(later->hash(), s.hash()) << solver;
    EXPECT_EQ(later->changes().value(), s.changes().value());
  }
}

TEST(LiveCheckpoints, ThatAreNone) {
  Simulation s = simulation_of(two_blocks());
  take(s, 1);
  const std::string bytes = s.checkpoint();
  EXPECT_REFUSED(Simulation::resume("{}"), "is not a checkpoint of a simulation");
  EXPECT_REFUSED(Simulation::resume(""), "is empty");
  EXPECT_REFUSED(Simulation::resume(bytes.substr(0, bytes.size() - 8)), "is truncated");
  std::string damaged = bytes;
  damaged[bytes.size() / 2] = static_cast<char>(damaged[bytes.size() / 2] ^ 1);
  EXPECT_REFUSED(Simulation::resume(damaged), "is damaged");

  // A mesh in a file that has changed.
  const TemporaryFile mesh("moved.mesh",
                           "MeshVersionFormatted 2\nDimension 3\nVertices\n4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n"
                           "0 0 1 0\nTetrahedra\n1\n1 2 3 4 0\nEnd\n");
  Scene scene = one_block();
  scene.pins.clear();
  scene.base_folder = mesh.folder();
  scene.objects[0].mesh = MeshFile{mesh.name()};
  Simulation of_file = simulation_of(scene);
  const std::string kept = of_file.checkpoint();
  EXPECT_TRUE(Simulation::resume(kept).ok());
  std::ofstream(mesh.folder() + "/" + mesh.name()) << "MeshVersionFormatted 2\nDimension 3\nVertices\n4\n0 0 0 0\n2 0 "
                                                      "0 0\n0 1 0 0\n0 0 1 0\nTetrahedra\n1\n1 2 3 4 0\n"
                                                      "End\n";
  EXPECT_REFUSED(Simulation::resume(kept), "has other meshes");
}

TEST(LiveObjects, FaultyOnesAreRefused) {
  Simulation s = simulation_of(one_block()), same = simulation_of(one_block());
  take(s, 2);
  take(same, 2);
  SceneObject object = other_block();
  object.name = "block";
  EXPECT_REFUSED(s.add_object(object), "there is one of this name");
  object.name = "other";
  object.material = "glass";
  EXPECT_REFUSED(s.add_object(object), "glass");
  EXPECT_REFUSED(s.add_object("other", "{"), "objects.other");
  EXPECT_REFUSED(s.add_object("other", R"({"mesh": {"box": {"cell": [2, 3, 2]}}, "material": "rubber"})"), "cell");
  object = other_block();
  object.mesh = MeshFile{"nowhere.msh"};
  EXPECT_REFUSED(s.add_object(object), "nowhere.msh");
  EXPECT_EQ(s.objects().size(), 1u);
  take(s, 2);
  take(same, 2);
  EXPECT_EQ(s.hash(), same.hash());
}

}  // namespace
}  // namespace sinew
