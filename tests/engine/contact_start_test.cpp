// Source: the promises of compile/contact_start.h and of docs/contact.md. Places of boxes are known, so that it is
// known which of them intersect, and how far they have to move.
#include "compile/contact_start.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "io/says.h"
#include "sinew/simulation.h"
#include "support/simulated.h"

namespace sinew {
namespace {

SceneObject box(const char* name, Real3 low, Real3 size = {1, 1, 1}, int cells = 2) {
  SceneObject object;
  object.name = name;
  object.mesh = MeshBox{size, {cells, cells, cells}, low, 5};
  object.material = "rubber";
  return object;
}
Scene scene_of(std::vector<SceneObject> objects, ContactStart start = ContactStart::refuse) {
  Scene scene;
  SceneMaterial rubber;
  rubber.name = "rubber";
  scene.materials = {rubber};
  scene.objects = std::move(objects);
  scene.gravity = {0, 0, 0};
  scene.contact = ContactSettings{};
  scene.contact->radius = 0.02;
  scene.contact->start = start;
  return scene;
}
std::string error_of(const Scene& scene) {
  const Result<Simulation> s = Simulation::create(scene, 1);
  return s ? "" : s.error().message();
}
std::vector<std::string> warnings_of(const Scene& scene) {
  const Result<Simulation> s = Simulation::create(scene, 1);
  EXPECT_TRUE(s) << s.error().message();
  return s ? s->warnings() : std::vector<std::string>{};
}
// [m] The box around an object.
struct Extent {
  Real3 low{1e9, 1e9, 1e9}, high{-1e9, -1e9, -1e9};
};
Extent extent_of(const Simulation& s, size_t object) {
  Extent extent;
  const std::vector<Real3> x = s.positions();
  for (int32_t v = s.objects()[object].first_vertex; v < s.objects()[object].last_vertex; ++v)
    for (size_t c = 0; c < 3; ++c) {
      extent.low[c] = std::min(extent.low[c], x[static_cast<size_t>(v)][c]);
      extent.high[c] = std::max(extent.high[c], x[static_cast<size_t>(v)][c]);
    }
  return extent;
}

TEST(ContactStart, RefusesBodiesThatIntersectAndSaysWhere) {
  const Scene scene = scene_of({box("left", {0, 0, 0}), box("right", {0.9, 0.1, 0.1})});
  const std::string error = error_of(scene);
  EXPECT_TRUE(says(error, "contact: objects.left and objects.right intersect at the start: triangle ")) << error;
  EXPECT_TRUE(says(error, " of its surface and triangle ")) << error;
  EXPECT_TRUE(says(error, " of objects.right, near [")) << error;
  EXPECT_TRUE(says(error, "more pairs of triangles")) << error;
  EXPECT_TRUE(says(error, "contact.start = \"separate\"")) << error;
  EXPECT_TRUE(says(error, "\"touches\": false")) << error;

  Scene through = scene;
  SceneContactPair& pair = through.contact->pairs.emplace_back();
  pair.a = "left";
  pair.b = "right";
  pair.touches = false;
  EXPECT_EQ(error_of(through), "");
  Scene no_contact = scene;
  no_contact.contact.reset();
  EXPECT_EQ(error_of(no_contact), "");
}

TEST(ContactStart, RefusesBodiesInsideOthers) {
  EXPECT_TRUE(says(error_of(scene_of({box("big", {0, 0, 0}), box("small", {0.4, 0.4, 0.4}, {0.1, 0.1, 0.1})})),
                   "objects.big and objects.small intersect at the start: one lies inside the other, near [0.4"));
  EXPECT_TRUE(says(error_of(scene_of({box("small", {0.4, 0.4, 0.4}, {0.1, 0.1, 0.1}), box("big", {0, 0, 0})})),
                   "objects.small and objects.big intersect at the start: one lies inside the other"));
}

TEST(ContactStart, RefusesBodiesInColliders) {
  Scene scene = scene_of({box("block", {0, -0.25, 0})});
  scene.colliders.push_back({.name = "floor", .shape = ColliderHalfSpace{}});
  const std::string below = error_of(scene);
  EXPECT_TRUE(says(below,
                   "objects.block and colliders.floor intersect at the start: 9 vertices are up to 0.25 m "
                   "inside, near ["))
      << below;
  scene.colliders[0] = {.name = "bar", .shape = ColliderBox{{-1, 0.2, 0.3}, {3, 0.4, 0.6}}};
  EXPECT_TRUE(says(error_of(scene), "objects.block and colliders.bar intersect at the start: triangle "));
  // One that moves is where its script begins.
  scene.colliders[0].transform.translate = {0, 3, 0};
  EXPECT_EQ(error_of(scene), "");
  scene.colliders[0].motion.keyframes = {{.time = 0, .translate = {0, -3, 0}}, {.time = 1}};
  EXPECT_TRUE(says(error_of(scene), "colliders.bar"));
}

TEST(ContactStart, RefusesABodyThatIntersectsItself) {
  // Two tets of one body, through each other beyond the vertex that they share.
  MeshArrays arrays;
  arrays.vertices = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0.9, 0.3, 0.2, -0.2, 0.9, 0.3, 0.2, 0.2, 0.9};
  arrays.tets = {0, 1, 2, 3, 0, 4, 5, 6};
  Scene scene = scene_of({box("knot", {0, 0, 0})});
  scene.objects[0].mesh = arrays;
  const std::string error = error_of(scene);
  EXPECT_TRUE(says(error, "objects.knot intersects itself at the start: triangle ")) << error;
  EXPECT_TRUE(says(error, "contact.self = false")) << error;
  scene.contact->self = false;
  EXPECT_EQ(error_of(scene), "");
}

TEST(ContactStart, TellsOfGapsBelowTheRadius) {
  const std::vector<std::string> warnings =
      warnings_of(scene_of({box("left", {0, 0, 0}), box("right", {1.005, 0.1, 0.1})}));
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0],
            "contact: objects.left and objects.right are 0.005 m apart at the start, less than the radius of their "
            "contacts, 0.02 m: they push each other apart; contact.start = \"separate\" moves them apart before");
  EXPECT_TRUE(warnings_of(scene_of({box("left", {0, 0, 0}), box("right", {1.03, 0.1, 0.1})})).empty());
}

TEST(ContactStart, SeparatesAlongTheShortestWayByHalfEach) {
  const Scene scene = scene_of({box("left", {0, 0, 0}), box("right", {0.9, 0.3, 0.3})}, ContactStart::separate);
  Simulation s = simulation_of(scene);
  const Extent left = extent_of(s, 0), right = extent_of(s, 1);
  // The overlap is 0.1 m along x, 0.7 m along y and z.
  EXPECT_GE(right.low[0] - left.high[0], 0.02);
  EXPECT_LT(right.low[0] - left.high[0], 0.03);
  EXPECT_NEAR(left.low[0], -(right.low[0] - 0.9), 1e-12);
  EXPECT_NEAR(left.low[1], 0, 1e-3);
  EXPECT_NEAR(right.low[2], 0.3, 1e-3);
  ASSERT_EQ(s.warnings().size(), 2u);
  EXPECT_TRUE(says(s.warnings()[0], "contact.start = \"separate\": objects.left was moved by [-0.06"))
      << s.warnings()[0];
  EXPECT_TRUE(says(s.warnings()[1], "objects.right was moved by [0.06")) << s.warnings()[1];
  // Nothing pushes then.
  const std::vector<Real3> before = s.positions();
  take(s, 3);
  const std::vector<Real3> after = s.positions();
  for (size_t v = 0; v < before.size(); ++v)
    for (size_t c = 0; c < 3; ++c) EXPECT_NEAR(after[v][c], before[v][c], 1e-5);  // single precision
}

TEST(ContactStart, SeparatesFromWhatIsHeld) {
  Scene scene =
      scene_of({box("held", {0, 0, 0}), box("free", {0.4, 0.9, 0.4}, {0.2, 0.4, 0.2})}, ContactStart::separate);
  scene.pins.push_back({.object = "held", .select = SelectAll{}});
  scene.colliders.push_back({.name = "floor", .shape = ColliderHalfSpace{{0, -0.1, 0}, {0, 1, 0}}});
  const Simulation s = simulation_of(scene);
  EXPECT_EQ(extent_of(s, 0).low, (Real3{0, 0, 0}));
  EXPECT_GE(extent_of(s, 1).low[1], 1.02);
  EXPECT_LT(extent_of(s, 1).low[1], 1.03);

  // Down onto the floor is too little room.
  scene.pins[0].object = "free";
  const std::string narrow = error_of(scene);
  EXPECT_TRUE(says(narrow, "make room for them: contact.start = \"separate\" has not parted them in 200 rounds"))
      << narrow;
  scene.colliders[0].shape = ColliderHalfSpace{{0, -0.2, 0}, {0, 1, 0}};
  const Simulation other = simulation_of(scene);
  EXPECT_EQ(extent_of(other, 1).low[1], 0.9);
  EXPECT_LE(extent_of(other, 0).high[1], 0.88);

  scene.pins.push_back({.object = "held", .select = SelectAll{}});
  const std::string error = error_of(scene);
  EXPECT_TRUE(says(error, "contact.start = \"separate\" cannot, since pins or colliders hold both")) << error;
}

TEST(ContactStart, SeparatesAPileFromTheFloorAndEachOther) {
  Scene scene = scene_of({box("low", {0, -0.1, 0}), box("middle", {0.1, 0.7, 0.1}), box("top", {0.2, 1.5, 0.2})},
                         ContactStart::separate);
  scene.colliders.push_back({.name = "floor", .shape = ColliderHalfSpace{}});
  const Simulation s = simulation_of(scene);
  EXPECT_GE(extent_of(s, 0).low[1], 0.02);
  EXPECT_GE(extent_of(s, 1).low[1] - extent_of(s, 0).high[1], 0.02);
  EXPECT_GE(extent_of(s, 2).low[1] - extent_of(s, 1).high[1], 0.02);
  EXPECT_LT(extent_of(s, 2).low[1], 2.3);
}

TEST(ContactStart, WhatBindingsJoinMovesTogether) {
  // The wall stands at x >= 1 and is held; the two boxes one above the other are bound and both reach into it.
  Scene scene = scene_of({box("lower", {0.1, 0, 0}), box("upper", {0, 1, 0}), box("wall", {1, -2, -2}, {1, 6, 6})},
                         ContactStart::separate);
  scene.pins.push_back({.object = "wall", .select = SelectAll{}});
  SceneBinding binding;
  binding.bind.object = "upper";
  binding.bind.select = SelectPlane{{0, 1.01, 0}, {0, -1, 0}};
  binding.to.object = "lower";
  binding.distance = 0.01;
  binding.stiffness = 1e5;
  scene.bindings.push_back(binding);
  const Simulation s = simulation_of(scene);
  EXPECT_LE(extent_of(s, 0).high[0], 0.98);
  EXPECT_NEAR(extent_of(s, 0).low[0] - extent_of(s, 1).low[0], 0.1, 1e-12);
}

TEST(ContactStart, AllowIsRefusedUntilThereIsSuch) {
  EXPECT_TRUE(says(error_of(scene_of({box("one", {0, 0, 0})}, ContactStart::allow)),
                   "contact.start = \"allow\": is not in Sinew yet; use \"separate\""));
}

TEST(ContactStart, IsTheSameForAnyNumberOfThreadsAndResumed) {
  const Scene scene = scene_of({box("left", {0, 0, 0}, {1, 1, 1}, 5), box("right", {0.9, 0.1, 0.2}, {1, 1, 1}, 6)},
                               ContactStart::separate);
  Simulation one = simulation_of(scene, 1);
  EXPECT_EQ(one.hash(), simulation_of(scene, 3).hash());
  // What has come to intersect later is no reason to refuse a checkpoint.
  Scene refusing = scene_of({box("left", {0, 0, 0}), box("right", {1.1, 0, 0})});
  Simulation apart = simulation_of(refusing);
  std::vector<Real3> x = apart.positions();
  for (int32_t v = apart.objects()[1].first_vertex; v < apart.objects()[1].last_vertex; ++v)
    x[static_cast<size_t>(v)][0] -= 0.3;
  ASSERT_TRUE(apart.set_state(x, apart.velocities()));
  const Result<Simulation> resumed = Simulation::resume(apart.checkpoint(), 1);
  ASSERT_TRUE(resumed) << resumed.error().message();
  EXPECT_EQ(resumed->hash(), apart.hash());
}

}  // namespace
}  // namespace sinew
