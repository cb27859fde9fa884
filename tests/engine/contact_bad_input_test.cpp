// Source: docs/contact.md and the promise of docs/architecture.md, that no input ends the program or hangs it: what is
// wrong is refused or warned of, and what is only extreme leaves a finite state.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "io/says.h"
#include "sinew/simulation.h"
#include "support/contact_scenes.h"
#include "support/simulated.h"

namespace sinew {
namespace {

struct Way {
  const char* solver;
  ContactGuarantee guarantee;
};
constexpr Way ways[] = {{"vbd", ContactGuarantee::none},
                        {"newton", ContactGuarantee::none},
                        {"multilevel", ContactGuarantee::none},
                        {"xpbd", ContactGuarantee::none},
                        {"vbd", ContactGuarantee::intersection_free},
                        {"newton", ContactGuarantee::intersection_free}};
bool is_guaranteed(const Scene& scene) {
  return scene.contact->guarantee == ContactGuarantee::intersection_free;
}
std::string name_of(const Scene& scene) {
  return scene.solver.type + (is_guaranteed(scene) ? " with the guarantee" : "");
}

bool is_finite(const std::vector<Real3>& all) {
  for (const Real3& v : all)
    for (const double c : v)
      if (!std::isfinite(c)) return false;
  return true;
}

// The most of what the steps report.
struct Outcome {
  int64_t unreached = 0, undivided = 0;
};
// Takes steps in every way; then `judge` looks at what has become of it.
void try_every_way(const Scene& scene, int steps,
                   const std::function<void(const Scene&, const Simulation&, const Outcome&)>& judge) {
  for (const Way& way : ways) {
    Scene one = scene;
    one.contact->guarantee = way.guarantee;
    one.solver = {};
    one.solver.type = way.solver;
    one.solver.options.set("iterations", 10);
    Simulation s = simulation_of(one);
    Outcome outcome;
    for (int k = 0; k < steps; ++k) {
      const Result<StepReport> report = s.step();
      if (!report) break;  // the state is that before this step
      outcome.unreached = std::max(outcome.unreached, report->unreached);
      outcome.undivided = std::max(outcome.undivided, report->undivided);
    }
    EXPECT_TRUE(is_finite(s.positions()) && is_finite(s.velocities())) << name_of(one);
    judge(one, s, outcome);
  }
}

// A small block that falls on a collider at 1 m/s.
Scene falling() {
  Scene scene = on_floor(1e5);
  scene.materials[0].model = "fixed_corotated";
  scene.objects = {cube("cube", {0, 0.02, 0}, 2)};
  scene.objects[0].velocity = {0.1, -1, 0};
  scene.contact->friction = 0.3;
  return scene;
}
// The same, at rest.
Scene standing() {
  Scene scene = falling();
  scene.objects[0].velocity = {0, 0, 0};
  return scene;
}

ColliderArrays box_of(Real3 low, Real3 high) {
  ColliderArrays surface;
  for (int corner = 0; corner < 8; ++corner)
    for (const int axis : {0, 1, 2}) {
      const auto c = static_cast<size_t>(axis);
      surface.vertices.push_back((corner >> axis) % 2 ? high[c] : low[c]);
    }
  const int64_t quads[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  for (const auto& [a, b, c, d] : quads) surface.triangles.insert(surface.triangles.end(), {a, b, c, a, c, d});
  return surface;
}
void add(ColliderArrays& surface, const ColliderArrays& other) {
  const auto count = static_cast<int64_t>(surface.vertices.size() / 3);
  surface.vertices.insert(surface.vertices.end(), other.vertices.begin(), other.vertices.end());
  for (const int64_t v : other.triangles) surface.triangles.push_back(count + v);
}

TEST(ContactBadInput, BrokenSurfacesOfCollidersHoldWhatFallsOnThem) {
  const ColliderArrays whole = box_of({-1, -0.5, -1}, {1, 0, 1});
  ColliderArrays open = whole, crossing = whole, flat = whole, sliver = whole, twice = whole;
  open.triangles.resize(open.triangles.size() - 6);
  add(crossing, box_of({-0.03, -0.3, -0.03}, {0.06, 0.005, 0.06}));
  flat.triangles.insert(flat.triangles.end(), {0, 2, 2, 1, 3, 3, 3, 3, 3});
  sliver.vertices.insert(sliver.vertices.end(), {0, 0, 0, 0.1, 1e-17, 0, 0.05, 0, 1e-17});
  sliver.triangles.insert(sliver.triangles.end(), {8, 9, 10});
  for (int copy = 0; copy < 3; ++copy)
    twice.triangles.insert(twice.triangles.end(), whole.triangles.begin(), whole.triangles.end());
  for (const auto& [name, surface] :
       {std::pair{"open", open}, std::pair{"crossing itself", crossing}, std::pair{"with triangles without area", flat},
        std::pair{"sliver", sliver}, std::pair{"each triangle four times", twice}}) {
    SCOPED_TRACE(name);
    Scene scene = falling();
    scene.colliders[0].shape = surface;
    try_every_way(scene, 20, [](const Scene& one, const Simulation& s, const Outcome&) {
      EXPECT_GT(lowest(s), 0) << name_of(one);
      EXPECT_LT(lowest(s), 0.02) << name_of(one);
    });
  }
}

TEST(ContactBadInput, SurfacesThatMakeNoSenseAreRefusedWithTheRemedy) {
  Scene inverted = falling();
  ColliderArrays surface = box_of({-1, -0.5, -1}, {1, 0, 1});
  for (size_t t = 0; t < surface.triangles.size(); t += 3) std::swap(surface.triangles[t], surface.triangles[t + 1]);
  inverted.colliders[0].shape = surface;
  EXPECT_TRUE(says(creation_error(inverted), "objects.cube and colliders.floor intersect at the start"));
  EXPECT_TRUE(says(creation_error(inverted), "contact.start = \"separate\""));

  for (double& c : surface.vertices) c = 0.5;
  inverted.colliders[0].shape = surface;
  EXPECT_TRUE(says(creation_error(inverted), "colliders.floor.shape: has no triangle with an area; give a surface"));

  Scene body = falling();
  MeshArrays point;
  point.vertices.assign(12, 0.5);
  point.tets = {0, 1, 2, 3};
  body.objects[0].mesh = point;
  EXPECT_TRUE(
      says(creation_error(body), "objects.cube.mesh: has no volume: all 1 tets are degenerate; check the file"));
}

// Tets inside out are turned; those that are there twice are left out; both are said, and the body falls as it should.
TEST(ContactBadInput, MeshesInsideOutAreMended) {
  const auto corner = [](int i, int j, int k) { return Real3{0.1 * i, 0.02 + 0.1 * j, 0.1 * k}; };
  MeshArrays inverted = mapped_box({1, 1, 1}, corner), twice = inverted;
  for (size_t t = 0; t < inverted.tets.size(); t += 4) std::swap(inverted.tets[t], inverted.tets[t + 1]);
  twice.tets.insert(twice.tets.end(), twice.tets.begin(), twice.tets.end());
  for (const auto& [mesh, warning] :
       {std::pair{inverted, "6 tets had negative volume; two corners of each were swapped"},
        std::pair{twice, "6 tets removed: the same corners as an earlier one"}}) {
    Scene scene = falling();
    scene.objects[0].mesh = mesh;
    const Simulation told = simulation_of(scene);
    ASSERT_FALSE(told.warnings().empty());
    EXPECT_TRUE(says(told.warnings()[0], warning)) << told.warnings()[0];
    try_every_way(scene, 20, [](const Scene& one, const Simulation& s, const Outcome&) {
      EXPECT_GT(lowest(s), 0) << name_of(one);
      EXPECT_LT(lowest(s), 0.05) << name_of(one);
    });
  }
}

// A bat comes from afar, 10 m in one step, with the block in its way. With the guarantee it stops, and says so.
TEST(ContactBadInput, CollidersThatJumpLeaveAFiniteState) {
  Scene scene = standing();
  SceneCollider& bat = scene.colliders.emplace_back();
  bat.name = "bat";
  bat.shape = ColliderBox{{-5.2, 0.03, -0.2}, {-5, 0.09, 0.3}};
  bat.motion.smooth = false;
  bat.motion.keyframes = {{.time = 0.02}, {.time = 0.03, .translate = {10, 0, 0}}};
  try_every_way(scene, 5, [](const Scene& one, const Simulation& s, const Outcome& outcome) {
    EXPECT_GT(lowest(s), -0.01) << name_of(one);
    EXPECT_EQ(outcome.unreached > 0, is_guaranteed(one)) << name_of(one);
    if (is_guaranteed(one)) {
      EXPECT_GT(s.evaluate().smallest_gap, 0) << name_of(one);
    }
  });
  // The floor itself: with the guarantee it stops below the cube.
  scene.colliders.pop_back();
  scene.colliders[0].motion.smooth = false;
  scene.colliders[0].motion.keyframes = {{.time = 0.02}, {.time = 0.03, .translate = {0, 10, 0}}};
  try_every_way(scene, 5, [](const Scene& one, const Simulation& s, const Outcome& outcome) {
    EXPECT_EQ(outcome.undivided, 0) << name_of(one);
    EXPECT_EQ(outcome.unreached > 0, is_guaranteed(one)) << name_of(one);
    if (is_guaranteed(one)) {
      EXPECT_GT(s.evaluate().smallest_gap, 0) << name_of(one);
    }
  });
}

// Between a floor and a plate that comes down onto it; and between its own ends, moved by pins to the same place.
TEST(ContactBadInput, ScriptsThatCrushABodyLeaveAFiniteState) {
  Scene pressed = standing();
  pressed.colliders[0].shape = ColliderBox{{-0.5, -0.1, -0.5}, {0.6, 0, 0.6}};
  SceneCollider& plate = pressed.colliders.emplace_back();
  plate.name = "plate";
  plate.shape = ColliderBox{{-0.5, 0.13, -0.5}, {0.6, 0.2, 0.6}};
  plate.motion.smooth = false;
  plate.motion.keyframes = {{.time = 0}, {.time = 0.08, .translate = {0, -0.13, 0}}};
  Scene pinned = standing();
  for (const double side : {-1.0, 1.0}) {
    ScenePin& pin = pinned.pins.emplace_back();
    pin.object = "cube";
    pin.select = SelectPlane{{side < 0 ? 1e-4 : 0.0999, 0, 0}, {side, 0, 0}};
    pin.motion.smooth = false;
    pin.motion.keyframes = {{.time = 0}, {.time = 0.08, .translate = {-0.05 * side, 0, 0}}};
  }
  for (const auto& [name, scene] : {std::pair{"plate", pressed}, std::pair{"pins", pinned}}) {
    SCOPED_TRACE(name);
    try_every_way(scene, 10, [](const Scene& one, const Simulation& s, const Outcome& outcome) {
      EXPECT_EQ(outcome.unreached > 0, is_guaranteed(one)) << name_of(one);
      if (is_guaranteed(one)) {
        EXPECT_GT(s.evaluate().smallest_gap, 0) << name_of(one);
      }
    });
  }
}

TEST(ContactBadInput, ExtremeNumbersAreRefusedOrLeaveAFiniteState) {
  Scene scene = falling();
  scene.contact->stiffness = 1e20;
  EXPECT_TRUE(says(creation_error(scene), "contact.stiffness = 1e+20 [N/m]: must be at most 1e+18 and above 0"));
  const auto nothing = [](const Scene&, const Simulation&, const Outcome&) {};
  for (const double stiffness : {1e18, 1e-12}) {
    scene.contact->stiffness = stiffness;
    try_every_way(scene, 20, nothing);
  }
  Scene wide = falling();
  wide.contact->radius = 0.09;  // larger than its edges
  EXPECT_TRUE(says(simulation_of(wide).warnings()[0], "objects.cube: contacts begin at a radius of 0.09 m, more than"));
  try_every_way(wide, 3, nothing);
  // A million metres a second, onto a floor.
  Scene fast = falling();
  fast.objects[0].velocity = {0, -1e6, 0};
  try_every_way(fast, 5, [](const Scene& one, const Simulation& s, const Outcome&) {
    if (is_guaranteed(one)) {
      EXPECT_GT(s.evaluate().smallest_gap, 0) << name_of(one);
    }
  });
}

// A hundred thousand triangles have one corner, right below a block. By all pairs of them it would take minutes.
TEST(ContactBadInput, VeryManyTrianglesAtOneCornerEndInTime) {
  constexpr int count = 100000;
  ColliderArrays cone;
  cone.vertices = {0, 0, 0, 0, -0.4, 0};
  for (int k = 0; k < count; ++k) {
    const double angle = 2 * std::numbers::pi * k / count;
    cone.vertices.insert(cone.vertices.end(), {std::cos(angle), -0.2, std::sin(angle)});
    const int64_t a = 2 + k, b = 2 + (k + 1) % count;
    cone.triangles.insert(cone.triangles.end(), {0, b, a, 1, a, b});
  }
  Scene scene = standing();
  scene.objects[0].mesh = MeshBox{{0.1, 0.1, 0.1}, {1, 1, 1}, {-0.05, 0.006, -0.05}, 5};
  scene.contact->radius = 0.01;
  scene.colliders[0].shape = cone;
  scene.solver = {};
  scene.solver.type = "vbd";
  scene.solver.options.set("iterations", 2);
  Simulation s = simulation_of(scene);
  take(s, 1);
  EXPECT_TRUE(is_finite(s.positions()));
  EXPECT_GT(mean_of(s.velocities())[1], 0) << "it is pushed off the tip";
}

}  // namespace
}  // namespace sinew
