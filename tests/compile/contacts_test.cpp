// Source: docs/contact.md; the surface of n^3 cells of five tets is 12 n^2 triangles; scaling, turning and mirroring
// change volumes as determinants say.
#include "compile/contacts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "compile/contact_notes.h"
#include "mesh/summary.h"
#include "scene/places.h"
#include "support/box_scene.h"

namespace sinew {
namespace {

using std::numbers::pi;

// The box, with contact.
Scene contact_scene(int cells = 2) {
  Scene scene = box_scene(cells);
  scene.contact.emplace();
  return scene;
}
SceneCollider collider_of(ColliderShape shape, const char* name = "thing") {
  SceneCollider collider;
  collider.name = name;
  collider.shape = std::move(shape);
  return collider;
}
ContactSurface surface_with(const SceneCollider& collider) {
  Scene scene = contact_scene();
  scene.colliders = {collider};
  return compiled(scene).contact_surface;
}
bool warns(const Scene& scene, const std::string& words) {
  const std::vector<std::string> warnings = compiled(scene).warnings;
  return std::any_of(warnings.begin(), warnings.end(),
                     [&](const std::string& w) { return w.find(words) != std::string::npos; });
}
// The triangles of a body, numbered anew.
SurfaceSummary summary_of(const ContactSurface& surface, int32_t body) {
  SurfaceMesh mesh{surface.rest, {}};
  for (const Triangle& t : surface.triangles)
    if (surface.body_of[static_cast<size_t>(t[0])] == body) mesh.triangles.push_back(t);
  return summarize(mesh);
}
const ContactRule& rule_of(const CompiledScene& c, int32_t a, int32_t b) {
  return c.contact_surface.rules[static_cast<size_t>(a * c.contact_surface.group_count + b)];
}

// Middles belong to the body of their tet; its faces are four triangles each.
TEST(Contacts, OfQuadraticTetsAreOfOneBody) {
  Scene scene = contact_scene();
  scene.objects[0].quadratic = true;
  const ContactSurface surface = compiled(scene).contact_surface;
  ASSERT_EQ(surface.bodies.size(), 1u);
  EXPECT_TRUE(surface.bodies[0].closed);
  const ContactSurface linear = compiled(contact_scene()).contact_surface;
  EXPECT_EQ(surface.triangles.size(), 4 * linear.triangles.size());
  EXPECT_NEAR(summary_of(surface, 0).volume, summary_of(linear, 0).volume, 1e-12);
}

TEST(Contacts, AreOnWhereAKeySaysSo) {
  Scene scene = box_scene();
  EXPECT_TRUE(compiled(scene).contact_surface.empty());
  scene.colliders = {collider_of(ColliderHalfSpace{})};
  EXPECT_FALSE(compiled(scene).contact_surface.empty());
  scene.no_contact = true;
  EXPECT_TRUE(compiled(scene).contact_surface.empty());
  scene.no_contact = false;
  scene.colliders.clear();
  scene.contact.emplace();
  EXPECT_FALSE(compiled(scene).contact_surface.empty());
}

TEST(Contacts, ABodyIsItsBoundaryInSlots) {
  Scene scene = contact_scene(3);
  scene.contact->guarantee = ContactGuarantee::intersection_free;
  scene.contact->start = ContactStart::allow;
  scene.contact->detect_every = 9;
  const CompiledScene c = compiled(scene);
  const ContactSurface& s = c.contact_surface;
  EXPECT_TRUE(s.rule(0, 0).apart);
  EXPECT_EQ(s.rule(0, 0).start, ContactStart::allow);
  EXPECT_EQ(c.detect_contact_every, 9);
  EXPECT_EQ(s.slot_count, c.model.order.slot_count());
  EXPECT_EQ(s.point_count(), s.slot_count);
  EXPECT_EQ(s.triangles.size(), 12u * 9);
  EXPECT_EQ(s.vertices.size(), 64u - 8);
  ASSERT_EQ(s.bodies.size(), 1u);
  EXPECT_EQ(s.bodies[0].object, 0);
  EXPECT_TRUE(s.bodies[0].closed);
  EXPECT_TRUE(s.bodies[0].self);
  EXPECT_FALSE(s.bodies[0].collider);
  EXPECT_NEAR(summary_of(s, 0).volume, 1, 1e-12);
  EXPECT_EQ(s.edges.size(), 18u * 9) << "connected";
  for (int32_t v = 0; v < 64; ++v) {
    const auto slot = static_cast<size_t>(c.model.order.slot(UserVertex{v}));
    const Vec3d x = rest_of(c, v);
    EXPECT_EQ(s.rest[slot].x, x.x);
    EXPECT_EQ(s.rest[slot].y, x.y);
    EXPECT_EQ(s.rest[slot].z, x.z);
    const bool inner = std::max({std::abs(x.x - 0.5), std::abs(x.y - 0.5), std::abs(x.z - 0.5)}) < 0.4;
    EXPECT_EQ(s.body_of[slot], inner ? -1 : 0);
  }
}

TEST(Contacts, CopiesAreBodiesOfOneGroup) {
  Scene scene = contact_scene();
  scene.objects.push_back(scene.objects[0]);
  scene.objects[1].name = "other";
  scene.objects[0].copies = {{2, 1, 3}, {2, 0, 2}};
  const CompiledScene c = compiled(scene);
  const ContactSurface& s = c.contact_surface;
  ASSERT_EQ(s.bodies.size(), 7u);
  EXPECT_EQ(s.group_count, 2);
  for (int32_t b = 0; b < 7; ++b) {
    EXPECT_EQ(s.bodies[static_cast<size_t>(b)].object, b < 6 ? 0 : 1);
    EXPECT_EQ(s.bodies[static_cast<size_t>(b)].group, b < 6 ? 0 : 1);
    EXPECT_TRUE(s.bodies[static_cast<size_t>(b)].closed);
    EXPECT_NEAR(summary_of(s, b).volume, 1, 1e-12);
  }
  EXPECT_TRUE(s.rule(0, 1).touches);
  EXPECT_TRUE(s.rule(0, 6).touches);
}

// The outer and the inner surface of a shell are joined by its tets.
TEST(Contacts, AHollowBodyIsOneBody) {
  Scene scene = contact_scene();
  SceneShape shell{"shell", {{"thickness", 0.3}}, {SceneShape{"ball", {{"radius", 1}}}}};
  scene.objects[0].mesh = MeshShape{shell, {.cells = 14}};
  const Result<CompiledScene> c = compile_scene(scene, DiskFiles());
  ASSERT_TRUE(c.ok()) << c.error().message();
  ASSERT_EQ(c->contact_surface.bodies.size(), 1u);
  EXPECT_TRUE(c->contact_surface.bodies[0].closed);
  EXPECT_EQ(summary_of(c->contact_surface, 0).topology.components, 2);
}

TEST(Contacts, SelfContactIsOfBodies) {
  Scene scene = contact_scene();
  EXPECT_TRUE(compiled(scene).contact_surface.bodies[0].self);
  scene.contact->self = false;
  CompiledScene c = compiled(scene);
  EXPECT_FALSE(c.contact_surface.bodies[0].self);
  EXPECT_FALSE(rule_of(c, 0, 0).touches) << "there is only one body";
  scene.objects[0].copies = {{2, 1, 1}, {2, 0, 0}};
  c = compiled(scene);
  EXPECT_FALSE(c.contact_surface.bodies[0].self);
  EXPECT_TRUE(rule_of(c, 0, 0).touches) << "copies touch each other";
  scene.objects[0].contact.self = true;
  EXPECT_TRUE(compiled(scene).contact_surface.bodies[1].self);
}

TEST(Contacts, AutomaticRadiusComesFromTheSurface) {
  Scene scene = contact_scene(2);
  scene.objects.push_back(scene.objects[0]);
  scene.objects[1].name = "fine";
  scene.objects[1].mesh = MeshBox{{1, 1, 1}, {4, 4, 4}, {0, 0, 0}, 5};
  scene.objects[1].transform.translate = {2, 0, 0};
  scene.colliders = {collider_of(ColliderHalfSpace{{0, -1, 0}, {0, 1, 0}})};
  const CompiledScene c = compiled(scene);
  // Triangles with sides of half a cell's edge, and its diagonal.
  const double coarse = 0.15 * (2 * 0.5 + 0.5 * std::sqrt(2)) / 3;
  EXPECT_NEAR(rule_of(c, 0, 0).radius, coarse, 1e-15);
  EXPECT_NEAR(rule_of(c, 1, 1).radius, coarse / 2, 1e-15);
  EXPECT_NEAR(rule_of(c, 0, 1).radius, coarse / 2, 1e-15);
  EXPECT_NEAR(rule_of(c, 0, 2).radius, coarse, 1e-15);
  EXPECT_EQ(rule_of(c, 0, 1), rule_of(c, 1, 0));
  EXPECT_EQ(rule_of(c, 0, 0).stiffness, 0);
  EXPECT_FALSE(rule_of(c, 2, 2).touches);
}

TEST(Contacts, PairsAndBindingsDecideWhoTouches) {
  Scene scene = contact_scene();
  scene.objects.push_back(scene.objects[0]);
  scene.objects[1].name = "other";
  scene.objects[1].transform.translate = {1, 0, 0};
  scene.colliders = {collider_of(ColliderHalfSpace{{0, -1, 0}, {0, 1, 0}}, "floor"),
                     collider_of(ColliderHalfSpace{{0, -1, 0}, {0, 1, 0}}, "wall")};
  SceneBinding binding;
  binding.bind.object = "other";
  binding.to.object = "block";
  binding.distance = 0.1;
  binding.stiffness = 1e4;
  scene.bindings = {binding};
  scene.contact->friction = 0.1;
  scene.contact->pairs = {{"floor", "other", {}, {}, {}, 0.7, {}, {}, {}, {}, {}}};
  CompiledScene c = compiled(scene);
  EXPECT_FALSE(rule_of(c, 0, 1).touches);
  EXPECT_TRUE(rule_of(c, 0, 0).touches);
  EXPECT_EQ(rule_of(c, 1, 2).friction, 0.7);
  EXPECT_EQ(rule_of(c, 2, 1).friction, 0.7);
  EXPECT_EQ(rule_of(c, 0, 2).friction, 0.1);
  EXPECT_FALSE(rule_of(c, 2, 3).touches) << "two colliders";
  SceneContactPair touching{"block", "other", {}, {}, {}, {}, {}, {}, {}, {}, true};
  scene.contact->pairs.push_back(touching);
  c = compiled(scene);
  EXPECT_TRUE(rule_of(c, 0, 1).touches);
}

TEST(Contacts, ARadiusBeyondTheMeshIsWarnedOf) {
  Scene scene = contact_scene();
  EXPECT_TRUE(compiled(scene).warnings.empty());
  scene.contact->radius = 0.4;
  EXPECT_FALSE(warns(scene, "radius"));
  scene.contact->radius = 0.6;
  EXPECT_TRUE(warns(scene,
                    "objects.block: contacts begin at a radius of 0.6 m, more than the shortest edge of its "
                    "surface, 0.5 m"));
  EXPECT_TRUE(warns(scene, "here 0.0854 m"));
  scene.contact->law = ContactLaw::penalty;
  EXPECT_TRUE(warns(scene, "contact.radius = 0.6 m is not used"));
  EXPECT_FALSE(warns(scene, "shortest edge"));
}

TEST(Contacts, ARadiusOfManyEdgesIsRefused) {
  Scene scene = contact_scene();
  scene.contact->radius = 2;
  const Result<CompiledScene> c = compile_scene(scene, DiskFiles());
  ASSERT_FALSE(c);
  EXPECT_EQ(c.error().where, "objects.block");
  EXPECT_NE(c.error().what.find("23 times what suits its mesh"), std::string::npos) << c.error().what;
  EXPECT_NE(c.error().remedy.find("at most 1.71 m"), std::string::npos) << c.error().remedy;
}

TEST(Contacts, WhatTakesNoPartIsWarnedOf) {
  Scene scene = contact_scene();
  scene.objects.push_back({.name = "rope", .mesh = MeshChain{}});
  scene.objects[1].transform.translate = {0, 5, 0};
  SceneObject sheet;
  sheet.name = "sheet";
  sheet.mesh = MeshRectangle{1, 1, 2, 2, {0, 0, 9}};
  sheet.material = "rubber";
  scene.objects.push_back(sheet);
  EXPECT_TRUE(warns(scene, "objects.rope: chains, grids and other springs take no part in contact yet"));
  EXPECT_TRUE(warns(scene, "objects.sheet: bodies of plane strain take no part in contact yet"));
  const CompiledScene c = compiled(scene);
  EXPECT_EQ(c.contact_surface.bodies.size(), 1u);
  EXPECT_FALSE(rule_of(c, 0, 1).touches);
  EXPECT_FALSE(rule_of(c, 0, 2).touches);
}

// Each with its exact volume, and how much less triangles may have.
struct Solid {
  ColliderShape shape;
  double volume, missing;
};
const std::vector<double> tetrahedron{0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 1};
const std::vector<int64_t> its_faces{0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2};
std::vector<Solid> solids() {
  return {{ColliderBox{{0, 0, 0}, {1, 2, 3}}, 6, 1e-12},
          {ColliderSphere{{1, 0, 0}, 0.5}, pi / 6, 0.01},
          {ColliderCapsule{{1, 0, 0}, {1, 2, 0}, 0.5}, pi / 6 + pi / 2, 0.01},
          {ColliderArrays{tetrahedron, its_faces}, 1, 1e-12},
          {ColliderSolid{SceneShape{"ball", {{"radius", 0.5}}}, {.cells = 12}}, pi / 6, 0.05}};
}

TEST(Colliders, AreClosedAndFaceOutwardsWhereverTheyAre) {
  const Transform transforms[] = {{},
                                  {{2, 2, 2}, {1, 1, 0}, 30, {1, 2, 3}},
                                  {{-1, 1, 1}, {0, 0, 1}, 90, {5, 0, 0}},
                                  {{-1, -2, -0.5}, {0, 1, 0}, 10, {}}};
  for (const Solid& solid : solids())
    for (const Transform& transform : transforms) {
      SceneCollider collider = collider_of(solid.shape);
      collider.transform = transform;
      const ContactSurface s = surface_with(collider);
      ASSERT_EQ(s.bodies.size(), 2u);
      EXPECT_TRUE(s.bodies[1].closed);
      EXPECT_TRUE(s.bodies[1].collider);
      EXPECT_FALSE(s.bodies[1].self);
      EXPECT_EQ(s.bodies[1].object, 1);
      EXPECT_EQ(s.bodies[1].group, 1);
      for (int32_t p = s.slot_count; p < s.point_count(); ++p) EXPECT_EQ(s.body_of[static_cast<size_t>(p)], 1);
      const Real3& k = transform.scale;
      const double volume = std::abs(k[0] * k[1] * k[2]) * solid.volume, found = summary_of(s, 1).volume;
      EXPECT_LE(found, volume * (1 + 1e-12)) << solid.shape.index();
      EXPECT_GE(found, volume * (1 - solid.missing)) << solid.shape.index();
      EXPECT_TRUE(s.rule(0, 1).touches);
    }
}

TEST(Colliders, AHalfSpaceIsAPlane) {
  SceneCollider floor = collider_of(ColliderHalfSpace{{1, 2, 3}, {0, 5, 0}}, "floor");
  Scene scene = contact_scene();
  scene.colliders = {floor};
  CompiledScene c = compiled(scene);
  ASSERT_EQ(c.contact_surface.planes.size(), 1u);
  ContactPlane plane = c.contact_surface.planes[0];
  EXPECT_EQ(plane.collider, 1);
  EXPECT_EQ(plane.group, 1);
  EXPECT_EQ(plane.point.y, 2);
  EXPECT_EQ(plane.normal.y, 1);
  EXPECT_EQ(dot(plane.along, plane.along), 1);
  EXPECT_EQ(dot(plane.along, plane.normal), 0);
  EXPECT_EQ(c.contact_surface.bodies.size(), 1u) << "no triangles";
  ASSERT_EQ(c.colliders.size(), 1u);
  EXPECT_EQ(c.colliders[0].first_plane, 0);
  EXPECT_EQ(c.colliders[0].last_plane, 1);
  EXPECT_EQ(c.colliders[0].first_point, c.colliders[0].last_point);
  EXPECT_EQ(c.collider_parts[0].name, "floor");
  // Stretched along y and turned about z, a slope of 45 degrees is one of atan(2), upside down.
  scene.colliders[0].shape = ColliderHalfSpace{{0, 0, 0}, {1, 1, 0}};
  scene.colliders[0].transform = {{1, 2, 1}, {0, 0, 1}, 180, {0, 7, 0}};
  plane = compiled(scene).contact_surface.planes[0];
  EXPECT_NEAR(plane.normal.x, -2 / std::sqrt(5), 1e-15);
  EXPECT_NEAR(plane.normal.y, -1 / std::sqrt(5), 1e-15);
  EXPECT_EQ(plane.point.y, 7);
}

TEST(Colliders, AnInwardBoxIsSixPlanesThatFaceItsMiddle) {
  Scene scene = contact_scene();
  scene.colliders = {collider_of(ColliderInwardBox{{-1, -2, -3}, {3, 4, 5}})};
  scene.colliders[0].transform = {{-1, 1, 1}, {1, 2, 3}, 50, {10, 20, 30}};
  const CompiledScene c = compiled(scene);
  ASSERT_EQ(c.contact_surface.planes.size(), 6u);
  std::vector<Vec3d> inside{{1, 1, 1}};
  std::vector<double> found;
  place(scene.colliders[0].transform, inside);
  for (const ContactPlane& plane : c.contact_surface.planes) {
    found.push_back(dot(inside[0] - plane.point, plane.normal));
    EXPECT_NEAR(dot(plane.along, plane.along), 1, 1e-14);
    EXPECT_NEAR(dot(plane.along, plane.normal), 0, 1e-14);
  }
  std::sort(found.begin(), found.end());
  const double expected[] = {2, 2, 3, 3, 4, 4};
  for (size_t k = 0; k < 6; ++k) EXPECT_NEAR(found[k], expected[k], 1e-13);
  EXPECT_NEAR(c.colliders[0].center.x, inside[0].x, 1e-13);
}

TEST(Colliders, FollowTheirKeyframes) {
  Scene scene = contact_scene();
  scene.colliders = {collider_of(ColliderBox{{2, 0, 0}, {4, 2, 2}}, "press"),
                     collider_of(ColliderHalfSpace{{0, -5, 0}, {0, 1, 0}}, "floor")};
  scene.colliders[0].motion.keyframes = {{0, {0, 0, 0}, 0, {1, 1, 1}}, {2, {0, 3, 0}, 90, {1, 1, 1}}};
  scene.colliders[0].motion.smooth = false;
  scene.colliders[1].motion.keyframes = {{0, {0, 0, 0}, 0, {1, 1, 1}}, {1, {0, 1, 0}, 0, {1, 1, 1}}};
  const CompiledScene c = compiled(scene);
  const ContactSurface& s = c.contact_surface;
  ASSERT_EQ(c.colliders.size(), 2u);
  EXPECT_EQ(c.colliders[0].first_point, s.slot_count);
  EXPECT_EQ(c.colliders[0].last_point, s.slot_count + 8);
  EXPECT_TRUE(c.colliders[0].moves());
  std::vector<Vec3d> points(8);
  std::vector<ContactPlane> planes(1);
  place_colliders(c.colliders, 2, s, points, planes);
  // By a quarter turn about its middle, (3, 1, 1): the corner (2, 0, 0) is at (4, 0, 0), then 3 m higher.
  EXPECT_NEAR(points[0].x, 4, 1e-14);
  EXPECT_NEAR(points[0].y, 3, 1e-14);
  EXPECT_NEAR(points[0].z, 0, 1e-14);
  EXPECT_NEAR(planes[0].point.y, -4, 1e-14);
  scene.colliders[0].motion.center = Real3{2, 0, 0};
  place_colliders(compiled(scene).colliders, 2, s, points, planes);
  EXPECT_NEAR(points[0].x, 2, 1e-14);
  EXPECT_NEAR(points[0].y, 3, 1e-14);
}

const char* const cube_of_squares =
    "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
    "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

TEST(Colliders, AreReadFromFiles) {
  const TemporaryFile file("cube.obj", cube_of_squares);
  Scene scene = contact_scene();
  scene.base_folder = file.folder();
  scene.colliders = {collider_of(ColliderMesh{file.name()})};
  const CompiledScene c = compiled(scene);
  EXPECT_TRUE(c.warnings.empty());
  EXPECT_TRUE(c.contact_surface.bodies[1].closed);
  EXPECT_NEAR(summary_of(c.contact_surface, 1).volume, 1, 1e-12);
  scene.colliders = {collider_of(ColliderMesh{"none.obj"})};
  EXPECT_HAS(error_of(scene), "colliders.thing.shape: ");
}

TEST(Colliders, SeamsAreJoined) {
  // Every face with vertices of its own.
  std::vector<double> vertices;
  std::vector<int64_t> triangles;
  for (const int64_t v : its_faces) {
    triangles.push_back(static_cast<int64_t>(vertices.size() / 3));
    for (size_t k = 0; k < 3; ++k) vertices.push_back(tetrahedron[3 * static_cast<size_t>(v) + k]);
  }
  const ContactSurface s = surface_with(collider_of(ColliderArrays{vertices, triangles}));
  EXPECT_EQ(s.point_count() - s.slot_count, 4);
  EXPECT_TRUE(s.bodies[1].closed);
}

TEST(Colliders, FaultyMeshesAreWarnedOf) {
  const auto with = [](std::vector<double> vertices, std::vector<int64_t> triangles) {
    Scene scene = contact_scene();
    scene.colliders = {collider_of(ColliderArrays{std::move(vertices), std::move(triangles)})};
    return scene;
  };
  EXPECT_TRUE(compiled(with(tetrahedron, its_faces)).warnings.empty());
  std::vector<int64_t> open(its_faces.begin(), its_faces.end() - 3);
  EXPECT_TRUE(warns(with(tetrahedron, open), "colliders.thing.shape: is not closed: 3 of its edges"));
  EXPECT_FALSE(compiled(with(tetrahedron, open)).contact_surface.bodies[1].closed);
  std::vector<int64_t> inwards = its_faces;
  for (size_t k = 0; k < inwards.size(); k += 3) std::swap(inwards[k], inwards[k + 1]);
  EXPECT_TRUE(warns(with(tetrahedron, inwards), "encloses -1 m^3: its triangles face inwards"));
  std::vector<int64_t> turned = its_faces;
  std::swap(turned[0], turned[1]);
  EXPECT_TRUE(warns(with(tetrahedron, turned), "is not closed"));
  std::vector<int64_t> more = its_faces;
  more.insert(more.end(), {2, 1, 0, 3, 3, 1});
  EXPECT_TRUE(warns(with(tetrahedron, more), "1 triangle (number 5) without area left out"));
  EXPECT_TRUE(warns(with(tetrahedron, more), "1 triangle (number 4) left out: there are others with the same corners"));
  EXPECT_TRUE(compiled(with(tetrahedron, more)).contact_surface.bodies[1].closed);
  EXPECT_HAS(error_of(with({0, 0, 0, 1, 0, 0, 2, 0, 0}, {0, 1, 2})), "has no triangle with an area");
  Scene far = with(tetrahedron, its_faces);
  far.colliders[0].transform.scale = {1e18, 1, 1};
  EXPECT_HAS(error_of(far), "squares of such distances are no numbers any more; check the units");
}

TEST(Contacts, WhatWasChosenIsToldInWords) {
  Scene scene = contact_scene();
  scene.objects[0].mesh = MeshBox{{1, 1, 1}, {2, 2, 2}, {0, 0, 0}, 5};
  scene.time.frame_dt = 0.01;
  scene.contact->friction = 0.4;
  scene.colliders = {collider_of(ColliderHalfSpace{{0, -1, 0}, {0, 1, 0}}, "floor"),
                     collider_of(ColliderSphere{{0, -9, 0}, 0.5}, "globe")};
  scene.colliders[1].contact = {{}, 0.25, 5e3, 0, {}, {}, {}, {}, {}, {}};
  const CompiledScene c = compiled(scene);
  const std::vector<std::string> notes = contact_notes(scene, c);
  ASSERT_EQ(notes.size(), 3u);
  EXPECT_EQ(notes[0], "contact: 3248 triangles, 1 body, 2 colliders; guarantee none");
  EXPECT_HAS(notes[1],
             "contact of block with itself, block with floor: from 0.0854 m on, stiffness from that of "
             "vertices, ");
  EXPECT_HAS(notes[1], "friction 0.4, smooth, below 0.01 m/s less");
  EXPECT_EQ(notes[2], "contact of block with globe: from 0.25 m on, stiffness 5e+03 N/m, no friction");
  EXPECT_TRUE(contact_notes(box_scene(), compiled(box_scene())).empty());
}

TEST(Contacts, PenaltiesAreRefusedWithTheGuarantee) {
  Scene scene = contact_scene(2);
  scene.contact->guarantee = ContactGuarantee::intersection_free;
  scene.contact->law = ContactLaw::penalty;
  EXPECT_HAS(error_of(scene), "nothing would push at all; use the law offset for them");
  scene.contact->law = ContactLaw::offset;
  compiled(scene);
  scene.colliders = {collider_of(ColliderHalfSpace{{0, -100, 0}, {0, 1, 0}}, "floor")};
  scene.objects[0].contact.law = ContactLaw::penalty;
  EXPECT_HAS(error_of(scene), "penalties push only what has crossed");
  for (SceneObject& object : scene.objects) object.contact.touches = false;
  compiled(scene);
}

TEST(Contacts, ARadiusFarBelowTheEdgesIsWarnedOf) {
  Scene scene = contact_scene(1);
  scene.contact->radius = 1e-9;
  EXPECT_TRUE(warns(scene, "contacts begin at a radius of 1e-09 m, far below the edges of its mesh"));
}

TEST(Contacts, AStiffnessFarAboveThatOfTheBodiesIsWarnedOf) {
  Scene scene = contact_scene(1);
  scene.contact->stiffness = 1e18;
  EXPECT_TRUE(warns(scene, "contact of objects.block and objects.block: its stiffness of 1e+18 N/m is "));
  scene.contact->stiffness = 1e6;
  EXPECT_FALSE(warns(scene, "its stiffness"));
}

TEST(Contacts, TooManyObjectsForATableOfPairsAreRefused) {
  Scene scene = contact_scene(1);
  for (int k = 0; k < 5000; ++k) scene.colliders.push_back(collider_of(ColliderHalfSpace{}));
  for (size_t k = 0; k < scene.colliders.size(); ++k) scene.colliders[k].name = "c" + std::to_string(k);
  EXPECT_HAS(error_of(scene), "make bodies of one shape copies of one object");
}

}  // namespace
}  // namespace sinew
