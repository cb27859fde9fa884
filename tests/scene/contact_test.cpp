// Source: docs/contact.md: the keys of contact and colliders, their defaults, and what is refused.
#include <gtest/gtest.h>

#include <string>

#include "io/says.h"
#include "sinew/scene_file.h"

namespace sinew {
namespace {

// A block, a second one, and whatever else.
std::string text_of(const std::string& extra, const std::string& object = "") {
  return R"({ "sinew": 1, "materials": { "rubber": {} },
    "objects": { "block": { "mesh": { "box": {} }, "material": "rubber")" +
         object + R"( }, "ball": { "mesh": { "ball": {} }, "material": "rubber" },
      "rope": { "mesh": { "chain": {} } }, "sheet": { "mesh": { "rectangle": {} }, "material": "rubber" } },
    "gravity": [0, -9.81, 0])" +
         extra + "}";
}
Scene parsed(const std::string& extra, const std::string& object = "", std::vector<std::string> overrides = {}) {
  Result<Scene> scene = parse_scene(text_of(extra, object), "s.json", "", overrides);
  EXPECT_TRUE(scene.ok()) << scene.error().message();
  return scene ? *scene : Scene{};
}
std::string fault(const std::string& extra, const std::string& object = "") {
  const Result<Scene> scene = parse_scene(text_of(extra, object), "s.json", "");
  return scene ? "" : scene.error().message();
}
std::string contact_fault(const std::string& keys) {
  return fault(R"(, "contact": {)" + keys + "}");
}
std::string collider_fault(const std::string& keys) {
  return fault(R"(, "colliders": { "floor": {)" + keys + "} }");
}

TEST(ContactKeys, AreOffUnlessTheyAreGiven) {
  EXPECT_FALSE(parsed("").contact);
  EXPECT_FALSE(parsed(R"(, "contact": "none")").contact);
  EXPECT_TRUE(parsed(R"(, "contact": "none")").no_contact);
  EXPECT_FALSE(parsed(R"(, "contact": "auto")").no_contact);
  EXPECT_FALSE(parsed("").no_contact);
  EXPECT_EQ(parsed(R"(, "contact": {})").contact, ContactSettings{});
  EXPECT_EQ(parsed("", "", {"contact={}"}).contact, ContactSettings{});
  EXPECT_EQ(parsed("", "", {"contact.friction=0.5"}).contact->friction, 0.5);
}

TEST(ContactKeys, DefaultsAreThoseOfTheStructs) {
  const ContactSettings c = *parsed(R"(, "contact": {})").contact;
  EXPECT_EQ(c.law, ContactLaw::offset);
  EXPECT_EQ(c.radius, std::nullopt);
  EXPECT_EQ(c.stiffness, std::nullopt);
  EXPECT_EQ(c.friction, 0);
  EXPECT_EQ(c.friction_speed, 0.01);
  EXPECT_EQ(c.friction_form, FrictionForm::smooth);
  EXPECT_EQ(c.guarantee, ContactGuarantee::none);
  EXPECT_TRUE(c.self);
  EXPECT_EQ(c.start, ContactStart::refuse);
  EXPECT_EQ(c.detect_every, 4);
}

TEST(ContactKeys, AreAllRead) {
  const Scene scene = parsed(
      R"(, "contact": { "law": "penalty", "radius": 0.02, "stiffness": 1e4, "friction": 0.3, "friction_speed": 0.001,
           "friction_form": "stick", "guarantee": "intersection_free", "self": false, "start": "separate",
           "detect_every": 2, "pairs": [ { "a": "block", "b": "floor", "law": "offset", "radius": 0.1, "stiffness": 5,
           "friction": 0.9, "friction_speed": 0.2, "friction_form": "smooth", "guarantee": "none", "start": "allow", "touches": true } ] },
         "colliders": { "floor": { "shape": { "half_space": { "point": [0, 1, 0], "normal": [0, 2, 0] } },
           "transform": { "translate": [0, 3, 0] }, "color": [1, 0, 0], "contact": { "friction": 0.4, "touches": false },
           "motion": { "axis": [0, 1, 0], "center": [1, 1, 1], "smooth": false, "keyframes": [ { "time": 2 } ] } } })",
      R"(, "contact": { "law": "offset", "radius": 0.03, "self": true, "touches": false, "start": "separate",
                        "guarantee": "intersection_free" })");
  const ContactSettings& c = *scene.contact;
  EXPECT_EQ(c.law, ContactLaw::penalty);
  EXPECT_EQ(c.radius, 0.02);
  EXPECT_EQ(c.stiffness, 1e4);
  EXPECT_EQ(c.friction, 0.3);
  EXPECT_EQ(c.friction_speed, 0.001);
  EXPECT_EQ(c.friction_form, FrictionForm::stick);
  EXPECT_EQ(c.guarantee, ContactGuarantee::intersection_free);
  EXPECT_FALSE(c.self);
  EXPECT_EQ(c.start, ContactStart::separate);
  EXPECT_EQ(c.detect_every, 2);
  ASSERT_EQ(c.pairs.size(), 1u);
  EXPECT_EQ(c.pairs[0], (SceneContactPair{"block", "floor", ContactLaw::offset, 0.1, 5, 0.9, 0.2, FrictionForm::smooth,
                                          ContactGuarantee::none, ContactStart::allow, true}));
  ObjectContact own;
  own.law = ContactLaw::offset;
  own.radius = 0.03;
  own.guarantee = ContactGuarantee::intersection_free;
  own.start = ContactStart::separate;
  own.self = true;
  own.touches = false;
  EXPECT_EQ(scene.objects[0].contact, own);
  EXPECT_EQ(scene.objects[1].contact, ObjectContact{});
  ASSERT_EQ(scene.colliders.size(), 1u);
  const SceneCollider& floor = scene.colliders[0];
  EXPECT_EQ(floor.name, "floor");
  EXPECT_EQ(std::get<ColliderHalfSpace>(floor.shape), (ColliderHalfSpace{{0, 1, 0}, {0, 2, 0}}));
  EXPECT_EQ(floor.transform.translate, (Real3{0, 3, 0}));
  EXPECT_EQ(floor.color, (Real3{1, 0, 0}));
  EXPECT_EQ(floor.contact.friction, 0.4);
  EXPECT_EQ(floor.contact.touches, false);
  EXPECT_EQ(floor.motion.center, (Real3{1, 1, 1}));
  ASSERT_EQ(floor.motion.keyframes.size(), 1u);
}

TEST(ContactKeys, ShapesAreRead) {
  const Scene scene = parsed(R"(, "colliders": {
    "a": { "shape": { "box": { "min": [0, 0, 0], "max": [1, 2, 3] } } },
    "b": { "shape": { "sphere": { "center": [1, 2, 3], "radius": 4 } } },
    "c": { "shape": { "capsule": { "a": [0, 0, 0], "b": [1, 2, 3], "radius": 4 } } },
    "d": { "shape": { "inward_box": { "min": [0, 0, 0], "max": [1, 2, 3] } } },
    "e": { "shape": { "mesh": "bowl.obj" } },
    "f": { "shape": { "arrays": { "vertices": [0, 0, 0, 1, 0, 0, 0, 1, 0], "triangles": [0, 1, 2] } } },
    "g": { "shape": { "solid": { "of": { "torus": { "radius": 2 } }, "cells": 12 } } } })");
  ASSERT_EQ(scene.colliders.size(), 7u);
  EXPECT_EQ(std::get<ColliderBox>(scene.colliders[0].shape), (ColliderBox{{0, 0, 0}, {1, 2, 3}}));
  EXPECT_EQ(std::get<ColliderSphere>(scene.colliders[1].shape), (ColliderSphere{{1, 2, 3}, 4}));
  EXPECT_EQ(std::get<ColliderCapsule>(scene.colliders[2].shape), (ColliderCapsule{{0, 0, 0}, {1, 2, 3}, 4}));
  EXPECT_EQ(std::get<ColliderInwardBox>(scene.colliders[3].shape), (ColliderInwardBox{{0, 0, 0}, {1, 2, 3}}));
  EXPECT_EQ(std::get<ColliderMesh>(scene.colliders[4].shape).path, "bowl.obj");
  EXPECT_EQ(std::get<ColliderArrays>(scene.colliders[5].shape).triangles.size(), 3u);
  EXPECT_EQ(std::get<ColliderSolid>(scene.colliders[6].shape).shape.kind, "torus");
  EXPECT_EQ(std::get<ColliderSolid>(scene.colliders[6].shape).settings.cells, 12);
}

TEST(ContactErrors, NameKeyValueAndRemedy) {
  EXPECT_EQ(fault(R"(, "contacts": {})"), "s.json: contacts: unknown key; did you mean 'contact'?");
  EXPECT_TRUE(says(contact_fault(R"("radius": 0)"), "contact.radius = 0 [m]: must be above 0"));
  EXPECT_TRUE(says(contact_fault(R"("radius": "big")"), "contact.radius = \"big\" [m]: must be a number or \"auto\""));
  EXPECT_TRUE(says(contact_fault(R"("friction": -1)"), "contact.friction = -1 [-]: must be at least 0"));
  EXPECT_TRUE(says(contact_fault(R"("law": "offsett")"), "did you mean 'offset'?"));
  EXPECT_TRUE(says(contact_fault(R"("guarantee": "intersection-free")"), "did you mean 'intersection_free'?"));
  EXPECT_TRUE(says(contact_fault(R"("detect_every": 0)"), "contact.detect_every = 0 [-]: must be at least 1"));
  EXPECT_TRUE(says(contact_fault(R"("frictoin": 0)"), "contact.frictoin: unknown key; did you mean 'friction'?"));
  EXPECT_TRUE(says(fault(R"(, "contact": 1)"), "contact = 1: must be one of auto, none, or an object { }"));
  EXPECT_TRUE(says(fault("", R"(, "contact": { "radius": -1 })"), "objects.block.contact.radius = -1 [m]"));
  EXPECT_TRUE(
      says(fault("", R"(, "contact": { "detect_every": 1 })"), "objects.block.contact.detect_every: unknown key"));
}

TEST(ContactErrors, OfPairs) {
  const auto pairs = [](const std::string& list) {
    return fault(R"(, "colliders": { "floor": { "shape": { "half_space": {} } },
      "wall": { "shape": { "half_space": {} } } }, "contact": { "pairs": [)" +
                 list + "] }");
  };
  EXPECT_EQ(pairs(R"({ "a": "block", "b": "floor" }, { "a": "block", "b": "block" })"), "");
  EXPECT_TRUE(says(pairs(R"({ "a": "blok", "b": "floor" })"),
                   "contact.pairs.0.a = \"blok\": there is no such object or collider; did you mean 'block'?"));
  EXPECT_TRUE(says(pairs(R"({ "a": "block", "b": "moon" })"), "contact.pairs.0.b = \"moon\": there is no such"));
  EXPECT_TRUE(says(pairs(R"({ "a": "floor", "b": "wall" })"), "contact.pairs.0: colliders do not touch each other"));
  EXPECT_TRUE(says(pairs(R"({ "a": "floor", "b": "floor" })"), "contact.pairs.0: colliders do not touch themselves"));
  EXPECT_TRUE(says(pairs(R"({ "a": "block", "b": "floor" }, { "a": "floor", "b": "block" })"),
                   "contact.pairs.1: 'floor' and 'block' are paired twice"));
  EXPECT_TRUE(says(pairs(R"({ "a": "rope", "b": "floor" })"),
                   "contact.pairs.0.a = \"rope\": chains, grids and other springs take no part in contact yet"));
  EXPECT_TRUE(says(pairs(R"({ "a": "block", "b": "sheet" })"),
                   "contact.pairs.0.b = \"sheet\": bodies of plane strain take no part in contact yet"));
  EXPECT_TRUE(says(pairs(R"({ "b": "floor" })"), "contact.pairs.0.a: missing"));
}

TEST(ContactErrors, OfObjectsThatTakeNoPart) {
  Scene scene = parsed(R"(, "contact": {})");
  scene.objects[2].contact.friction = 1;
  const Result<Scene> again = parse_scene(resolved_json(scene), "s.json", "");
  ASSERT_FALSE(again.ok());
  EXPECT_TRUE(says(again.error().message(), "objects.rope.contact: chains, grids and other springs take no part"));
}

TEST(ContactErrors, OfColliders) {
  EXPECT_TRUE(says(collider_fault(""), "colliders.floor.shape: missing"));
  EXPECT_TRUE(says(collider_fault(R"("shape": {})"), "one of these is missing: half_space, box, sphere"));
  EXPECT_TRUE(says(collider_fault(R"("shape": { "plane": {} })"), "colliders.floor.shape.plane: unknown key"));
  EXPECT_TRUE(says(collider_fault(R"("shape": { "half_space": { "normal": [0, 0, 0] } })"),
                   "colliders.floor.shape.half_space.normal = [0, 0, 0]: has no direction"));
  for (const std::string box : {"box", "inward_box"}) {
    EXPECT_TRUE(says(collider_fault(R"("shape": { ")" + box + R"(": { "min": [0, 1, 0], "max": [1, 1, 1] } })"),
                     "colliders.floor.shape." + box + ".min = [0, 1, 0] [m]: must be below max = [1, 1, 1]"));
  }
  EXPECT_TRUE(says(collider_fault(R"("shape": { "sphere": { "radius": -1 } })"), "radius = -1 [m]: must be above 0"));
  EXPECT_TRUE(says(collider_fault(R"("shape": { "half_space": {} }, "transform": { "scale": 0 })"),
                   "colliders.floor.transform.scale = [0, 0, 0] [-]: must not be 0"));
  EXPECT_TRUE(says(
      collider_fault(R"("shape": { "half_space": {} }, "motion": { "keyframes": [ { "time": 1 }, { "time": 1 } ] })"),
      "colliders.floor.motion.keyframes.1.time = 1 [s]: must be after the keyframe before it"));
  EXPECT_TRUE(says(
      collider_fault(R"("shape": { "half_space": {} }, "motion": { "keyframes": [ { "time": 1, "scale": -1 } ] })"),
      "colliders.floor.motion.keyframes.0.scale = [-1, -1, -1] [-]: must be above 0"));
  EXPECT_TRUE(says(collider_fault(R"("shape": { "half_space": {} }, "contact": { "self": true })"),
                   "colliders.floor.contact.self: unknown key"));
  EXPECT_TRUE(says(collider_fault(R"("shape": { "arrays": { "vertices": [0, 0], "triangles": [0, 1, 2] } })"),
                   "colliders.floor.shape.arrays.vertices: 2 numbers; give three for each vertex"));
  EXPECT_TRUE(says(collider_fault(R"("shape": { "arrays": { "vertices": [0, 0, 0], "triangles": [0, 1, 2] } })"),
                   "colliders.floor.shape.arrays.triangles.1 = 1: the mesh has 1 vertices"));
  EXPECT_TRUE(says(fault(R"(, "colliders": { "block": { "shape": { "half_space": {} } } })"),
                   "colliders.block: an object has this name"));
  EXPECT_TRUE(says(fault(R"(, "colliders": { "a.b": { "shape": { "half_space": {} } } })"), "is not a valid name"));
}

}  // namespace
}  // namespace sinew
