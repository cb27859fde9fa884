// Source: what sinew/mesher.h and scene/shape_text.h say; volumes by formula.
#include "scene/mesher.h"

#include <cmath>
#include <numbers>

#include "box_scene.h"
#include "scene/shape_text.h"
#include "sinew/scene_file.h"
#include "sinew/simulation.h"

namespace sinew {
namespace {

using std::numbers::pi;

double volume_of(const FilledSolid& solid) {
  double volume = 0;
  for (const auto& t : solid.tets) {
    const auto p = [&](size_t k) {
      const Real3& x = solid.vertices[static_cast<size_t>(t[k])];
      return Vec3d{x[0], x[1], x[2]};
    };
    volume += dot(p(1) - p(0), cross(p(2) - p(0), p(3) - p(0))) / 6;
  }
  return volume;
}

// A cube of 1 m, by its twelve triangles.
const char* const cube_obj =
    "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
    "f 1 3 2\nf 1 4 3\nf 5 6 7\nf 5 7 8\nf 1 2 6\nf 1 6 5\nf 2 3 7\nf 2 7 6\nf 3 4 8\nf 3 8 7\nf 4 1 5\nf 4 5 8\n";

TEST(Mesher, FillsSurfaceFiles) {
  const TemporaryFile file("cube.obj", cube_obj);
  const auto solid = mesh_surface(file.folder() + "/" + file.name(), {.cells = 20, .smoothing = 1});
  ASSERT_TRUE(solid.ok()) << solid.error().message();
  EXPECT_NEAR(volume_of(*solid), 1, 0.01);
  EXPECT_NEAR(solid->cell, 0.05, 1e-12);
}

TEST(Mesher, FillsShapes) {
  const auto ring = mesh_shape({"torus", {{"radius", 0.4}, {"tube_radius", 0.15}}, {}}, {.tets = 30000});
  ASSERT_TRUE(ring.ok()) << ring.error().message();
  EXPECT_NEAR(volume_of(*ring), 2 * pi * pi * 0.4 * 0.15 * 0.15, 0.01 * 0.178);
  EXPECT_NEAR(static_cast<double>(ring->tets.size()), 30000, 0.05 * 30000);
}

TEST(Mesher, SaysWhatIsWrong) {
  const SceneShape ball{"ball", {}, {}};
  EXPECT_HAS(mesh_shape(ball, {.cell = -1.0}).error().message(), "cell = -1: must be above 0");
  EXPECT_HAS(mesh_shape(ball, {.cell = 0.1, .tets = 100.0}).error().message(), "only one of these");
  EXPECT_HAS(mesh_shape(ball, {.cell = 50.0}).error().message(), "take a cell of at most");
  EXPECT_HAS(mesh_shape({"bal", {}, {}}, {}).error().message(), "did you mean 'ball'");
  EXPECT_HAS(mesh_shape({"ball", {{"radius", -1.0}}, {}}, {}).error().message(), "shape.ball.radius = -1 [m]");
  EXPECT_HAS(mesh_shape(ball, {.mesher = "tetgen"}).error().message(), "takes surfaces");
}

const char* const shaped =
    R"({ "sinew": 1, "time": { "duration": 0.1 }, "materials": { "rubber": { "youngs_modulus": 1e5 } },
  "objects": { "body": { "material": "rubber", "mesh": { "shape": { "cells": 8, "of":
    { "difference": { "blend": 0.05, "parts": [ { "ball": { "radius": 0.5 } },
      { "cylinder": { "radius": 0.2, "length": 2, "rotation_axis": [1, 0, 0], "rotation_degrees": 90 } } ] } } } } } } })";

TEST(MeshOfAScene, MayBeAShape) {
  const Result<Scene> scene = parse_scene(shaped, "shaped", "");
  ASSERT_TRUE(scene.ok()) << scene.error().message();
  const Result<Simulation> simulation = Simulation::create(*scene, 1);
  ASSERT_TRUE(simulation.ok()) << simulation.error().message();
  EXPECT_GT(simulation->rest_positions().size(), 200u);
  // As it is written it is read.
  const Result<Scene> again = parse_scene(resolved_json(*scene), "again", "");
  ASSERT_TRUE(again.ok()) << again.error().message();
  EXPECT_EQ(scene->objects[0].mesh, again->objects[0].mesh);
}

TEST(MeshOfAScene, MayBeASurface) {
  const TemporaryFile file("cube.obj", cube_obj);
  const Result<Scene> scene = parse_scene(R"({ "sinew": 1, "materials": { "rubber": {} }, "objects": { "cube": {
    "material": "rubber", "mesh": { "surface": { "file": ")" +
                                              file.name() + R"(", "cell": 0.2 } } } } })",
                                          "cube", file.folder());
  ASSERT_TRUE(scene.ok()) << scene.error().message();
  const CompiledScene compiled = compile_scene(*scene).value();
  double mass = 0;
  for (const double m : compiled.model.mass) mass += m;
  EXPECT_NEAR(mass, 1000, 30) << "1 m^3 of 1000 kg/m^3, cut by cells of 0.2 m";
}

TEST(MeshOfAScene, FaultsOfShapesNameTheirPlace) {
  const auto fault_of = [](const std::string& shape) {
    const Result<Scene> scene =
        parse_scene(R"({ "sinew": 1, "materials": { "r": {} }, "objects": { "b": { "material": "r",
      "mesh": { "shape": { "of": )" +
                        shape + " } } } } }",
                    "s", "");
    return scene.ok() ? std::string("none") : scene.error().message();
  };
  EXPECT_HAS(fault_of(R"({ "bal": {} })"), "objects.b.mesh.shape.of.bal: there is no such shape; did you mean 'ball'?");
  EXPECT_HAS(fault_of(R"({ "ball": { "radios": 1 } })"), "did you mean 'radius'?");
  EXPECT_HAS(fault_of(R"({ "ball": { "radius": "wide" } })"), "must be a number");
  EXPECT_HAS(fault_of(R"({ "ball": {}, "box": {} })"), "must be an object { \"KIND\": { ... } }");
  EXPECT_HAS(fault_of(R"({ "union": { "parts": [ { "ball": {} }, { "torus": { "tube_radius": 3 } } ] } })"),
             "of.union.parts.1.torus.tube_radius = 3 [m]");
  EXPECT_HAS(fault_of(R"({ "union": {} })"), "parts");
  EXPECT_EQ(fault_of(R"({ "octopus": { "eyes": false, "arms": 5 } })"), "none");
}

}  // namespace
}  // namespace sinew
