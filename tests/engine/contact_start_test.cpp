// Source: the promises of compile/contact_start.h and of docs/contact.md. Places of boxes are known, so that it is
// known which of them intersect, and how far they have to move.
#include "compile/contact_start.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "io/says.h"
#include "mesh/crossing_triangles.h"
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
  const std::string error = creation_error(scene);
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
  EXPECT_EQ(creation_error(through), "");
  Scene no_contact = scene;
  no_contact.contact.reset();
  EXPECT_EQ(creation_error(no_contact), "");
}

TEST(ContactStart, RefusesBodiesInsideOthers) {
  EXPECT_TRUE(says(creation_error(scene_of({box("big", {0, 0, 0}), box("small", {0.4, 0.4, 0.4}, {0.1, 0.1, 0.1})})),
                   "objects.big and objects.small intersect at the start: one lies inside the other, near [0.4"));
  EXPECT_TRUE(says(creation_error(scene_of({box("small", {0.4, 0.4, 0.4}, {0.1, 0.1, 0.1}), box("big", {0, 0, 0})})),
                   "objects.small and objects.big intersect at the start: one lies inside the other"));
}

TEST(ContactStart, TakesBodiesThatAreMirrored) {
  Scene scene =
      scene_of({box("mirrored", {0, 0, 0}), box("far", {30, 0, 0}), box("within", {-0.6, 0.4, 0.4}, {0.1, 0.1, 0.1})});
  scene.objects[0].stretch = {-1, 1, 1};
  const std::string error = creation_error(scene);
  EXPECT_TRUE(says(error, "objects.mirrored and objects.within intersect at the start: one lies inside the other"))
      << error;
  EXPECT_FALSE(says(error, "objects.far")) << error;
  scene.objects.pop_back();
  EXPECT_EQ(creation_error(scene), "");
}

TEST(ContactStart, RefusesBodiesInColliders) {
  Scene scene = scene_of({box("block", {0, -0.25, 0})});
  scene.colliders.push_back({.name = "floor", .shape = ColliderHalfSpace{}});
  const std::string below = creation_error(scene);
  EXPECT_TRUE(says(below,
                   "objects.block and colliders.floor intersect at the start: 9 vertices are up to 0.25 m "
                   "inside, near ["))
      << below;
  scene.colliders[0] = {.name = "bar", .shape = ColliderBox{{-1, 0.2, 0.3}, {3, 0.4, 0.6}}};
  EXPECT_TRUE(says(creation_error(scene), "objects.block and colliders.bar intersect at the start: triangle "));
  // One that moves is where its script begins.
  scene.colliders[0].transform.translate = {0, 3, 0};
  EXPECT_EQ(creation_error(scene), "");
  scene.colliders[0].motion.keyframes = {{.time = 0, .translate = {0, -3, 0}}, {.time = 1}};
  EXPECT_TRUE(says(creation_error(scene), "colliders.bar"));
}

TEST(ContactStart, RefusesABodyThatIntersectsItself) {
  // Two tets of one body, through each other beyond the vertex that they share.
  MeshArrays arrays;
  arrays.vertices = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0.9, 0.3, 0.2, -0.2, 0.9, 0.3, 0.2, 0.2, 0.9};
  arrays.tets = {0, 1, 2, 3, 0, 4, 5, 6};
  Scene scene = scene_of({box("knot", {0, 0, 0})});
  scene.objects[0].mesh = arrays;
  const std::string error = creation_error(scene);
  EXPECT_TRUE(says(error, "objects.knot intersects itself at the start: triangle ")) << error;
  EXPECT_TRUE(says(error, "contact.self = false")) << error;
  EXPECT_FALSE(says(error, "separate")) << error;
  scene.contact->self = false;
  EXPECT_EQ(creation_error(scene), "");
}

TEST(ContactStart, TellsOfGapsBelowTheRadius) {
  const std::vector<std::string> warnings =
      warnings_of(scene_of({box("left", {0, 0, 0}), box("right", {1.005, 0.1, 0.1})}));
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0],
            "contact: objects.left and objects.right are 0.005 m apart at the start, less than the radius of their "
            "contacts, 0.02 m: they push each other apart; contact.start = \"separate\" moves them apart before");
  EXPECT_TRUE(warnings_of(scene_of({box("left", {0, 0, 0}), box("right", {1.03, 0.1, 0.1})})).empty());
  EXPECT_TRUE(warnings_of(scene_of({box("left", {0, 0, 0}), box("right", {1.02 - 1e-12, 0.1, 0.1})})).empty());
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

TEST(ContactStart, SeparateMovesTheMiddlesOfQuadraticBodiesToo) {
  Scene scene = scene_of({box("above", {0, -0.1, 0})}, ContactStart::separate);
  scene.objects[0].quadratic = true;
  scene.colliders.push_back({.name = "floor", .shape = ColliderHalfSpace{}});
  Simulation s = simulation_of(scene);
  const std::vector<Real3> x = s.positions(), rest = s.rest_positions();
  ASSERT_GT(x.size(), 27u);
  for (size_t v = 0; v < x.size(); ++v) {
    EXPECT_NEAR(x[v][1] - rest[v][1], x[0][1] - rest[0][1], 1e-12) << v;
    EXPECT_GT(x[v][1], 0) << v;
  }
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
  const std::string narrow = creation_error(scene);
  EXPECT_TRUE(says(narrow, "make room for them: contact.start = \"separate\" has not parted them in 200 rounds"))
      << narrow;
  scene.colliders[0].shape = ColliderHalfSpace{{0, -0.2, 0}, {0, 1, 0}};
  const Simulation other = simulation_of(scene);
  EXPECT_EQ(extent_of(other, 1).low[1], 0.9);
  EXPECT_LE(extent_of(other, 0).high[1], 0.88);

  scene.pins.push_back({.object = "held", .select = SelectAll{}});
  const std::string error = creation_error(scene);
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

bool intersect(const Simulation& s) {
  std::vector<Vec3d> points;
  for (const Real3& p : s.positions()) points.push_back({p[0], p[1], p[2]});
  std::vector<Triangle> triangles;
  for (const int32_t object : {0, 1}) {
    const std::vector<Triangle> surface = s.surface(object).value();
    triangles.insert(triangles.end(), surface.begin(), surface.end());
  }
  return !meeting_triangles(points, triangles, ThreadPool::caller()).empty();
}

// Two boxes that overlap fly apart without a force between them; then they are thrown at each other and collide.
TEST(ContactStart, AllowLetsBodiesPassUntilTheyAreApart) {
  for (const ContactGuarantee guarantee : {ContactGuarantee::none, ContactGuarantee::intersection_free}) {
    Scene scene = scene_of({box("left", {0, 0, 0}), box("right", {0.9, 0, 0}, {1, 1, 1}, 3)}, ContactStart::allow);
    scene.contact->guarantee = guarantee;
    scene.objects[0].velocity = {-1, 0, 0};
    scene.objects[1].velocity = {1, 0, 0};
    scene.solver.type = "vbd";
    Simulation s = simulation_of(scene, 2);
    const auto fastest_change = [&](double speed) {
      double most = 0;
      const std::vector<Real3> v = s.velocities();
      for (size_t k = 0; k < v.size(); ++k) {
        const bool left = static_cast<int32_t>(k) < s.objects()[0].last_vertex;
        most = std::max(most, std::hypot(v[k][0] - (left ? -speed : speed), v[k][1], v[k][2]));
      }
      return most;
    };
    take(s, 2);
    EXPECT_GT(extent_of(s, 0).high[0], extent_of(s, 1).low[0]) << "they still overlap";
    EXPECT_TRUE(s.contacts().empty());
    // The set of pairs is in checkpoints.
    Result<Simulation> resumed = Simulation::resume(s.checkpoint(), 1);
    ASSERT_TRUE(resumed) << resumed.error().message();
    take(s, 8);
    take(*resumed, 8);
    EXPECT_EQ(resumed->hash(), s.hash());
    EXPECT_LT(fastest_change(1), 1e-4) << "nothing has pushed them";
    EXPECT_LT(extent_of(s, 0).high[0] + 0.02, extent_of(s, 1).low[0]);

    std::vector<Real3> back(static_cast<size_t>(s.vertex_count()));
    for (size_t k = 0; k < back.size(); ++k)
      back[k][0] = static_cast<int32_t>(k) < s.objects()[0].last_vertex ? 0.5 : -0.5;
    ASSERT_TRUE(s.set_velocities(back));
    const Snapshot before = s.save();
    double deepest = 0, towards = 0;
    for (int k = 0; k < 30; ++k) {
      take(s, 1);
      EXPECT_FALSE(guarantee == ContactGuarantee::intersection_free && intersect(s)) << "step " << k;
      deepest = std::max(deepest, extent_of(s, 0).high[0] - extent_of(s, 1).low[0]);
    }
    for (int32_t v = 0; v < s.objects()[0].last_vertex; ++v) towards += s.velocities()[static_cast<size_t>(v)][0];
    EXPECT_LT(deepest, 0.05) << "they collide";
    EXPECT_LT(towards, 0) << "and fly apart";
    const uint64_t after = s.hash();
    ASSERT_TRUE(s.restore(before));
    take(s, 30);
    EXPECT_EQ(s.hash(), after);
  }
}

// Two that overlap may pass, two are moved apart, and one that is in a third is refused.
TEST(ContactStart, IsChosenByPairAndByObject) {
  Scene scene = scene_of({box("left", {0, 0, 0}), box("right", {0.9, 0, 0}), box("free", {5, 0, 0}),
                          box("own", {5.9, 0, 0}), box("alone", {9, 0, 0})});
  scene.objects[3].contact.start = ContactStart::separate;
  SceneContactPair& pair = scene.contact->pairs.emplace_back();
  pair.a = "left";
  pair.b = "right";
  pair.start = ContactStart::allow;
  Simulation s = simulation_of(scene, 1);
  EXPECT_NEAR(extent_of(s, 0).high[0], 1, 1e-6) << "it stays";
  EXPECT_LT(extent_of(s, 2).high[0] + 0.0199, extent_of(s, 3).low[0]);
  take(s, 3);
  EXPECT_TRUE(s.contacts().empty());
  scene.objects[4].mesh = MeshBox{{1, 1, 1}, {2, 2, 2}, {1.7, 0, 0}, 5};
  const Result<Simulation> refused = Simulation::create(scene, 1);
  ASSERT_FALSE(refused);
  EXPECT_TRUE(says(refused.error().message(), "objects.right and objects.alone intersect"))
      << refused.error().message();
}

// A box that stands in the ground is drawn out of it, let go, and stands on it. A box that is added into another one
// passes through that one only.
TEST(ContactStart, AllowLetsBodiesOutOfHalfSpacesAndWhatIsAddedOutOfBodies) {
  for (const ContactGuarantee guarantee : {ContactGuarantee::none, ContactGuarantee::intersection_free}) {
    Scene scene = scene_of({box("sunk", {0, -0.1, 0})}, ContactStart::allow);
    scene.contact->guarantee = guarantee;
    scene.colliders = {{.name = "ground", .shape = ColliderHalfSpace{}}};
    scene.objects[0].velocity = {0, 3, 0};
    scene.gravity = {0, -10, 0};
    scene.solver.type = "vbd";
    Simulation s = simulation_of(scene);
    take(s, 1);
    EXPECT_LT(extent_of(s, 0).low[1], 0);
    ASSERT_TRUE(s.add_object(box("added", {0.3, 0.5, 0.3}, {0.4, 1, 0.4}))) << "it meets the other one";
    take(s, 5);
    EXPECT_TRUE(s.contacts().empty());
    EXPECT_GT(extent_of(s, 0).low[1], 0.02);
    double lowest = 1;
    for (int k = 0; k < 60; ++k) {
      take(s, 1);
      lowest = std::min({lowest, extent_of(s, 0).low[1], extent_of(s, 1).low[1]});
    }
    EXPECT_GT(lowest, guarantee == ContactGuarantee::none ? -0.01 : 0) << "both stand on the ground";
    EXPECT_FALSE(s.contacts().empty());
  }
}

TEST(ContactStart, WithTheGuaranteeAStateThatIntersectsIsRefused) {
  Scene scene = scene_of({box("left", {0, 0, 0}), box("right", {1.1, 0, 0})});
  for (const bool guarantee : {false, true}) {
    scene.contact->guarantee = guarantee ? ContactGuarantee::intersection_free : ContactGuarantee::none;
    Simulation s = simulation_of(scene);
    std::vector<Real3> x = s.positions();
    const auto shift = [&](double by) {
      for (int32_t v = s.objects()[1].first_vertex; v < s.objects()[1].last_vertex; ++v)
        x[static_cast<size_t>(v)][0] += by;
    };
    shift(-0.3);
    const uint64_t before = s.hash();
    const Status set = s.set_state(x, s.velocities());
    EXPECT_EQ(set.ok(), !guarantee);
    if (!guarantee) continue;
    EXPECT_NE(set.error().message().find("left and objects.right intersect there: triangle"), std::string::npos)
        << set.error().message();
    EXPECT_EQ(s.hash(), before);
    shift(0.4);
    EXPECT_TRUE(s.set_state(x, s.velocities()));
    EXPECT_TRUE(s.step());
  }
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
