// Source: the interfaces in compile/bind.h and describe.h; Chen et al. 2023 (PBNG), eqs. 22-23: barycentric weights.
#include <cmath>

#include "sinew/simulation.h"
#include "support/box_scene.h"
#include "support/random.h"

namespace sinew {
namespace {

using support::size;

// The block, and one with other cells 5 cm above it.
Scene two_blocks() {
  Scene scene = box_scene(3);
  SceneObject above = scene.objects[0];
  above.name = "above";
  above.mesh = MeshBox{{1, 1, 1}, {4, 4, 4}, {0, 1.05, 0}, 5};
  scene.objects.push_back(above);
  SceneBinding binding;
  binding.bind = {"above", SelectAll{}};
  binding.to = {"block", SelectAll{}};
  binding.distance = 0.06;
  binding.stiffness = 300;
  scene.bindings = {binding};
  return scene;
}

TEST(Bindings, TieEachNearVertexToTheClosestPoint) {
  const CompiledScene c = compiled(two_blocks());
  const Ties& ties = c.model.ties;
  ASSERT_EQ(ties.count(), 25);  // the lower side of `above`
  for (int32_t t = 0; t < ties.count(); ++t) {
    EXPECT_EQ(ties.laws[t].kind, TieKind::WeakConstraint);
    EXPECT_EQ(ties.laws[t].stiffness, 300);
    EXPECT_EQ(ties.laws[t].tangential, 300);
    EXPECT_EQ(ties.weights_of(t)[0], 1);
    const Vec3d gap = ties.vector(t, c.model.rest);
    EXPECT_LT(size(gap - Vec3d{0, 0.05, 0}), 1e-15);  // straight above
    for (int k = 1; k < ties.end_count(t); ++k) EXPECT_LT(ties.weights_of(t)[k], 0);
  }
  EXPECT_TRUE(c.warnings.empty());
}

// PBD closes bindings of any stiffness, which are five centimetres long at first.
TEST(Bindings, AreRigidUnderPbd) {
  Scene scene = two_blocks();
  scene.materials[0].model = "fixed_corotated";
  scene.bindings[0].stiffness = 1e-3;
  scene.solver.type = "pbd";
  const CompiledScene c = compiled(scene);
  Result<Simulation> simulation = Simulation::create(scene, 1);
  ASSERT_TRUE(simulation.ok()) << simulation.error().message();
  for (int step = 0; step < 10; ++step) ASSERT_TRUE(simulation->step().ok());
  std::vector<Vec3d> x;
  for (const Real3& p : simulation->positions()) x.push_back({p[0], p[1], p[2]});
  const std::vector<Vec3d> slots = c.model.order.to_slots(x, Vec3d{});
  for (int32_t t = 0; t < c.model.ties.count(); ++t) EXPECT_LT(size(c.model.ties.vector(t, slots)), 1e-3) << t;
}

TEST(Bindings, ToSomeOfASurfaceAlongItsNormal) {
  Scene scene = two_blocks();
  scene.bindings[0].normal_stiffness = 40;
  scene.bindings[0].tangential_stiffness = 3;
  scene.bindings[0].distance = 0.2;  // would include parts of the sides but for the selection
  scene.bindings[0].to.select = SelectPlane{{0, 1, 0}, {0, 1, 0}};
  scene.bindings[0].bind.select = SelectBox{{0, 0, 0}, {0.5, 1.05, 1}};
  const CompiledScene c = compiled(scene);
  ASSERT_EQ(c.model.ties.count(), 15);
  for (const TieLaw<double>& law : c.model.ties.laws) {
    EXPECT_EQ(law.stiffness, 40);
    EXPECT_EQ(law.tangential, 3);
    EXPECT_LT(size(law.normal - Vec3d{0, 1, 0}), 1e-15);
  }
}

TEST(Bindings, FaultsNamePlaceAndRemedy) {
  Scene scene = two_blocks();
  scene.bindings[0].distance = 0.04;
  EXPECT_EQ(error_of(scene),
            "scene: bindings.0.distance = 0.04 [m]: no vertex of 'above' lies so near to the surface of 'block': the "
            "smallest distance there is is 0.05 m; use a larger distance, or move the objects nearer to each other");
  scene.bindings[0].distance = 0.06;
  scene.bindings[0].bind.object = "abov";
  EXPECT_HAS(error_of(scene), "bindings.0.bind.object = \"abov\": there is no such object; did you mean 'above'?");
  scene.bindings[0].bind = {"above", SelectBox{{0.2, 1.2, 0.2}, {0.8, 1.8, 0.8}}};
  EXPECT_HAS(error_of(scene), "bindings.0.bind.select: 27 vertices, but none of them lies on the surface");
  scene.bindings[0].bind = {"above", SelectBox{{0, 0, 0}, {0, 0, 0}}};
  EXPECT_HAS(error_of(scene), "bindings.0.bind.select.box: selects no vertex of object 'above'");
  scene.bindings[0].bind = {"above", SelectAll{}};
  scene.bindings[0].to.select = SelectIndices{{0, 63}};
  EXPECT_HAS(error_of(scene), "bindings.0.to.select: 2 vertices, but no triangle of the surface has all of its");
  scene.bindings[0].bind = scene.bindings[0].to = {"block", SelectAll{}};
  EXPECT_HAS(error_of(scene), "bindings.0.bind.select: all of its vertices belong to the triangles");
  scene.bindings[0].distance = -1;
  EXPECT_HAS(error_of(scene), "bindings.0.distance = -1 [m]");
}

// 1e18 N/m times the rounding of a metre are hundreds of newtons; in single precision 1e9 N/m suffice for that.
TEST(Bindings, StifferThanRoundingAllowsAreToldOf) {
  Scene scene = two_blocks();
  scene.bindings[0].stiffness = 1e9;
  const std::vector<std::string> in_single = compiled(scene).warnings;
  ASSERT_EQ(in_single.size(), 2u);
  EXPECT_HAS(in_single[0], "bindings.0.stiffness = 1e+09 N/m: single precision rounds its forces to ");
  EXPECT_HAS(in_single[0], "or use the solver newton, or fp_pxpbd with precision = \"double\"");
  scene.solver.type = "fp_pxpbd";
  EXPECT_HAS(compiled(scene).warnings[0], "or use solver.precision = \"double\"");
  scene.solver.type = "newton";
  EXPECT_TRUE(compiled(scene).warnings.empty());
  scene.bindings[0].stiffness = 1e18;
  const std::vector<std::string> warnings = compiled(scene).warnings;
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_HAS(warnings[0], "bindings.0.stiffness = 1e+18 N/m: double precision rounds its forces to ");
  EXPECT_HAS(warnings[0], "which is enough to move objects.block by ");
  EXPECT_HAS(warnings[1], "objects.above by ");
}

TEST(Bindings, VerticesBoundTwiceAreToldOf) {
  Scene scene = two_blocks();
  scene.bindings.push_back(scene.bindings[0]);
  scene.bindings[1].bind.select = SelectBox{{0, 1.05, 0}, {1, 1.05, 0}};
  const CompiledScene c = compiled(scene);
  ASSERT_EQ(c.warnings.size(), 1u);
  EXPECT_EQ(c.warnings[0], "bindings.1 binds 5 vertices that bindings.0 binds too: both pull");
}

TEST(Bindings, OfAChainAreItsPoints) {
  Scene scene = two_blocks();
  SceneObject rope;
  rope.name = "rope";
  rope.mesh = MeshChain{.links = 10,
                        .spacing = 0.1,
                        .origin = {0.5, 2.05, 0.5},
                        .direction = {0, 1, 0},
                        .end_mass = {},
                        .far_stiffness = {}};
  scene.objects.push_back(rope);
  scene.bindings[0].bind = {"rope", SelectAll{}};
  scene.bindings[0].to = {"above", SelectAll{}};
  scene.bindings[0].distance = 0;
  const CompiledScene c = compiled(scene);
  EXPECT_EQ(c.model.ties.count(), 11);       // links, and the first point on the surface of `above`
  EXPECT_EQ(c.model.ties.end_count(10), 2);  // which coincides with a vertex
  std::swap(scene.bindings[0].bind, scene.bindings[0].to);
  EXPECT_HAS(error_of(scene),
             "bindings.0.to.object = \"rope\": a chain has no surface to bind to; exchange bind and to");
}

// A quasistatic body that hangs from a held one only by its bindings has an equilibrium.
TEST(Bindings, HoldABodyInEquilibrium) {
  Scene scene = two_blocks();
  scene.gravity = {0, -9.8, 0};
  scene.time.quasistatic = true;
  scene.pins = {pin_of(SelectPlane{{0, 2, 0}, {0, 1, 0}}, "above")};
  EXPECT_EQ(error_of(scene), "");
  scene.bindings.clear();
  EXPECT_HAS(error_of(scene), "no pin holds the part");
}

// A step that does nothing must not count as converged because rounding exceeds all forces. The solvers that the
// warning about such bindings recommends do converge.
TEST(Bindings, StiffOnesHideNoForces) {
  const std::string text = R"({ "sinew": 1, "materials": { "soft": { "youngs_modulus": 1e4, "poisson_ratio": 0.3 } },
    "objects": { "above": { "mesh": { "box": { "size": 0.2, "cells": 2 } }, "material": "soft" },
                 "below": { "mesh": { "box": { "size": 0.2, "cells": 2, "origin": [0, -0.2, 0] } }, "material": "soft" } },
    "pins": [ { "object": "above", "select": { "plane": { "point": [0, 0.199, 0], "normal": [0, 1, 0] } } } ],
    "bindings": [ { "bind": { "object": "below" }, "to": { "object": "above" }, "distance": 0.01,
                    "stiffness": 1e9 } ] })";
  const auto first_step = [&](const std::string& solver, const std::string& precision) {
    Scene scene = parse_scene(text, "boxes.json", "").value();
    scene.solver.type = solver;
    scene.solver.options = {{"precision", precision}};
    Result<Simulation> simulation = Simulation::create(scene, 1);
    EXPECT_TRUE(simulation.ok()) << simulation.error().message();
    return simulation->step().value();
  };
  const StepReport vbd = first_step("vbd", "single");
  EXPECT_NE(vbd.status, SolveStatus::converged);
  EXPECT_GT(vbd.iterations, 0);
  EXPECT_GT(vbd.evaluation.residual, 0.01 * vbd.first_residual);
  for (const char* solver : {"newton", "fp_pxpbd"}) {
    const StepReport report = first_step(solver, "double");
    EXPECT_EQ(report.status, SolveStatus::converged) << solver;
    EXPECT_LE(report.evaluation.residual, 0.01 * report.first_residual) << solver;
  }
}

// The sample scene: the gap is closed, and the lower box hangs from the upper one.
TEST(Bindings, TheBoundBoxesHangTogether) {
  const Result<Scene> scene = read_scene(SINEW_SOURCE_DIR "/scenes/bound_boxes.json", {});
  ASSERT_TRUE(scene.ok()) << scene.error().message();
  Result<Simulation> simulation = Simulation::create(*scene, 1);
  ASSERT_TRUE(simulation.ok()) << simulation.error().message();
  const Result<StepReport> report = simulation->step();
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->status, SolveStatus::converged);
  // Corners above each other: number 0 of the upper box, and the one of the lower box at (0, 1, 0).
  const auto& x = simulation->positions();
  const Real3 upper = x[0], lower = x[9 * 9 * 9 + 7 * 6];
  EXPECT_LT(std::abs(lower[1] - upper[1]), 1e-3);
  EXPECT_LT(upper[1], 1.0);
}

}  // namespace
}  // namespace sinew
