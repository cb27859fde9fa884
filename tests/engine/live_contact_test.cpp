// Sources: the promises of sinew/simulation.h and docs/live.md: colliders and what holds for contacts may change live;
// what is changed before the first step is as if the scene had been built so, bit for bit; replays, snapshots and
// checkpoints have the same bits. Mechanics of a block on a slope.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sinew/scene_file.h"
#include "sinew/simulation.h"
#include "support/box_scene.h"
#include "support/simulated.h"

namespace sinew {
namespace {

SceneMaterial soft_rubber() {
  SceneMaterial material;
  material.name = "rubber";
  material.set("youngs_modulus", 1e5);
  material.set("poisson_ratio", 0.3);
  return material;
}
SceneObject small_cube(const char* name, Real3 origin) {
  SceneObject object;
  object.name = name;
  object.mesh = MeshBox{{0.1, 0.1, 0.1}, {2, 2, 2}, origin, 5};
  object.material = "rubber";
  return object;
}
PinPose pose_of(Real3 translate, double rotate_degrees = 0) {
  PinPose pose;
  pose.translate = translate;
  pose.rotate_degrees = rotate_degrees;
  return pose;
}
ScenePin pin_on(const char* object) {
  ScenePin pin;
  pin.object = object;
  pin.select = SelectAll{};
  return pin;
}
SceneCollider plate(const char* name, Real3 low, Real3 high) {
  return {.name = name, .shape = ColliderBox{low, high}};
}
// A cube that slides on a floor, under another one that falls on it.
Scene sliding_cubes(const char* solver = "vbd") {
  Scene scene;
  scene.materials = {soft_rubber()};
  scene.objects = {small_cube("lower", {0, 0.004, 0}), small_cube("upper", {0.03, 0.11, 0.02})};
  scene.objects[0].velocity = {0.5, -0.2, 0};
  scene.objects[1].velocity = {0, -0.5, 0};
  scene.contact = ContactSettings{};
  scene.contact->radius = 0.008;
  scene.contact->friction = 0.3;
  SceneContactPair& pair = scene.contact->pairs.emplace_back();
  pair.a = "lower";
  pair.b = "upper";
  pair.friction = 0.4;
  scene.colliders = {{.name = "floor", .shape = ColliderHalfSpace{}}};
  scene.time.frame_dt = 0.01;
  scene.solver.type = solver;
  return scene;
}
Scene with_value(const Scene& scene, const std::string& change) {
  const Result<Scene> read = parse_scene(resolved_json(scene), "a", "", std::span(&change, 1));
  EXPECT_TRUE(read.ok()) << read.error().message();
  return *read;
}
double lowest(const std::vector<Real3>& points, size_t axis = 1) {
  double low = 1e9;
  for (const Real3& p : points) low = std::min(low, p[axis]);
  return low;
}

TEST(LiveContact, SetEqualsBuiltSo) {
  Simulation unchanged = simulation_of(sliding_cubes());
  take(unchanged, 12);
  const std::pair<const char*, const char*> values[] = {
      {"contact.friction", "0.9"},
      {"contact.radius", "0.012"},
      {"contact.stiffness", "2000"},
      {"contact.friction_speed", "0.5"},
      {"contact.friction_form", "stick"},
      {"contact.law", "penalty"},
      {"contact.detect_every", "1"},
      {"objects.lower.contact.friction", "0.05"},
      {"objects.upper.contact.radius", "0.006"},
      {"colliders.floor.contact.friction", "0.7"},
      {"contact.pairs.0.friction", "0"},
      {"contact.pairs.0.stiffness", "500"},
      {"materials.rubber.youngs_modulus", "3e5"},
  };
  for (const auto& [path, value] : values) {
    Simulation built = simulation_of(with_value(sliding_cubes(), std::string(path) + "=" + value));
    Simulation live = simulation_of(sliding_cubes());
    const Status set = live.set(path, value);
    ASSERT_TRUE(set.ok()) << set.error().message();
    take(built, 12);
    take(live, 12);
    EXPECT_EQ(built.hash(), live.hash()) << path;
    const bool same_bits = path == std::string("contact.detect_every");
    EXPECT_EQ(unchanged.hash() == live.hash(), same_bits) << path;
  }
}

TEST(LiveContact, SomeOfItIsFixed) {
  Simulation s = simulation_of(sliding_cubes());
  EXPECT_REFUSED(s.set("contact.guarantee", "intersection_free"), "is fixed");
  EXPECT_REFUSED(s.set("contact.start", "separate"), "is fixed");
  EXPECT_REFUSED(s.set("colliders.floor.contact.guarantee", "intersection_free"), "is fixed");
  EXPECT_REFUSED(s.set("colliders.floor.contact.start", "allow"), "is fixed");
  EXPECT_REFUSED(s.set("contact.self", false), "is fixed");
  EXPECT_REFUSED(s.set("objects.lower.contact.touches", false), "is fixed");
  EXPECT_REFUSED(s.set("contact.pairs.0.touches", false), "is fixed");
  EXPECT_REFUSED(s.set("contact.pairs.0.a", "floor"), "is fixed");
  EXPECT_REFUSED(s.set("contact.friction", -1), "contact.friction");
  Scene without = sliding_cubes();
  without.contact.reset();
  without.colliders.clear();
  Simulation off = simulation_of(without);
  EXPECT_REFUSED(off.set("contact.friction", 0.5), "neither contact nor colliders");
  // A scene with colliders alone has contact.
  Scene by_colliders = sliding_cubes();
  by_colliders.contact.reset();
  Scene so = by_colliders;
  so.contact.emplace().friction = 0.5;
  Simulation live = simulation_of(by_colliders), built = simulation_of(so);
  ASSERT_TRUE(live.set("contact.friction", 0.5).ok());
  take(live, 12);
  take(built, 12);
  EXPECT_EQ(live.hash(), built.hash());
}

TEST(LiveContact, AddedAndRemovedEqualBuiltSo) {
  for (const char* solver : {"vbd", "newton", "multilevel"})
    for (const ContactGuarantee guarantee : {ContactGuarantee::none, ContactGuarantee::intersection_free}) {
      Scene so = sliding_cubes(solver);
      so.contact->guarantee = guarantee;
      so.colliders.push_back(plate("wall", {0.136, 0.01, -0.1}, {0.2, 0.3, 0.3}));
      Scene without = so;
      without.colliders.pop_back();
      Simulation built = simulation_of(so), live = simulation_of(without);
      const Result<ColliderHandle> wall = live.add_collider(so.colliders[1]);
      ASSERT_TRUE(wall.ok()) << wall.error().message();
      EXPECT_EQ(wall->number, 1);
      take(built, 8);
      take(live, 8);
      EXPECT_EQ(built.hash(), live.hash()) << solver;

      Simulation never = simulation_of(without), removed = simulation_of(so);
      ASSERT_TRUE(removed.remove_collider({1}).ok());
      take(never, 8);
      take(removed, 8);
      EXPECT_EQ(never.hash(), removed.hash()) << solver;
      EXPECT_NE(never.hash(), built.hash()) << solver;
      EXPECT_REFUSED(removed.move_collider({1}, PinPose{}), "was removed");
      EXPECT_REFUSED(removed.collider({1}), "was removed");
      EXPECT_REFUSED(removed.remove_collider({2}), "there is no such collider");
    }
}

// Where colliders alone turned contact on, the last one turns it off.
TEST(LiveContact, LastColliderRemoved) {
  for (const char* form : {"smooth", "stick"}) {
    Scene so = sliding_cubes(), without = so;
    so.contact.reset();
    so.colliders[0].contact.friction_form = named<FrictionForm>(form);
    without.contact.reset();
    without.colliders.clear();
    Simulation never = simulation_of(without), removed = simulation_of(so);
    ASSERT_TRUE(removed.remove_collider({0}).ok());
    take(never, 8);
    take(removed, 8);
    EXPECT_EQ(never.hash(), removed.hash()) << form;

    Simulation later = simulation_of(so);
    take(later, 8);
    EXPECT_FALSE(later.contacts().empty()) << form;
    ASSERT_TRUE(later.remove_collider({0}).ok());
    EXPECT_TRUE(later.contacts().empty()) << form;
    take(later, 30);
    EXPECT_LT(lowest(later.positions()), -0.05) << form;
  }
}

TEST(LiveContact, MotionEqualsBuiltSo) {
  Motion motion;
  motion.axis = {0, 0, 1};
  motion.keyframes = {{.time = 0}, {.time = 0.08, .translate = {-0.12, 0.01, 0}, .rotate_degrees = 20}};
  for (const ContactGuarantee guarantee : {ContactGuarantee::none, ContactGuarantee::intersection_free}) {
    Scene rests = sliding_cubes();
    rests.contact->guarantee = guarantee;
    rests.colliders.push_back(plate("wall", {0.15, 0.02, -0.1}, {0.2, 0.3, 0.3}));
    Scene moves = rests;
    moves.colliders[1].motion = motion;
    Simulation built = simulation_of(moves), live = simulation_of(rests);
    ASSERT_TRUE(live.move_collider({1}, motion).ok());
    take(built, 10);
    take(live, 10);
    EXPECT_EQ(built.hash(), live.hash());
    Simulation rested = simulation_of(rests);
    take(rested, 10);
    EXPECT_NE(rested.hash(), live.hash());
  }
}

// On the way to a pose each place is known: the centre goes straight, and the rest turns about it.
TEST(LiveContact, GoesToAPoseByATime) {
  Scene scene = sliding_cubes();
  scene.objects = {small_cube("lower", {5, 5, 5})};
  scene.contact->pairs.clear();
  scene.colliders.push_back(plate("bar", {-0.1, 1, -0.1}, {0.1, 1.2, 0.1}));  // its mean at (0, 1.1, 0)
  Simulation s = simulation_of(scene);
  const auto corner = [&] { return s.collider({1}).value().vertices[0]; };
  const Real3 start = corner();
  const auto near = [&](Real3 expected) {
    const Real3 x = corner();
    for (size_t k = 0; k < 3; ++k) EXPECT_NEAR(x[k], expected[k], 1e-12) << k << " at " << s.time();
  };
  const auto turned = [&](double degrees, Real3 by) {
    const double a = degrees * 3.14159265358979323846 / 180, x = start[0], y = start[1] - 1.1;
    return Real3{std::cos(a) * x - std::sin(a) * y + by[0], 1.1 + std::sin(a) * x + std::cos(a) * y + by[1],
                 start[2] + by[2]};
  };
  ASSERT_TRUE(s.move_collider({1}, pose_of({0.4, 0, 0.2}, 90), 0.04).ok());
  near(start);
  take(s, 1);
  near(turned(22.5, {0.1, 0, 0.05}));
  take(s, 2);
  near(turned(67.5, {0.3, 0, 0.15}));
  // From where it is, half a turn about the same axis further on and back in place: over 0.02 s.
  ASSERT_TRUE(s.move_collider({1}, pose_of({}, 247.5), 0.05).ok());
  take(s, 1);
  // Half a turn may go either way.
  const Real3 there = turned(157.5, {0.15, 0, 0.075}), back = turned(-22.5, {0.15, 0, 0.075}), x = corner();
  EXPECT_LT(std::min(std::abs(x[0] - there[0]), std::abs(x[0] - back[0])), 1e-12);
  take(s, 3);
  near(turned(247.5, {}));
  // At once, within a step.
  ASSERT_TRUE(s.move_collider({1}, pose_of({0, 2, 0})).ok());
  near(turned(247.5, {}));
  take(s, 1);
  near(turned(0, {0, 2, 0}));
  // Keyframes, on the clock of the simulation.
  Motion motion;
  motion.smooth = false;
  motion.keyframes = {{.time = 0, .translate = {0, 2, 0}}, {.time = 1, .translate = {0, 3, 0}}};
  ASSERT_TRUE(s.move_collider({1}, motion).ok());
  take(s, 2);
  near(turned(0, {0, 2 + s.time(), 0}));

  PinPose flat;
  flat.scale = {1, 0, 1};
  EXPECT_REFUSED(s.move_collider({1}, flat), "above 0");
  EXPECT_REFUSED(s.move_collider({1}, pose_of({std::nan(""), 0, 0})), "is not finite");
  EXPECT_REFUSED(s.move_collider({1}, PinPose{}, s.time()), "give a later time");
  motion.keyframes[1].time = -1;
  EXPECT_REFUSED(s.move_collider({1}, motion), "keyframes");

  // The same as a scene file has it.
  ASSERT_TRUE(s.drive_collider({1}, R"({ "smooth": false, "keyframes": [
    { "time": 0, "translate": [0, 5, 0] }, { "time": 1, "translate": [0, 6, 0] } ] })")
                  .ok());
  take(s, 2);
  near(turned(0, {0, 5 + s.time(), 0}));
  EXPECT_REFUSED(s.drive_collider({1}, R"({ "keyframe": [] })"), "keyframes");
}

// A plate that is sent through a held cube at once stops at it, and follows when the cube is out of the way.
TEST(LiveContact, WithTheGuaranteeAColliderDoesNotJumpThroughABody) {
  Scene scene = sliding_cubes();
  scene.gravity = {0, 0, 0};
  scene.objects = {small_cube("cube", {0, 0, 0})};
  scene.contact->pairs.clear();
  scene.contact->guarantee = ContactGuarantee::intersection_free;
  scene.contact->radius = 0.004;
  scene.pins = {pin_on("cube")};
  scene.colliders = {plate("plate", {-0.1, 0.2, -0.1}, {0.2, 0.22, 0.2})};
  Simulation s = simulation_of(scene);
  take(s, 1);
  ASSERT_TRUE(s.move_collider({0}, pose_of({0, -0.5, 0})).ok());
  int64_t unreached = 0;
  for (int k = 0; k < 5; ++k) {
    const Result<StepReport> report = s.step();
    ASSERT_TRUE(report.ok());
    unreached = report->unreached;
    EXPECT_GT(lowest(s.collider({0}).value().vertices), 0.1);
  }
  EXPECT_LT(lowest(s.collider({0}).value().vertices), 0.105);
  EXPECT_EQ(unreached, 8);
  // A snapshot there has what it needs.
  const Snapshot stuck = s.save();
  ASSERT_TRUE(s.move_collider({0}, PinPose{}).ok());
  take(s, 2);
  EXPECT_NEAR(lowest(s.collider({0}).value().vertices), 0.2, 1e-12);
  ASSERT_TRUE(s.restore(stuck).ok());
  EXPECT_LT(lowest(s.collider({0}).value().vertices), 0.105);
}

TEST(LiveContact, WhatMeetsABodyIsNotAdded) {
  Scene scene = sliding_cubes();
  for (const ContactGuarantee guarantee : {ContactGuarantee::none, ContactGuarantee::intersection_free}) {
    scene.contact->guarantee = guarantee;
    Simulation s = simulation_of(scene), other = simulation_of(scene);
    take(s, 3);
    EXPECT_REFUSED(s.add_collider(plate("bar", {0.05, 0.05, -1}, {0.06, 0.06, 1})),
                   "objects.lower and colliders.bar intersect: triangle ");
    EXPECT_REFUSED(s.add_collider({.name = "roof", .shape = ColliderHalfSpace{{0, 0.1, 0}, {0, -1, 0}}}),
                   "objects.lower and colliders.roof intersect: ");
    EXPECT_REFUSED(s.add_object(small_cube("third", {0.05, 0.05, 0.05})),
                   "objects.lower and objects.third intersect: triangle ");
    EXPECT_REFUSED(s.add_collider(plate("floor", {3, 3, 3}, {4, 4, 4})), "there is one of this name");
    EXPECT_REFUSED(s.add_collider(plate("lower", {3, 3, 3}, {4, 4, 4})), "an object has this name");
    EXPECT_EQ(s.colliders().size(), 1u);
    EXPECT_EQ(s.objects().size(), 2u);
    take(s, 3);
    take(other, 6);
    EXPECT_EQ(s.hash(), other.hash());
  }
}

TEST(LiveContact, ReplaysSnapshotsAndCheckpointsHaveTheSameBits) {
  for (const ContactGuarantee guarantee : {ContactGuarantee::none, ContactGuarantee::intersection_free}) {
    Scene scene = sliding_cubes();
    scene.contact->guarantee = guarantee;
    scene.contact->friction_form = FrictionForm::stick;
    Simulation s = simulation_of(scene);
    take(s, 3);
    const Result<ColliderHandle> added =
        s.add_collider("wall", R"({ "shape": { "box": { "min": [0.16, 0.02, -0.1], "max": [0.2, 0.3, 0.3] } } })");
    ASSERT_TRUE(added.ok()) << added.error().message();
    const ColliderHandle wall = *added;
    ASSERT_TRUE(s.move_collider(wall, pose_of({-0.05, 0, 0}, 10), 0.12).ok());
    take(s, 3);
    const Snapshot then = s.save();
    const std::string bytes = s.checkpoint();
    ASSERT_TRUE(s.set("contact.friction", 0.8).ok());
    ASSERT_TRUE(s.remove_object("upper").ok());
    Motion motion;
    motion.keyframes = {{.time = 0}, {.time = 0.2, .translate = {-0.1, 0, 0}}};
    ASSERT_TRUE(s.move_collider(wall, motion).ok());
    take(s, 3);
    ASSERT_TRUE(s.restore(then).ok());
    EXPECT_EQ(s.objects().size(), 2u);
    take(s, 3);
    const uint64_t straight = s.hash();

    Result<Simulation> resumed = Simulation::resume(bytes, 2);
    ASSERT_TRUE(resumed.ok()) << resumed.error().message();
    take(*resumed, 3);
    EXPECT_EQ(resumed->hash(), straight);
    EXPECT_EQ(resumed->colliders().size(), 2u);
    ASSERT_TRUE(s.remove_collider(wall).ok());
    ASSERT_TRUE(resumed->remove_collider(wall).ok());
    take(s, 2);
    take(*resumed, 2);
    EXPECT_EQ(resumed->hash(), s.hash());

    Simulation again = simulation_of(scene, 2);
    const Status replayed = again.replay(s.changes().value());
    ASSERT_TRUE(replayed.ok()) << replayed.error().message();
    EXPECT_EQ(again.hash(), s.hash());
  }
}

// A block that sticks to a slope stays there when another object goes and a collider comes: with its anchors lost, it
// would slip by what they hold.
TEST(LiveContact, StickingFrictionHoldsOn) {
  Scene scene;
  scene.materials = {soft_rubber()};
  scene.objects = {small_cube("other", {3, 1, 0}), small_cube("block", {0, 0.003, 0})};
  scene.pins = {pin_on("other")};
  scene.gravity = {3, -9, 0};
  scene.contact = ContactSettings{};
  scene.contact->radius = 0.005;
  scene.contact->friction = 0.6;
  scene.contact->friction_form = FrictionForm::stick;
  scene.contact->stiffness = 500;
  scene.colliders = {plate("slope", {-1, -0.2, -1}, {1, 0, 1})};
  scene.materials[0].damping = 0.05;
  scene.time.frame_dt = 0.01;
  scene.solver.type = "newton";
  scene.solver.options.set("relative_tolerance", 1e-9);
  Simulation s = simulation_of(scene);
  take(s, 80);
  const auto place = [&](const Simulation& of) { return lowest(of.positions(), 0); };
  const double before = place(s);
  take(s, 2);
  EXPECT_NEAR(place(s), before, 1e-6);
  ASSERT_TRUE(s.remove_object("other").ok());
  ASSERT_TRUE(s.add_collider(plate("far", {-5, 3, -5}, {-4, 4, -4})).ok());
  take(s, 20);
  // What the anchors are stretched by: m a / (n k) over 9 contacts.
  const double stretch = 1 * 3 / (9 * 500.0);
  EXPECT_NEAR(place(s), before, 0.02 * stretch);
}

}  // namespace
}  // namespace sinew
