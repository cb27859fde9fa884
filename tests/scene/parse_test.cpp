// Sources: the house rule on errors (path, value, range, remedy); RFC 8259 for JSON.
#include <gtest/gtest.h>

#include <string>

#include "material/isotropic_moduli.h"
#include "scene/material_values.h"
#include "sinew/scene_file.h"

namespace sinew {
namespace {

// A small valid scene with places for faults.
std::string scene_text(const std::string& extra = "", const std::string& material = "",
                       const std::string& object = "") {
  return R"({ "sinew": 1,
  "materials": { "rubber": { "youngs_modulus": 1e5)" +
         material + R"( } },
  "objects": { "block": { "mesh": { "box": { "cells": 2 } }, "material": "rubber")" +
         object + R"( } })" + extra + "\n}";
}

std::string error_of(const std::string& text, std::vector<std::string> overrides = {}) {
  const Result<Scene> scene = parse_scene(text, "scene.json", "", overrides);
  return scene ? "" : scene.error().message();
}

Scene parsed(const std::string& text, std::vector<std::string> overrides = {}) {
  Result<Scene> scene = parse_scene(text, "folder/scene.json", "folder", overrides);
  EXPECT_TRUE(scene.ok()) << scene.error().message();
  return scene ? *scene : Scene{};
}

#define EXPECT_HAS(text, part) EXPECT_NE((text).find(part), std::string::npos) << text

TEST(ParseScene, FillsDefaultsAndNames) {
  const Scene scene = parsed(scene_text());
  EXPECT_EQ(scene.name, "scene");
  EXPECT_EQ(scene.base_folder, "folder");
  ASSERT_EQ(scene.materials.size(), 1u);
  EXPECT_EQ(scene.materials[0].name, "rubber");
  EXPECT_EQ(
      scene.materials[0].parameters,
      (std::vector<ParameterValue>{{"youngs_modulus", 1e5}, {"poisson_ratio", YoungsModulusForm{}.poisson_ratio}}));
  ASSERT_EQ(scene.objects.size(), 1u);
  const auto& box = std::get<MeshBox>(scene.objects[0].mesh);
  EXPECT_EQ(box.cells, (std::array<int, 3>{2, 2, 2}));
  EXPECT_EQ(scene.gravity, (Real3{0, -9.81, 0}));
}

// The same for a scene and for its resolved form, read again.
TEST(ParseScene, IterationsAloneAreExactlySoMany) {
  const auto relative_tolerance = [](const std::string& solver) {
    const Scene first = parsed(scene_text(R"(, "solver": )" + solver));
    const Scene again = parsed(resolved_json(first));
    EXPECT_EQ(again.solver.options, first.solver.options);
    for (const OptionValue& o : again.solver.options)
      if (o.name == "relative_tolerance") return std::get<double>(o.value);
    return -1.0;
  };
  EXPECT_EQ(relative_tolerance(R"({ "type": "vbd" })"), 0.01);
  EXPECT_EQ(relative_tolerance(R"({ "type": "vbd", "iterations": 5 })"), 0);
  EXPECT_EQ(relative_tolerance(R"({ "type": "vbd", "iterations": 5, "relative_tolerance": 0.1 })"), 0.1);
  EXPECT_EQ(relative_tolerance(R"({ "type": "newton" })"), 1e-6);
}

TEST(ParseScene, ReadsEveryKey) {
  const Scene scene = parsed(R"(// a comment
  { "$schema": "scene.schema.json", "sinew": 1, "name": "all", "up": "z", "gravity": [0, 0, -9.8], /* and another */
    "damping_form": "own_block",
    "time": { "integrator": "quasistatic", "fps": 50, "substeps": 3, "duration": 2 },
    "materials": {
      "a": { "model": "stvk", "E": 2e5, "nu": -0.2, "density": 900, "damping": 0.01 },
      "b": { "mu": 1e4, "lambda": -1e3 } },
    "objects": {
      "file": { "mesh": { "file": "m.mesh" }, "material": "a", "regions": { "-1": "b", "7": "a" },
        "transform": { "scale": 2, "rotation_axis": [1, 0, 0], "rotation_degrees": 90, "translate": [1, 2, 3] },
        "velocity": [1, 0, 0], "stretch": [1.3, 1, 1], "color": [0.1, 0.2, 0.3] },
      "beam": { "mesh": { "beam": { "length": 1, "height": 0.2, "depth": 0.3, "cells_across": 2, "split": 6 } }, "material": "b" },
      "ball": { "mesh": { "ball": { "radius": 2, "shells": 3, "center": [1, 1, 1] } }, "material": "b" } },
    "pins": [
      { "object": "ball", "select": "all", "release": 1.5 },
      { "object": "beam", "select": { "box": { "min": [0, 0, 0], "max": [1, 1, 1] } } },
      { "object": "beam", "select": { "sphere": { "center": [0, 0, 0], "radius": 1 } } },
      { "object": "beam", "select": { "indices": [3, 1] } },
      { "object": "beam", "select": { "file": "toes.txt" },
        "motion": { "axis": [0, 1, 0], "center": [1, 1, 1], "smooth": false,
          "keyframes": [{ "time": 0.5, "translate": [1, 0, 0], "rotate_degrees": 720, "scale": [1, 2, 3] }] } } ],
    "loads": [
      { "object": "ball", "body_force": [1, 2, 3] },
      { "object": "ball", "traction": [4, 5, 6], "select": { "plane": { "point": [0, 0, 0], "normal": [1, 0, 0] } } } ],
    "solver": { "type": "vbd", "iterations": 7, "tolerance": 0.5, "precision": "double", "line_search": true,
      "accelerator": { "type": "chebyshev", "rho": 0.9 } },
    "output": { "every": 2, "vtu": "surface", "surface_caches": ["mdd"], "statistics_every": 3,
      "checkpoint_every": 0 },
    "render": { "width": 320, "height": 200, "samples": 4, "color_by": "strain", "smooth": true, "wireframe": true,
      "contacts": true,
      "ground": false, "camera": { "eye": [1, 1, 5], "target": [0, 0, 0], "direction": [0, 0, -1], "vertical_fov_degrees": 40 } }
  })");
  EXPECT_EQ(scene.name, "all");
  EXPECT_EQ(scene.up, UpAxis::z);
  EXPECT_TRUE(scene.own_block_damping);
  EXPECT_TRUE(scene.time.quasistatic);
  EXPECT_DOUBLE_EQ(scene.time.frame_dt, 0.02);
  EXPECT_EQ(scene.time.substeps, 3);
  EXPECT_EQ(scene.materials[0],
            (SceneMaterial{"a", "stvk", {{"youngs_modulus", 2e5}, {"poisson_ratio", -0.2}}, 900, 0.01}));
  EXPECT_EQ(scene.materials[1].parameters, (std::vector<ParameterValue>{{"mu", 1e4}, {"lambda", -1e3}}));
  EXPECT_EQ(scene.objects[0].regions, (std::vector<std::pair<RegionId, std::string>>{{-1, "b"}, {7, "a"}}));
  EXPECT_EQ(scene.objects[0].transform, (Transform{{2, 2, 2}, {1, 0, 0}, 90, {1, 2, 3}}));
  EXPECT_EQ(scene.objects[0].stretch, (Real3{1.3, 1, 1}));
  EXPECT_EQ(scene.objects[0].color, (Real3{0.1, 0.2, 0.3}));
  EXPECT_EQ(std::get<MeshBeam>(scene.objects[1].mesh), (MeshBeam{1, 0.2, 0.3, 2, 6}));
  EXPECT_EQ(std::get<MeshBall>(scene.objects[2].mesh), (MeshBall{2, 3, {1, 1, 1}}));
  EXPECT_TRUE(std::holds_alternative<SelectAll>(scene.pins[0].select));
  EXPECT_EQ(scene.pins[0].release, 1.5);
  EXPECT_EQ(std::get<SelectIndices>(scene.pins[3].select).indices, (std::vector<int64_t>{3, 1}));
  EXPECT_EQ(std::get<SelectFile>(scene.pins[4].select).path, "toes.txt");
  const Motion& motion = scene.pins[4].motion;
  EXPECT_FALSE(motion.smooth);
  EXPECT_EQ(motion.center, (Real3{1, 1, 1}));
  EXPECT_EQ(motion.keyframes[0], (Keyframe{0.5, {1, 0, 0}, 720, {1, 2, 3}}));
  EXPECT_EQ(scene.loads[0].kind, SceneLoad::Kind::body_force);
  EXPECT_EQ(scene.loads[1].kind, SceneLoad::Kind::traction);
  EXPECT_EQ(scene.loads[1].value, (Real3{4, 5, 6}));
  EXPECT_EQ(scene.solver.accelerator, "chebyshev");
  EXPECT_EQ(scene.output, (OutputSettings{2, VtuFrames::surface, {SurfaceCache::mdd}, 3, 0}));
  EXPECT_EQ(scene.render.color_by, ColorBy::strain);
  EXPECT_TRUE(scene.render.contacts);
  EXPECT_EQ(scene.render.camera.vertical_fov_degrees, 40);
  const auto option = [&](const char* name) {
    for (const OptionValue& o : scene.solver.options)
      if (o.name == name) return o.value;
    return OptionScalar("missing");
  };
  EXPECT_EQ(std::get<double>(option("iterations")), 7);
  EXPECT_EQ(std::get<std::string>(option("precision")), "double");
  EXPECT_EQ(std::get<bool>(option("line_search")), true);
}

// --- errors -------------------------------------------------------------------------------------------------------

TEST(ParseErrors, RangeNamesPathValueUnitLimitAndRemedy) {
  EXPECT_EQ(
      error_of(scene_text("", R"(, "poisson_ratio": 0.5)")),
      "scene.json: materials.rubber.poisson_ratio = 0.5 [-]: must be below 0.5 and above -1; "
      "for nearly incompressible use 0.49; quadratic elements bear 0.4995 in single precision, and 0.49999 in double");
  EXPECT_EQ(error_of(scene_text("", R"(, "density": -3)")),
            "scene.json: materials.rubber.density = -3 [kg/m^3]: must be above 0");
  EXPECT_EQ(error_of(scene_text(R"(, "time": { "frame_dt": 0 })")),
            "scene.json: time.frame_dt = 0 [s]: must be above 0");
  EXPECT_EQ(error_of(scene_text(R"(, "time": { "fps": 0 })")), "scene.json: time.fps = 0 [1/s]: must be above 0");
  EXPECT_EQ(error_of(scene_text(R"(, "time": { "substeps": 0 })")),
            "scene.json: time.substeps = 0 [-]: must be at least 1 and at most 1000000");
  EXPECT_EQ(error_of(scene_text(R"(, "solver": { "iterations": 0 })")),
            "scene.json: solver.iterations = 0 [-]: must be at least 1 and at most 1000000000");
  EXPECT_EQ(error_of(scene_text(R"(, "solver": { "accelerator": { "type": "chebyshev", "rho": 1.5 } })")),
            "scene.json: solver.accelerator.rho = 1.5 [-]: must be below 1 and at least 0");
  EXPECT_HAS(error_of(scene_text("", "", R"(, "color": [0, 2, 0])")),
             "objects.block.color = [0, 2, 0] [-]: must be at most 1 and at least 0");
}

TEST(ParseErrors, PinsThatAreReleasedBeforeTheyHold) {
  EXPECT_HAS(error_of(scene_text(R"(, "pins": [ { "object": "block", "select": "all", "release": 0 } ])")),
             "pins.0.release = 0 [s]: must be above 0; leave out a pin that is to hold nothing");
}

TEST(ParseErrors, UnknownKeysNameTheNearest) {
  EXPECT_EQ(error_of(scene_text("", R"(, "poison_ratio": 0.3)")),
            "scene.json: materials.rubber.poison_ratio: unknown key; did you mean 'poisson_ratio'?");
  EXPECT_EQ(error_of(scene_text(R"(, "solver": { "iteratoins": 3 })")),
            "scene.json: solver.iteratoins: unknown key; did you mean 'iterations'?");
  EXPECT_EQ(error_of(scene_text(R"(, "gravitiy": [0, 0, 0])")),
            "scene.json: gravitiy: unknown key; did you mean 'gravity'?");
  const std::string far = error_of(scene_text(R"(, "pins": [{ "object": "block", "select": "all", "xyzzy": 1 }])"));
  EXPECT_EQ(far,
            "scene.json: pins.0.xyzzy: unknown key; known: object, select, motion, release, free, normal, direction, "
            "name");
}

TEST(ParseErrors, UnknownWordsNameTheNearest) {
  EXPECT_HAS(error_of(scene_text("", R"(, "model": "neo_hokean")")),
             "materials.rubber.model = \"neo_hokean\": must be one of neo_hookean, ");
  EXPECT_HAS(error_of(scene_text("", R"(, "model": "neo_hokean")")), "did you mean 'neo_hookean'?");
  EXPECT_HAS(error_of(scene_text(R"(, "solver": { "type": "vdb" })")), "did you mean 'vbd'?");
  EXPECT_HAS(error_of(scene_text(R"(, "solver": { "precision": "singel" })")),
             "solver.precision = \"singel\": must be one of auto, single, double; did you mean 'single'?");
  EXPECT_HAS(error_of(scene_text(R"(, "time": { "integrator": "euler" })")),
             "must be one of backward_euler, quasistatic");
  EXPECT_HAS(error_of(scene_text(R"(, "output": { "surface_caches": ["abc"] })")),
             "output.surface_caches.0 = \"abc\": must be one of pc2, mdd");
  EXPECT_HAS(error_of(scene_text(R"(, "solver": { "accelerator": "chebychev" })")), "did you mean 'chebyshev'?");
}

TEST(ParseErrors, ElementsByOtherNamesAndInOtherPlaces) {
  const auto error_with = [](const std::string& element) {
    return error_of(scene_text("", "", R"(, "element": ")" + element + '"'));
  };
  for (const char* name : {"P2", "tet10", "T10", "ten-node", "second order", "quad"})
    EXPECT_HAS(error_with(name), "\": must be one of linear, quadratic; did you mean 'quadratic'?") << name;
  EXPECT_HAS(error_with("p1"), "did you mean 'linear'?");
  EXPECT_HAS(error_with("hex20"), "hexahedral elements are not in Sinew yet");
  for (const char* name : {"", "-", "cubic"})
    EXPECT_EQ(error_with(name).find("did you mean"), std::string::npos) << error_with(name);
  EXPECT_HAS(error_of(scene_text(R"(, "element": "quadratic")")),
             "element: unknown key; elements are a matter of each object: objects.NAME.element = ");
  EXPECT_HAS(error_of(scene_text(R"(, "solver": { "element": "quadratic" })")), "objects.NAME.element = ");
}

TEST(ParseErrors, TheFormerFormOfDampingIsAnsweredWithBothThereAre) {
  EXPECT_EQ(error_of(scene_text(R"(, "damping_form": "strain_rate")")), "");
  EXPECT_EQ(error_of(scene_text(R"(, "damping_form": "element")")),
            "scene.json: damping_form = \"element\": must be one of strain_rate, own_block; strain_rate has taken the "
            "place of \"element\", which fed energy in; own_block drags rigid motion");
}

TEST(ParseErrors, TypesAreStrict) {
  EXPECT_EQ(error_of(scene_text("", R"(, "density": "heavy")")),
            "scene.json: materials.rubber.density = \"heavy\" [kg/m^3]: must be a number, not text");
  EXPECT_HAS(error_of(scene_text(R"(, "gravity": 9.81)")), "gravity = 9.81 [m/s^2]: must be a list of three numbers");
  EXPECT_HAS(error_of(scene_text(R"(, "gravity": [0, 1])")), "must be a list of three numbers");
  EXPECT_HAS(error_of(scene_text(R"(, "gravity": [0, null, 1])")), "must be a list of three numbers");
  EXPECT_HAS(error_of(scene_text(R"(, "pins": {})")), "pins = {}: must be a list [ ], not an object");
  EXPECT_HAS(error_of(scene_text(R"(, "pins": [1])")), "pins.0 = 1: must be an object { }, not a number");
  EXPECT_HAS(error_of(scene_text(R"(, "solver": [])")), "solver = []: must be an object { }, not a list");
  EXPECT_HAS(error_of(scene_text(R"(, "solver": { "iterations": "many" })")),
             "solver.iterations = \"many\": must be a number");
  EXPECT_HAS(error_of(scene_text(R"(, "solver": { "iterations": 2.5 })")), "must be a whole number");
  EXPECT_HAS(error_of(scene_text(R"(, "solver": { "iterations": [] })")), "solver.iterations");
  EXPECT_HAS(error_of(scene_text(R"(, "solver": { "type": "vbd", "line_search": 1 })")), "must be true or false");
  EXPECT_HAS(error_of(scene_text(R"(, "time": { "substeps": 1.5 })")),
             "time.substeps = 1.5 [-]: must be a whole number");
  EXPECT_HAS(error_of(scene_text(R"(, "time": { "substeps": 1e300 })")), "must be at most 1000000");
  EXPECT_HAS(error_of(scene_text(R"(, "render": { "ground": "yes" })")), "must be true or false, not text");
  EXPECT_HAS(error_of("[]"), "the document is a list, not an object");
  EXPECT_HAS(error_of("3"), "the document is a number, not an object");
}

TEST(ParseErrors, DuplicateKeysAtEveryDepth) {
  EXPECT_EQ(error_of("{ \"sinew\": 1,\n \"sinew\": 1 }"),
            "scene.json: sinew: key given twice, in lines 1 and 2; keep one of them");
  EXPECT_EQ(error_of(scene_text("", ", \"density\": 1,\n\"density\": 2")),
            "scene.json: materials.rubber.density: key given twice, in lines 2 and 3; keep one of them");
  EXPECT_HAS(error_of(R"({"pins": [{}, {"select": {"box": 1, "box": 2}}]})"), "pins.1.select.box: key given twice");
}

TEST(ParseErrors, SyntaxNamesLineColumnAndShowsTheLine) {
  const std::string comma = error_of("{\n  \"sinew\": 1,\n}");
  EXPECT_HAS(comma, "scene.json:3:1: ");
  EXPECT_HAS(comma, "\n    look for a comma too many");
  EXPECT_EQ(comma.find("; \n"), std::string::npos) << comma;
  const std::string word = error_of("{\n  \"sinew\": one\n}");
  EXPECT_HAS(word, "scene.json:2:");
  EXPECT_HAS(word, "\n      \"sinew\": one\n");
  EXPECT_HAS(error_of("{ \"sinew\": NaN }"), "NaN and Infinity are not JSON");
  EXPECT_HAS(error_of("{ \"sinew\": 1"), "missing } or ]");
  EXPECT_HAS(error_of("{ \"sinew\": 1 } x"), "scene.json:1:16: ");
  EXPECT_HAS(error_of("{ \"a\xff\": 1 }"), "UTF-8");
  EXPECT_HAS(error_of("{ \"a\": 1 /* open"), "comment");
}

TEST(ParseErrors, NumbersThatAreNotFinite) {
  const std::string text = error_of(scene_text("", ",\n \"density\": 1e999"));
  EXPECT_HAS(text, "scene.json:3:");
  EXPECT_HAS(text, "materials.rubber.density: number 1e999 is too large for a double");
}

TEST(ParseErrors, NestingBombs) {
  EXPECT_HAS(error_of(std::string(1000000, '[')), "nested deeper than 64 levels");
  std::string objects;
  for (int k = 0; k < 100000; ++k) objects += "{\"a\":";
  EXPECT_HAS(error_of(objects), "nested deeper than 64 levels");
}

TEST(ParseErrors, BothSpellings) {
  EXPECT_EQ(error_of(scene_text("", R"(, "E": 1e5)")),
            "scene.json: materials.rubber.E: the same as youngs_modulus, which is given too; keep one of them");
  EXPECT_EQ(error_of(scene_text("", R"(, "mu": 1e5, "lambda": 1)")),
            "scene.json: materials.rubber: youngs_modulus, mu: only one of these may be given");
  EXPECT_HAS(error_of(R"({"sinew": 1, "materials": {"m": {"mu": 1e4}}, "objects": {}})"),
             "materials.m.lambda: missing");
  EXPECT_HAS(error_of(R"({"sinew": 1, "materials": {"m": {"mu": 3, "lambda": -2}}, "objects": {}})"),
             "materials.m.lambda = -2 [Pa]: must be above -2/3 mu = -2");
  EXPECT_HAS(error_of(scene_text(R"(, "time": { "fps": 60, "frame_dt": 0.1 })")),
             "time: frame_dt, fps: only one of these may be given");
  EXPECT_HAS(error_of(scene_text("", "", R"(, "nu": 0.3)")), "objects.block.nu: unknown key");
  EXPECT_EQ(
      error_of(
          R"({"sinew": 1, "materials": {"m": {"nu": 0.5}}, "objects": {"o": {"mesh": {"box": {}}, "material": "m"}}})"),
      "scene.json: materials.m.nu = 0.5 [-]: must be below 0.5 and above -1; for nearly incompressible use 0.49; "
      "quadratic elements bear 0.4995 in single precision, and 0.49999 in double");
}

TEST(ParseScene, ReadsBindingsWithOneStiffnessOrTwo) {
  const auto binding = [](const char* stiffness) {
    return scene_text(std::string(R"(, "bindings": [{ "bind": { "object": "block" }, "to": { "object": "block",
        "select": { "indices": [1] } }, "distance": 0.1, )") +
                      stiffness + "}]");
  };
  Result<Scene> scene = parse_scene(binding(R"("stiffness": 7)"), "scene.json", "");
  ASSERT_TRUE(scene.ok()) << scene.error().message();
  ASSERT_EQ(scene->bindings.size(), 1u);
  EXPECT_EQ(scene->bindings[0].stiffness, 7);
  EXPECT_FALSE(scene->bindings[0].normal_stiffness);
  EXPECT_TRUE(std::holds_alternative<SelectIndices>(scene->bindings[0].to.select));
  scene = parse_scene(binding(R"("normal_stiffness": 9, "tangential_stiffness": 0)"), "scene.json", "");
  ASSERT_TRUE(scene.ok()) << scene.error().message();
  EXPECT_EQ(scene->bindings[0].normal_stiffness, 9);
  EXPECT_EQ(scene->bindings[0].tangential_stiffness, 0);
  EXPECT_EQ(
      *parse_scene(resolved_json(*scene), "again", ""), *[&] {
        scene->source = "again";
        return &*scene;
      }());
  EXPECT_HAS(error_of(binding(R"("normal_stiffness": 0)")), "bindings.0.normal_stiffness = 0 [N/m]: must be above 0");
  EXPECT_HAS(error_of(binding(R"("stiffness": 1, "normal_stiffness": 1)")), "only one of these may be given");
  EXPECT_HAS(error_of(scene_text(R"(, "bindings": [{}])")), "bindings.0.bind: missing");
  EXPECT_HAS(error_of(scene_text(R"(, "bindings": [{}])")), "bindings.0: one of these is missing: stiffness");
}

TEST(ParseErrors, WhatIsMissing) {
  EXPECT_HAS(error_of("{}"), "sinew: missing");
  EXPECT_HAS(error_of("{}"), "materials: there are none");
  EXPECT_HAS(error_of("{}"), "objects: missing");
  EXPECT_HAS(error_of(R"({"sinew": 2})"), "sinew = 2 [-]: must be 1; this program");
  EXPECT_HAS(error_of(R"({"sinew": 1, "materials": {}, "objects": {}})"), "materials: there are none");
  EXPECT_HAS(error_of(scene_text(R"(, "pins": [{ "object": "block" }])")), "pins.0.select: missing");
  EXPECT_HAS(error_of(scene_text(R"(, "pins": [{ "object": "block", "select": {} }])")),
             "pins.0.select: one of these is missing: box, sphere, plane, indices, file");
  EXPECT_HAS(error_of(scene_text(R"(, "pins": [{ "object": "block", "select": { "box": { "min": [0, 0, 0] } } }])")),
             "pins.0.select.box.max: missing");
  EXPECT_HAS(error_of(scene_text(R"(, "loads": [{ "object": "block" }])")),
             "loads.0: one of these is missing: body_force, traction");
  EXPECT_HAS(error_of(R"({"sinew": 1, "materials": {"m": {}}, "objects": {"o": {"mesh": {}, "material": "m"}}})"),
             "objects.o.mesh: one of these is missing: file, box, beam, ball, chain, grid");
  EXPECT_HAS(
      error_of(R"({"sinew": 1, "materials": {"m": {}}, "objects": {"o": {"mesh": {"file": ""}, "material": "m"}}})"),
      "objects.o.mesh.file = \"\": must not be empty");
}

TEST(ParseErrors, ReferencesBetweenKeys) {
  EXPECT_EQ(error_of(scene_text(R"(, "pins": [{ "object": "blok", "select": "all" }])")),
            "scene.json: pins.0.object = \"blok\": there is no such object; did you mean 'block'?");
  EXPECT_HAS(error_of(scene_text(R"(, "loads": [{ "object": "moon", "body_force": [0, 0, 0] }])")),
             "loads.0.object = \"moon\": there is no such object; known: block");
  EXPECT_HAS(error_of(scene_text("", "", R"(, "regions": { "2": "ruber" })")),
             "objects.block.regions.2 = \"ruber\": there is no such material; did you mean 'rubber'?");
  EXPECT_HAS(error_of(scene_text("", "", R"(, "regions": { "two": "ruber" })")),
             "objects.block.regions.two = \"ruber\": there is no such material; did you mean 'rubber'?");
  const auto keyframes = [](const std::string& keys) {
    return scene_text(R"(, "pins": [{ "object": "block", "select": "all", "motion": { "keyframes": )" + keys + "} }]");
  };
  EXPECT_HAS(error_of(keyframes(R"([{"time": 1}, {"time": 0.5}])")),
             "pins.0.motion.keyframes.1.time = 0.5 [s]: must be after the keyframe before it, at 1 s");
  EXPECT_HAS(error_of(keyframes(R"([{"time": 1}, {"time": 1}])")), "must be after the keyframe before it");
  EXPECT_HAS(error_of(keyframes(R"([{}])")), "pins.0.motion.keyframes.0.time: missing");
  EXPECT_HAS(error_of(keyframes(R"([{"time": -1}])")), "keyframes.0.time = -1 [s]: must be at least 0");
}

TEST(ParseErrors, PairsOfSolverAndAcceleratorThatCannotWork) {
  for (const std::string solver : {"newton", "multilevel"}) {
    EXPECT_HAS(error_of(scene_text(R"(, "solver": { "type": ")" + solver + R"(", "accelerator": "sor" })")),
               "scene.json: solver.accelerator = \"sor\": solver \"" + solver +
                   "\" takes no accelerator, for it is no fixed-point iteration or has one of its own; use \"none\", "
                   "or for solver.type one of vbd, ");
  }
  // The default solver is multilevel.
  EXPECT_HAS(error_of(scene_text(R"(, "solver": { "accelerator": "anderson" })")), "solver \"multilevel\" takes no");
  EXPECT_HAS(error_of(scene_text(
                 R"(, "solver": { "type": "vbd", "accelerator": { "type": "anderson", "on": "multipliers" } })")),
             "solver.accelerator.on = \"multipliers\": solver \"vbd\" has none of constraints; use \"both\"");
  EXPECT_EQ(error_of(scene_text(R"(, "solver": { "type": "vbd", "accelerator": "anderson" })")), "");
  // Neither the stresses nor the positions of fp_pxpbd may move alone; either of XPBD's may.
  const auto anderson = [](const std::string& solver, const std::string& on) {
    return error_of(scene_text(R"(, "solver": { "type": ")" + solver +
                               R"(", "accelerator": { "type": "anderson", "on": ")" + on + "\" } }"));
  };
  for (const std::string on : {"positions", "multipliers"}) {
    EXPECT_HAS(anderson("fp_pxpbd", on), "solver.accelerator.on = \"" + on + "\": solver \"fp_pxpbd\" keeps");
    EXPECT_EQ(anderson("xpbd", on), "");
  }
  EXPECT_EQ(anderson("fp_pxpbd", "both"), "");
  EXPECT_EQ(anderson("vbd", "positions"), "");
}

TEST(ParseErrors, Geometry) {
  EXPECT_HAS(error_of(scene_text("", "", R"(, "transform": { "scale": 0 })")),
             "objects.block.transform.scale = [0, 0, 0] [-]: must not be 0");
  EXPECT_HAS(error_of(scene_text("", "", R"(, "transform": { "rotation_axis": [0, 0, 0], "rotation_degrees": 9 })")),
             "objects.block.transform.rotation_axis = [0, 0, 0]: has no direction");
  const auto select = [](const std::string& selection) {
    return scene_text(R"(, "pins": [{ "object": "block", "select": )" + selection + "}]");
  };
  EXPECT_HAS(error_of(select(R"({"plane": {"point": [0, 0, 0], "normal": [0, 0, 0]}})")), "has no direction");
  EXPECT_HAS(error_of(select(R"({"box": {"min": [0, 2, 0], "max": [1, 1, 1]}})")), "must not be above max = [1, 1, 1]");
  EXPECT_HAS(error_of(select(R"({"sphere": {"center": [0, 0, 0], "radius": 0}})")), "radius = 0 [m]: must be above 0");
  EXPECT_HAS(error_of(select(R"({"indices": []})")), "selects nothing");
  EXPECT_HAS(error_of(select(R"({"indices": [0, -1]})")),
             "pins.0.select.indices.1 = -1: must be a vertex number from 0");
  EXPECT_HAS(error_of(select(R"({"indices": [0.5]})")), "must be a vertex number from 0");
  EXPECT_HAS(error_of(select(R"("al")")), "did you mean 'all'?");
  EXPECT_HAS(error_of(select(R"({"box": {}, "sphere": {}})")), "box, sphere: only one of these may be given");
}

TEST(ParseErrors, StiffnessFactors) {
  const auto factors = [](const std::string& text) {
    return error_of(scene_text("", "", R"(, "stiffness_factors": )" + text));
  };
  EXPECT_HAS(factors(R"({"values": [1, -2]})"), "objects.block.stiffness_factors.values.1 = -2 [-]: must be above 0");
  EXPECT_HAS(factors(R"({"values": [1, true]})"),
             "objects.block.stiffness_factors.values.1 = true [-]: must be a number");
  EXPECT_HAS(factors(R"({"values": 7})"), "must be a list of numbers");
  EXPECT_HAS(factors(R"({"file": ""})"), "objects.block.stiffness_factors.file = \"\": must not be empty");
  EXPECT_HAS(factors("{}"), "objects.block.stiffness_factors: one of these is missing: file, values");
  EXPECT_HAS(factors(R"("f.npy")"), "must be \"none\", or an object { } with file or values");
}

TEST(ParseErrors, NamesThatCannotBeFileNames) {
  for (const char* name : {"", "a/b", "..", "a.b", " a", "a\\\\b", "a\\u0007"}) {
    const std::string text = std::string(R"({"sinew": 1, "materials": {"m": {}}, "objects": {")") + name +
                             R"(": {"mesh": {"box": {}}, "material": "m"}}})";
    EXPECT_HAS(error_of(text), ": is not a valid name") << name;
  }
  EXPECT_EQ(error_of(R"({"sinew": 1, "materials": {"caoutchouc naturel é": {}},
                         "objects": {"o": {"mesh": {"box": {}}, "material": "caoutchouc naturel é"}}})"),
            "");
}

TEST(ParseErrors, AllFaultsAtOnce) {
  const std::string text = error_of(scene_text(R"(, "tim": {}, "solver": { "iterations": 0 })", R"(, "nu": 0.7)"));
  EXPECT_HAS(text, "scene.json: 3 faults\n");
  EXPECT_HAS(text, "\n  materials.rubber.nu = 0.7");
  EXPECT_HAS(text, "\n  solver.iterations = 0");
  EXPECT_HAS(text, "\n  tim: unknown key; did you mean 'time'?");
  std::string many;
  for (int k = 0; k < 100; ++k) many += ", \"k" + std::to_string(k) + "\": 1";
  EXPECT_HAS(error_of(scene_text(many)), "100 faults");
  EXPECT_HAS(error_of(scene_text(many)), "\n  and 80 more");
}

// --- overrides ----------------------------------------------------------------------------------------------------

TEST(Overrides, ReplaceAndAdd) {
  const std::string text = scene_text(R"(, "pins": [{ "object": "block", "select": "all" }])");
  const Scene scene =
      parsed(text, {"solver.iterations=40", "pins.0.release=1", "gravity=[0, 0, -9.81]", "name=a b",
                    "materials.rubber.model=stvk", "solver.type=vbd", "solver.accelerator=chebyshev", "up=\"z\""});
  EXPECT_EQ(scene.pins[0].release, 1.0);
  EXPECT_EQ(scene.gravity, (Real3{0, 0, -9.81}));
  EXPECT_EQ(scene.name, "a b");
  EXPECT_EQ(scene.materials[0].model, "stvk");
  EXPECT_EQ(scene.solver.accelerator, "chebyshev");
  EXPECT_FALSE(scene.solver.accelerator_options.empty());
  EXPECT_EQ(scene.up, UpAxis::z);
  EXPECT_EQ(std::get<double>(scene.solver.options[0].value), 40);
}

TEST(Overrides, FaultsSayWhereTheyComeFrom) {
  EXPECT_EQ(error_of(scene_text(), {"solver.iteratons=40"}),
            "scene.json: solver.iteratons (by --set): unknown key; did you mean 'iterations'?");
  EXPECT_EQ(error_of(scene_text(), {"materials.rubber.nu=0.5"}),
            "scene.json: materials.rubber.nu (by --set) = 0.5 [-]: must be below 0.5 and above -1; for nearly "
            "incompressible use 0.49; quadratic elements bear 0.4995 in single precision, and 0.49999 in double");
  EXPECT_EQ(error_of(scene_text(), {"materials.ruber.nu=0.4"}),
            "--set materials.ruber.nu=0.4: there is no materials.ruber; did you mean 'rubber'?");
  EXPECT_EQ(error_of(scene_text(), {"solver"}), "--set solver: must be path=value; e.g. --set solver.iterations=40");
  EXPECT_HAS(error_of(scene_text(), {"=3"}), "must be path=value");
  EXPECT_HAS(error_of(scene_text(), {"a..b=3"}), "empty part");
  EXPECT_HAS(error_of(scene_text(), {"sinew.x=3"}), "sinew is a number and has no 'x'");
  EXPECT_HAS(error_of(scene_text(R"(, "pins": [])"), {"pins.0.release=3"}), "pins has 0 items");
  EXPECT_HAS(
      error_of(scene_text(R"(, "loads": [{ "object": "block", "body_force": [0, 0, 0] }])"), {"loads.1.object=3"}),
      "loads has 1 item; use the number 0");
  EXPECT_HAS(error_of(scene_text(), {"gravity.3=3"}), "gravity has 3 items; use a number from 0 to 2");
  EXPECT_HAS(error_of(scene_text(), {"pins.0.release=3"}), "pins has 0 items");
  EXPECT_HAS(error_of(scene_text(), {"render.camera.eye.0=3"}), "must be a list of three numbers");
  EXPECT_EQ(error_of(scene_text(), {"objects.blok.velocity=[1, 0, 0]"}),
            "--set objects.blok.velocity=[1, 0, 0]: there is no objects.blok; did you mean 'block'?");
  EXPECT_HAS(error_of(scene_text(), {"objects.other.velocity=[1, 0, 0]"}), "to add an object give all of it");
}

// Defaults of the file, and short forms, can be overridden in part.
TEST(Overrides, ReachIntoDefaultsAndShortForms) {
  EXPECT_EQ(parsed(scene_text(), {"gravity.1=-3"}).gravity, (Real3{0, -3, 0}));
  const Scene cells = parsed(scene_text(), {"objects.block.mesh.box.cells.0=7"});  // the file says "cells": 2
  EXPECT_EQ(std::get<MeshBox>(cells.objects[0].mesh).cells, (std::array<int, 3>{7, 2, 2}));
  EXPECT_EQ(parsed(scene_text(), {"objects.block.transform.scale.2=-1"}).objects[0].transform.scale, (Real3{1, 1, -1}));
  EXPECT_EQ(parsed(scene_text(), {"output.surface_caches.0=mdd"}).output.surface_caches,
            (std::vector{SurfaceCache::mdd}));

  const auto rho_of = [](const Scene& scene) {
    EXPECT_EQ(scene.solver.accelerator, "chebyshev");
    for (const OptionValue& o : scene.solver.accelerator_options)
      if (o.name == "rho") return std::get<double>(o.value);
    return -1.0;
  };
  EXPECT_EQ(
      rho_of(parsed(scene_text(), {"solver.type=vbd", "solver.accelerator=chebyshev", "solver.accelerator.rho=0.7"})),
      0.7);
  EXPECT_EQ(rho_of(parsed(scene_text(R"(, "solver": { "type": "vbd", "accelerator": "chebyshev" })"),
                          {"solver.accelerator.rho=0.7"})),
            0.7);
  // In the other order the number would be lost silently.
  EXPECT_EQ(error_of(scene_text(), {"solver.accelerator.rho=0.7", "solver.accelerator=chebyshev"}),
            "--set solver.accelerator=chebyshev: replaces all of solver.accelerator, also what --set "
            "solver.accelerator.rho has set before; put it in front");
  EXPECT_HAS(error_of(scene_text(), {"solver.accelerator=none", "solver.accelerator.rho=0.7"}),
             "solver.accelerator is text and has no 'rho'; give all of it: --set 'solver.accelerator={...}'");
}

TEST(Overrides, AddAMaterialThatIsUsed) {
  const std::vector<std::string> steel{"materials.steel.youngs_modulus=2e11", "materials.steel.density=7800"};
  std::vector<std::string> used = steel;
  used.push_back("objects.block.material=steel");
  const Scene scene = parsed(scene_text(), used);
  ASSERT_EQ(scene.materials.size(), 2u);
  EXPECT_EQ(scene.materials[1].name, "steel");
  EXPECT_EQ(value_of(scene.materials[1], "youngs_modulus"), 2e11);
  EXPECT_EQ(scene.materials[1].density, 7800);
  EXPECT_EQ(scene.objects[0].material, "steel");
  EXPECT_EQ(error_of(scene_text(), steel),
            "--set materials.steel.youngs_modulus=2e11: there is no materials.steel; known: rubber; to add a material "
            "let an object be "
            "made of it: --set objects.NAME.material=steel");
}

TEST(ParseErrors, WhatIsNoSceneAtAll) {
  const auto fault = [](const std::string& text, const std::string& name) {
    const Result<Scene> scene = parse_scene(text, name, "");
    return scene ? "" : scene.error().message();
  };
  EXPECT_HAS(fault("", "a.json"), "a.json: is empty; a scene looks like {");
  EXPECT_HAS(fault(" \n", "a.json"), "a.json: is empty");
  EXPECT_HAS(fault("MeshVersionFormatted 2\n", "a.MESH"), "a.MESH: is a mesh, not a scene; name it in a scene");
  EXPECT_HAS(fault("\x89PNG\r\n\x1a\n", "a.png"), "a.png: is no scene but a binary file");
  EXPECT_HAS(fault("objects:\n  a: 1\n", "a.yaml"), "a.yaml: is no scene: it does not begin with {");
  EXPECT_HAS(fault(std::string("\xff\xfe{\0", 4), "a.json"), "is text in UTF-16; save it as UTF-8");
  EXPECT_EQ(fault("[1]", "a.json"),
            "a.json: the document is a list, not an object; a scene looks like { \"sinew\": 1, "
            "\"materials\": {...}, \"objects\": {...} }");
  // Text that begins like JSON is reported with place and line.
  EXPECT_HAS(fault("// a comment\n{ \"sinew\": }", "a.json"), "a.json:2:12: ");
  EXPECT_HAS(fault("\xef\xbb\xbf{ \"sinew\": }", "a.json"), "a.json:1:");
}

TEST(ParseErrors, ControlCharactersAreRefusedAndShown) {
  const std::string object = R"({"sinew": 1, "materials": {"m": {}}, "objects": {"a\u0000b": {"mesh": {"box": {}},
                                "material": "m", "colr": 1}}})";
  EXPECT_HAS(error_of(object), "objects.a\\u0000b: is not a valid name; use 1 to 80 characters");
  EXPECT_HAS(error_of(object), "objects.a\\u0000b.colr: unknown key");
  const std::string file =
      R"({"sinew": 1, "materials": {"m": {}}, "objects": {"a": {"mesh": {"file": "x.mesh\u0000.png"},
                              "material": "m"}}})";
  EXPECT_HAS(error_of(file), "objects.a.mesh.file = \"x.mesh\\u0000.png\": must not have control characters");
}

TEST(ReadScene, FilesThatAreNotThere) {
  const Result<Scene> scene = read_scene("/nowhere/scene.json");
  ASSERT_FALSE(scene.ok());
  EXPECT_EQ(scene.error().message(), "/nowhere/scene.json: no such file; check the path");
}

// Pictures accepted by check and run can be rendered.
TEST(ParseScene, RefusesPicturesThatCannotBeRendered) {
  const auto sized = [](const char* width, const char* height) {
    return error_of(scene_text(std::string(R"(, "render": { "width": )") + width + R"(, "height": )" + height + " }"));
  };
  EXPECT_HAS(sized("8192", "8192"),
             "render.width = 8192 [px] with height = 8192: the picture must not have more pixels than 4096 x 4096");
  EXPECT_HAS(sized("16", "8192"), "render.width = 16 [px] with height = 8192: the picture must be less than 20 times");
  EXPECT_HAS(sized("16", "320"), "render.width");
  EXPECT_EQ(sized("16", "319"), "");
  EXPECT_EQ(sized("4096", "4096"), "");
}

TEST(ParseScene, SaysEachFaultOnceAndWhatElseAValueMayBe) {
  const std::string empty = error_of("{}");
  EXPECT_HAS(empty, "3 faults");
  EXPECT_HAS(empty, "materials: there are none");
  EXPECT_HAS(empty, "objects: missing; define at least one object");
  const std::string mesh =
      error_of(R"({ "sinew": 1, "materials": { "m": {} }, "objects": { "a": { "material": "m", "mesh": {
        "beam": {}, "hexes": 1 } } } })");
  EXPECT_HAS(mesh, "known: file, box, beam, ball, chain");
  EXPECT_EQ(mesh.find("beam", mesh.find("beam") + 1), std::string::npos) << mesh;
  EXPECT_HAS(error_of(R"({ "sinew": 1, "materials": {}, "objects": {} })"), "materials: there are none");
  EXPECT_HAS(error_of(scene_text(R"(, "pins": [{ "object": "block", "select": "al" }])")),
             "pins.0.select = \"al\": must be \"all\", or an object { } with box, sphere, plane, indices, file or "
             "group; did you "
             "mean 'all'?");
  EXPECT_HAS(error_of(scene_text(R"(, "pins": [{ "object": "block", "select": 3 }])")), "or an object { } with box");
}

}  // namespace
}  // namespace sinew
