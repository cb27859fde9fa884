// Source: the interfaces in sinew/mesher.h and scene/shape_text.h; volumes by formula.
#include "compile/mesher.h"
#include "drive/disk_files.h"

#include <stdlib.h>

#include <cmath>
#include <cstdlib>
#include <numbers>

#include "meshing/surfaces.h"
#include "scene/shape_text.h"
#include "sinew/scene_file.h"
#include "sinew/simulation.h"
#include "support/box_scene.h"

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

// A cube of 1 m with its twelve triangles.
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

TEST(Mesher, FitsUnlessToldNotTo) {
  const SceneShape ring{"torus", {{"radius", 0.4}, {"tube_radius", 0.15}}, {}};
  const double volume = 2 * pi * pi * 0.4 * 0.15 * 0.15;
  const auto fitted = mesh_shape(ring, {.cell = 0.04}), cut = mesh_shape(ring, {.cell = 0.04, .fit = false});
  ASSERT_TRUE(fitted.ok() && cut.ok());
  EXPECT_EQ(fitted->tets, cut->tets);
  EXPECT_LT(std::abs(volume_of(*fitted) / volume - 1), 0.1 * std::abs(volume_of(*cut) / volume - 1));
}

TEST(Mesher, SaysWhatIsWrong) {
  const SceneShape ball{"ball", {}, {}};
  EXPECT_HAS(mesh_shape(ball, {.cell = -1.0}).error().message(), "cell = -1: must be above 0");
  EXPECT_HAS(mesh_shape(ball, {.cell = 0.1, .tets = 100.0}).error().message(), "only one of these");
  EXPECT_HAS(mesh_shape(ball, {.cell = 50.0}).error().message(), "take a cell of at most");
  EXPECT_HAS(mesh_shape({"bal", {}, {}}, {}).error().message(), "did you mean 'ball'");
  EXPECT_HAS(mesh_shape({"ball", {{"radius", -1.0}}, {}}, {}).error().message(), "shape.ball.radius = -1 [m]");
  EXPECT_HAS(mesh_shape(ball, {.mesher = Mesher::tetgen}).error().message(), "takes surfaces");
  EXPECT_HAS(mesh_shape(ball, {.sharp_edges = true}).error().message(), "sharp_edges = true: is for surfaces");
  EXPECT_HAS(mesh_shape(ball, {.cells = std::nan("")}).error().message(), "cells = nan: must be above 0");
  EXPECT_HAS(mesh_shape(ball, {.tets = 1e12}).error().message(), "tets = 1000000000000: must be 1 to ");
  EXPECT_HAS(mesh_shape(ball, {.tets = 1e12}).error().message(), "fit into memory");
  EXPECT_HAS(mesh_shape(ball, {.cells = 1e6}).error().message(), "fit into memory; take a cell of at least 0.00");
  EXPECT_HAS(mesh_shape({"difference", {}, {ball, ball}}, {}).error().message(), "shape: is empty");
  EXPECT_HAS(mesh_shape({"difference", {}, {ball, ball}}, {.tets = 1000.0}).error().message(), "shape: is empty");
}

// A rod thinner than a cell, beside a block that is not.
TEST(Mesher, ACellThatMissesMuchIsWarnedOf) {
  const auto lost = [](double cell) {
    SurfaceMesh surface = support::cube();
    const SurfaceMesh rod = support::cube();
    for (const Triangle& t : rod.triangles) surface.triangles.push_back({t[0] + 8, t[1] + 8, t[2] + 8});
    for (const Vec3d p : rod.vertices) surface.vertices.push_back({10 * p.x, 3 + 0.3 * p.y, 0.3 * p.z});
    ThreadPool pool(1);
    const Result<Filling> filling = fill(surface, {.cell = cell}, DiskFiles(), pool);
    EXPECT_TRUE(filling.ok()) << filling.error().message();
    return filling ? filling->warnings : std::vector<std::string>();
  };
  const std::vector<std::string> coarse = lost(0.9), fine = lost(0.1);
  ASSERT_EQ(coarse.size(), 2u);
  EXPECT_HAS(coarse[0], "% of the volume that the surface encloses: parts thinner than a cell are missed");
  EXPECT_HAS(coarse[1], "1 of the surface's parts, which no triangles join, is too small for the cells");
  EXPECT_TRUE(fine.empty()) << fine.front();
}

TEST(Mesher, PartsOfAShapeThatAreMissedAreWarnedOf) {
  const auto bundle = mesh_shape({"spindle_bundle", {{"gap", 5.0}}, {}}, {.cells = 60.0});
  ASSERT_TRUE(bundle.ok()) << bundle.error().message();
  ASSERT_FALSE(bundle->warnings.empty());
  EXPECT_HAS(bundle->warnings.back(), "6 parts of the solid are too thin for the cells and missing");
}

// Including all later stages: powers of two scale every bit, and move a surface with integer coordinates without
// rounding.
TEST(Mesher, ScaleAndPlaceOfASurfaceDoNotMatter) {
  const auto filled = [&](double scale, Vec3d shift, int smoothing) {
    const MesherSettings settings{.cells = 12.0, .smoothing = smoothing, .fit = smoothing > 0, .sharp_edges = true};
    SurfaceMesh surface = support::cube();
    const SurfaceMesh ball = support::dome(12, 16, pi);
    for (const Triangle& t : ball.triangles) surface.triangles.push_back({t[0] + 8, t[1] + 8, t[2] + 8});
    for (const Vec3d& x : ball.vertices) surface.vertices.push_back(x + Vec3d{1, 1, 1});
    // On a grid that remains exact with 20 more bits.
    for (Vec3d& x : surface.vertices) {
      for (double* c : {&x.x, &x.y, &x.z}) *c = std::round(*c * 1024) / 1024;
      x = scale * x + shift;
    }
    Result<Filling> filling = fill(surface, settings, DiskFiles(), ThreadPool::caller());
    EXPECT_TRUE(filling.ok()) << filling.error().message();
    return std::move(filling->mesh);
  };
  constexpr double two20 = 1 << 20;
  const TetMesh unit = filled(1, {}, 2);
  ASSERT_GT(unit.tets.size(), 1000u);
  for (const double scale : {1 / two20, two20}) {
    const TetMesh scaled = filled(scale, {}, 2);
    EXPECT_EQ(scaled.tets, unit.tets);
    ASSERT_EQ(scaled.vertices.size(), unit.vertices.size());
    for (size_t v = 0; v < unit.vertices.size(); ++v)
      ASSERT_EQ(dot(scaled.vertices[v] - scale * unit.vertices[v], Vec3d{1, 1, 1}), 0) << scale << ", vertex " << v;
  }
  const Vec3d far{two20, -two20, 2 * two20};
  // Without fitting and smoothing, which accept or reject a move by the last digits of the angles.
  const TetMesh here = filled(1, {}, 0), moved = filled(1, far, 0);
  EXPECT_EQ(moved.tets, here.tets);
  ASSERT_EQ(moved.vertices.size(), here.vertices.size());
  double farthest = 0;
  for (size_t v = 0; v < here.vertices.size(); ++v) {
    const Vec3d d = moved.vertices[v] - far - here.vertices[v];
    farthest = std::max(farthest, std::sqrt(dot(d, d)));
  }
  EXPECT_LT(farthest, 1e-3) << "a thousandth of a cell is how well the surface is met";
}

// Without a limit, words and counts would be searched level after level, on the stack.
TEST(Mesher, RefusesPartsWithoutEnd) {
  SceneShape deep{"ball", {}, {}};
  for (int k = 0; k < 10000; ++k) {
    SceneShape around{"union", {}, {}};
    around.parts.push_back(std::move(deep));
    deep = std::move(around);
  }
  const auto solid = mesh_shape(deep, {});
  ASSERT_FALSE(solid.ok());
  EXPECT_HAS(solid.error().message(), "parts lie within each other more than 100 deep; put more parts side by side");
}

// A script stands in for TetGen. Flat tets are removed, with a warning; the request is checked beforehand.
TEST(Mesher, TakesFromTetgenWhatIsSound) {
  const TemporaryFile surface("cube_for_tetgen.obj", cube_obj);
  const std::string path = surface.folder() + "/" + surface.name();
  EXPECT_HAS(mesh_surface(path, {.cells = 1e6, .mesher = Mesher::tetgen}).error().message(),
             "fit into memory; take a cell of at least 0.00");
  EXPECT_HAS(mesh_surface(path, {.cell = 1e150, .mesher = Mesher::tetgen}).error().message(),
             "cell = 1e+150 m: a tet of");
  const auto folder = std::filesystem::path(surface.folder()) / ("sinew_path_" + std::to_string(::getpid()));
  std::filesystem::create_directory(folder);
  std::ofstream(folder / "tetgen") << "#!/bin/sh\nmesh=\"${2%.off}.1\"\n"
                                      "printf '5 3 0 0\\n0 0 0 0\\n1 1 0 0\\n2 0 1 0\\n3 0 0 1\\n4 1 1 0\\n'"
                                      " > \"$mesh.node\"\n"
                                      "printf '2 4 0\\n0 0 1 2 3\\n1 0 1 2 4\\n' > \"$mesh.ele\"\n";
  std::filesystem::permissions(folder / "tetgen", std::filesystem::perms::owner_all);
  const std::string before = std::getenv("PATH");
  ::setenv("PATH", (folder.string() + ":" + before).c_str(), 1);
  const auto solid = mesh_surface(path, {.mesher = Mesher::tetgen});
  ::setenv("PATH", before.c_str(), 1);
  std::filesystem::remove_all(folder);
  ASSERT_TRUE(solid.ok()) << solid.error().message();
  EXPECT_EQ(solid->tets.size(), 1u);
  ASSERT_FALSE(solid->warnings.empty());
  EXPECT_HAS(solid->warnings[0], "1 tet without volume removed (1)");
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
  // It reads back as it was written.
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
  const CompiledScene compiled = compile_scene(*scene, DiskFiles()).value();
  double mass = 0;
  for (const double m : compiled.model.mass) mass += m;
  EXPECT_NEAR(mass, 1000, 30) << "1 m^3 of 1000 kg/m^3, cut by cells of 0.2 m";
}

TEST(MeshOfAScene, FaultsOfFillingNameTheirPlace) {
  const auto fault_of = [](const std::string& shape) {
    const Result<Scene> scene = parse_scene(R"({ "sinew": 1, "materials": { "r": {} }, "objects": { "b": {
      "material": "r", "mesh": { "shape": { "of": )" +
                                                shape + " } } } } }",
                                            "s", "");
    EXPECT_TRUE(scene.ok()) << scene.error().message();
    const Result<CompiledScene> compiled = compile_scene(*scene, DiskFiles());
    return compiled.ok() ? std::string("none") : compiled.error().message();
  };
  EXPECT_HAS(fault_of(R"({ "ball": {} }, "cells": 0.5)"),
             "s: objects.b.mesh: cell = 2 m: no lattice point is inside; take a cell of at most 0.49");
  EXPECT_HAS(fault_of(R"({ "ball": {} }, "tets": 1e12)"), "s: objects.b.mesh: tets = 1000000000000: must be 1 to ");
  EXPECT_HAS(fault_of(R"({ "difference": { "parts": [ { "ball": {} }, { "ball": {} } ] } })"),
             "s: objects.b.mesh: shape: is empty");
}

// Thin arms come apart if the cell is coarse, which users should not have to find out from a picture.
TEST(MeshOfAScene, PartsThatOnlyTouchAreTold) {
  const SceneShape octopus{"octopus", {}, {}};
  const auto coarse = mesh_shape(octopus, {.cells = 20, .thin_pieces = true});
  ASSERT_TRUE(coarse.ok()) << coarse.error().message();
  ASSERT_EQ(coarse->warnings.size(), 1u);
  EXPECT_HAS(coarse->warnings[0],
             "places parts of the solid touch at a vertex and are not joined: the mesh is in 9 pieces");
  // Such pieces are not connected to anything, and are left out by default.
  const auto whole = mesh_shape(octopus, {.cells = 20});
  ASSERT_TRUE(whole.ok()) << whole.error().message();
  ASSERT_FALSE(whole->warnings.empty());
  EXPECT_HAS(whole->warnings[0], "8 loose pieces thinner than two cells were left out");
  EXPECT_LT(whole->tets.size(), coarse->tets.size());
  const auto fine = mesh_shape(octopus, {.cells = 50});
  ASSERT_TRUE(fine.ok()) << fine.error().message();
  EXPECT_TRUE(fine->warnings.empty());
}

// A transform has the mesh checked, which finds coincident vertices that the filling made on purpose.
TEST(MeshOfAScene, WhatIsApartOnPurposeIsNotWarnedOf) {
  const Result<Scene> scene = parse_scene(
      R"({ "sinew": 1, "materials": { "rubber": {} }, "objects": { "body": { "material": "rubber",
        "transform": { "scale": 2 },
        "mesh": { "shape": { "cells": 20, "thin_pieces": true, "of": { "octopus": {} } } } } } })",
      "octopus", "");
  ASSERT_TRUE(scene.ok()) << scene.error().message();
  const Result<Simulation> simulation = Simulation::create(*scene, 1);
  ASSERT_TRUE(simulation.ok()) << simulation.error().message();
  ASSERT_EQ(simulation->warnings().size(), 1u);
  EXPECT_HAS(simulation->warnings()[0], "parts of the solid touch at a vertex and are not joined");
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
  EXPECT_HAS(fault_of(R"({ "ball": 3 })"), "mesh.shape.of.ball = 3: its parameters must be an object { }");
  EXPECT_HAS(fault_of(R"({ "ball": {}, "box": {} })"), "must be an object { \"KIND\": { ... } }");
  EXPECT_HAS(fault_of(R"({ "union": { "parts": [ { "ball": {} }, { "torus": { "tube_radius": 3 } } ] } })"),
             "of.union.parts.1.torus.tube_radius = 3 [m]");
  EXPECT_HAS(fault_of(R"({ "union": {} })"), "parts");
  EXPECT_HAS(fault_of(R"({ "ball": {} }, "sharp_edges": true)"), "objects.b.mesh.shape.sharp_edges = true: is for");
  EXPECT_EQ(fault_of(R"({ "octopus": { "eyes": false, "arms": 5 } })"), "none");
}

}  // namespace
}  // namespace sinew
