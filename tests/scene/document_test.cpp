// Source: docs/architecture.md, Extending Sinew: scenes, their schema and their reference page come from the same
// tables.
#include <gtest/gtest.h>

#include <unistd.h>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "compile/compile.h"
#include "drive/disk_files.h"
#include "scene/json.h"
#include "sinew/scene_file.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;
const fs::path root = SINEW_SOURCE_DIR;

std::string content_of(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}
std::vector<fs::path> scene_files() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(root / "scenes"))
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

TEST(Scenes, AreReadAndCompiledWithoutWarnings) {
  const std::vector<fs::path> files = scene_files();
  EXPECT_GE(files.size(), 8u);
  for (const fs::path& file : files) {
    // Large scenes are compiled with a small part of them, because they take seconds and gigabytes.
    const std::map<std::string, std::vector<std::string>> smaller{
        {"stretch_twist", {"objects.block.mesh.box.cells=4"}},
        {"ten_thousand_bodies", {"objects.noodles.copies.count=[1, 2, 3]"}}};
    const auto found = smaller.find(file.stem().string());
    const Result<Scene> scene = found == smaller.end() ? read_scene(file) : read_scene(file, found->second);
    ASSERT_TRUE(scene.ok()) << scene.error().message();
    const Result<CompiledScene> compiled = compile_scene(*scene, DiskFiles());
    ASSERT_TRUE(compiled.ok()) << compiled.error().message();
    for (const std::string& warning : compiled->warnings) ADD_FAILURE() << file << ": " << warning;
    EXPECT_EQ(content_of(file).substr(0, 3), "// ") << file << " opens with what it shows";
  }
}

TEST(ResolvedJson, ReadsBackAsTheSameScene) {
  for (const fs::path& file : scene_files()) {
    const Scene scene = *read_scene(file);
    Result<Scene> again = parse_scene(resolved_json(scene), file.string(), scene.base_folder);
    ASSERT_TRUE(again.ok()) << again.error().message();
    EXPECT_TRUE(*again == scene) << file;
    EXPECT_EQ(resolved_json(*again), resolved_json(scene));
  }
}

TEST(ResolvedJson, KeepsWhatNoDefaultHas) {
  Scene scene;
  scene.name = "all \"odd\" \\ \n \u00e9";
  scene.up = UpAxis::z;
  scene.own_block_damping = true;
  scene.gravity = {1.0 / 3, 5e-324, -9.81};
  scene.materials = {{"a", "stvk", {{"youngs_modulus", 1}, {"poisson_ratio", 0.1}}, 2, 3},
                     {"b", "neo_hookean", {{"mu", 0.1}, {"lambda", -0.05}}, 1000, 0}};
  SceneObject o;
  o.name = "o";
  o.mesh = MeshFile{"x.mesh"};
  o.material = "a";
  o.regions = {{-3, "b"}, {4, "a"}, {"bone", "a"}};
  o.transform = {{-1, 2, 3}, {1, 2, -1.7976931348623157e308}, 4, {5, 6, 7}};
  o.velocity = {1, 2, 3};
  o.stretch = {3, 2, 1};
  o.scatter = 0.25;
  o.color = Real3{0, 0.5, 1};
  scene.objects = {o, o, o, o};
  scene.objects[1].name = "p";
  scene.objects[1].mesh = MeshBox{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, 6};
  scene.objects[2].name = "q";
  scene.objects[2].mesh = MeshBeam{1, 2, 3, 5, 6};
  scene.objects[3].name = "r";
  scene.objects[3].mesh = MeshBall{2, 3, {4, 5, 6}};
  const FibreDirections along[] = {FibreConstant{{1, 2, 3}}, FibreRegions{{{-7, {1, 0, 0}}, {"bone", {0, 1, 0}}}},
                                   FibreFile{"f.npy"}, FibreHarmonic{SelectPlane{{1, 2, 3}, {4, 5, 6}}, SelectAll{}}};
  for (size_t k = 0; k < 4; ++k) {
    scene.objects[k].fibres = SceneFibres{along[k], 5, 1.1, 0.25, {}};
    if (k % 2) scene.objects[k].fibres = SceneFibres{along[k], 6, 1.2, 0, ActivationCurve{{1, 2}, {0.5, 1}}};
  }
  const Selection selections[] = {SelectBox{{1, 2, 3}, {4, 5, 6}},
                                  SelectSphere{{1, 2, 3}, 4},
                                  SelectPlane{{1, 2, 3}, {4, 5, 6}},
                                  SelectIndices{{3, 1, 2}},
                                  SelectFile{"f"},
                                  SelectGroup{"clamp"},
                                  SelectAll{}};
  for (const Selection& s : selections) {
    ScenePin pin;
    pin.object = "q";
    pin.select = s;
    pin.motion = {{1, 2, 3}, Real3{4, 5, 6}, false, {{0.5, {1, 2, 3}, 45, {2, 3, 4}}, {1, {}, 0, {1, 1, 1}}}};
    pin.release = 3;
    pin.name = "n" + std::to_string(scene.pins.size());
    scene.pins.push_back(pin);
    scene.loads.push_back({SceneLoad::Kind::traction, "q", s, {1, 2, 3}});
    scene.loads.push_back({SceneLoad::Kind::body_force, "q", s, {1, 2, 3}});
  }
  scene.objects[0].contact = {
      ContactLaw::penalty,    0.25,  3e4, 0.5, 0.125, FrictionForm::stick, ContactGuarantee::none,
      ContactStart::separate, false, true};
  scene.objects[1].contact.friction = 0;
  ContactSettings contact;
  contact.law = ContactLaw::penalty;
  contact.radius = 0.1;
  contact.stiffness = 1.0 / 3;
  contact.friction = 0.7;
  contact.friction_speed = 0.3;
  contact.friction_form = FrictionForm::stick;
  contact.guarantee = ContactGuarantee::intersection_free;
  contact.self = false;
  contact.start = ContactStart::allow;
  contact.detect_every = 7;
  contact.pairs = {{"o", "o", ContactLaw::offset, 1, 2, 3, 4, FrictionForm::smooth, ContactGuarantee::none,
                    ContactStart::separate, true},
                   {"shape_3", "p", {}, {}, {}, {}, {}, {}, {}, {}, {}}};
  contact.pairs[1].touches = false;
  scene.contact = contact;
  const ColliderShape shapes[] = {ColliderHalfSpace{{1, 2, 3}, {4, 5, 6}},
                                  ColliderBox{{1, 2, 3}, {4, 5, 6}},
                                  ColliderSphere{{1, 2, 3}, 4},
                                  ColliderCapsule{{1, 2, 3}, {4, 5, 6}, 7},
                                  ColliderInwardBox{{-1, -2, -3}, {4, 5, 6}},
                                  ColliderMesh{"vessel.obj"},
                                  ColliderArrays{{0, 0, 0, 1, 0, 0, 0, 1, 0}, {0, 1, 2}}};
  for (const ColliderShape& shape : shapes) {
    SceneCollider collider;
    collider.name = "shape_" + std::to_string(scene.colliders.size());
    collider.shape = shape;
    collider.transform = {{-1, 2, 3}, {1, 2, 3}, 4, {5, 6, 7}};
    collider.motion = {{1, 2, 3}, Real3{4, 5, 6}, false, {{0.5, {1, 2, 3}, 45, {2, 3, 4}}}};
    collider.contact.radius = 0.5;
    collider.color = Real3{0, 0.5, 1};
    scene.colliders.push_back(collider);
  }
  scene.time = {true, 0.03, 4, 5};
  scene.solver = {"newton", {{"iterations", 3.0}}, "none", {}};
  scene.output = {
      3, VtuFrames::surface, {SurfaceCache::mdd, SurfaceCache::pc2}, 5, 7, {FrameField::stress, FrameField::pinned}};
  scene.render = {100,
                  200,
                  3,
                  ColorBy::strain,
                  true,
                  true,
                  true,
                  false,
                  GroundPattern::plain,
                  {Real3{1, 2, 3}, Real3{4, 5, 6}, {7, 8, 9}, 10, 11, CameraFollow::always}};

  Result<Scene> read = parse_scene(resolved_json(scene), "scene", "");
  ASSERT_TRUE(read.ok()) << read.error().message();
  // Options that the scene does not set are written out.
  EXPECT_GT(read->solver.options.size(), 1u);
  EXPECT_EQ(read->solver.options[0], scene.solver.options[0]);
  read->solver.options = scene.solver.options;
  EXPECT_TRUE(*read == scene) << resolved_json(*read);
}

TEST(WithSolver, KeepsOptionsThatBothHave) {
  SolverSettings settings{"vbd", {{"iterations", 7.0}, {"lanes", 4.0}}, "none", {}};
  const SolverSettings other = with_solver(settings, "newton");
  EXPECT_EQ(other.type, "newton");
  EXPECT_EQ(other.options, (std::vector<OptionValue>{{"iterations", 7.0}}));
}

TEST(Reference, PageIsUpToDate) {
  const fs::path page = root / "docs" / "scene-reference.md";
  if (std::getenv("SINEW_UPDATE_REFERENCE")) std::ofstream(page) << scene_reference();
  EXPECT_EQ(content_of(page), scene_reference()) << "write it anew: sinew check --reference > docs/scene-reference.md";
}

TEST(Reference, NamesEveryKeyOnce) {
  const std::string page = scene_reference();
  for (const char* key : {"youngs_modulus", "`nu`", "cells_across", "rotate_degrees", "checkpoint_every", "rho",
                          "stable_neo_hookean", "initial_guess"})
    EXPECT_NE(page.find(key), std::string::npos) << key;
}

// Documents that the parser accepts or rejects; the schema must agree. Errors of meaning (names that do not exist, the
// order of keyframes) are beyond a schema and not listed.
struct Sample {
  bool good;
  const char* text;
};
#define HEAD R"("sinew": 1, "materials": {"m": {}}, "objects": {"o": {"mesh": {"box": {}}, "material": "m"}})"
#define PIN(selection) "{" HEAD R"(, "pins": [{"object": "o", "select": )" selection "}]}"
constexpr Sample samples[] = {
    {true, "{" HEAD "}"},
    {true, "{" HEAD R"(, "$schema": "x"})"},
    {false, R"({"sinew": 1, "materials": {"m": {}}})"},
    {false, R"({"sinew": 2, "materials": {"m": {}}, "objects": {"o": {"mesh": {"box": {}}, "material": "m"}}})"},
    {false, "{" HEAD R"(, "gravity": [0, 1]})"},
    {false, "{" HEAD R"(, "gravity": 1})"},
    {false, "{" HEAD R"(, "up": "x"})"},
    {false, "{" HEAD R"(, "color": 1})"},
    {true, "{" HEAD R"(, "time": {"fps": 60, "substeps": 2}})"},
    {false, "{" HEAD R"(, "time": {"fps": 60, "frame_dt": 2}})"},
    {false, "{" HEAD R"(, "time": {"substeps": 1.5}})"},
    {false, "{" HEAD R"(, "time": {"frame_dt": 0}})"},
    {true, PIN(R"("all")")},
    {false, PIN(R"("none")")},
    {false, PIN("{}")},
    {true, PIN(R"({"indices": [1]})")},
    {false, PIN(R"({"indices": []})")},
    {false, PIN(R"({"indices": [-1]})")},
    {true, PIN(R"({"sphere": {"center": [0, 0, 0], "radius": 1}})")},
    {false, PIN(R"({"sphere": {"center": [0, 0, 0], "radius": 0}})")},
    {false, PIN(R"({"sphere": {"center": [0, 0, 0], "radius": 1}, "file": "x"})")},
    {false, PIN(R"({"box": {"min": [0, 0, 0]}})")},
    {true, "{" HEAD R"(, "loads": [{"object": "o", "traction": [0, 0, 1]}]})"},
    {false, "{" HEAD R"(, "loads": [{"object": "o"}]})"},
    {false, "{" HEAD R"(, "loads": [{"object": "o", "traction": [0, 0, 1], "body_force": [0, 0, 1]}]})"},
    {true, "{" HEAD R"(, "solver": {"iterations": 3}})"},
    {true, "{" HEAD R"(, "solver": {"type": "newton", "armijo": 0.1}})"},
    {false, "{" HEAD R"(, "solver": {"armijo": 0.1}})"},
    {false, "{" HEAD R"(, "solver": {"type": "vbd", "armijo": 0.1}})"},
    {false, "{" HEAD R"(, "solver": {"type": "gauss"}})"},
    {false, "{" HEAD R"(, "solver": {"precision": "half"}})"},
    {false, "{" HEAD R"(, "solver": {"accelerator": "chebyshev"}})"},
    {true, "{" HEAD R"(, "solver": {"type": "vbd", "accelerator": "chebyshev"}})"},
    {true, "{" HEAD R"(, "solver": {"type": "pbng", "accelerator": {"type": "chebyshev", "rho": 0.9}}})"},
    {false, "{" HEAD R"(, "solver": {"type": "vbd", "accelerator": {"type": "chebyshev", "rho": 1.9}}})"},
    {false, "{" HEAD R"(, "solver": {"type": "vbd", "accelerator": {"rho": 0.9}}})"},
    {false, "{" HEAD R"(, "solver": {"type": "newton", "accelerator": "chebyshev"}})"},
    {false, "{" HEAD R"(, "solver": {"type": "quasi_newton", "accelerator": {"type": "sor", "omega": 1.2}}})"},
    {true, "{" HEAD R"(, "solver": {"type": "newton", "accelerator": "none"}})"},
    {true, "{" HEAD R"(, "solver": {"type": "newton", "accelerator": {"type": "none"}}})"},
    {true, "{" HEAD R"(, "solver": {"type": "xpbd", "accelerator": {"type": "anderson", "on": "multipliers"}}})"},
    {false, "{" HEAD R"(, "solver": {"type": "vbd", "accelerator": {"type": "none", "rho": 0.9}}})"},
    {true, "{" HEAD R"(, "output": {"surface_caches": []}})"},
    {false, "{" HEAD R"(, "output": {"surface_caches": ["pc2", "pc2"]}})"},
    {true, "{" HEAD R"(, "output": {"vtu": "surface", "statistics_every": 1}})"},
    {false, "{" HEAD R"(, "output": {"vtu": true}})"},
    {true, "{" HEAD R"(, "render": {"camera": {"eye": [1, 2, 3]}}})"},
    {false, "{" HEAD R"(, "render": {"width": 1}})"},
    {true, "{" HEAD R"(, "contact": {}})"},
    {true, "{" HEAD R"(, "contact": "none"})"},
    {false, "{" HEAD R"(, "contact": "on"})"},
    {false, "{" HEAD R"(, "contact": true})"},
    {true, "{" HEAD R"(, "contact": {"radius": "auto", "stiffness": 1e4, "law": "penalty", "self": false}})"},
    {true, "{" HEAD R"(, "contact": {"radius": 0.01, "stiffness": "auto", "start": "separate", "detect_every": 1}})"},
    {false, "{" HEAD R"(, "contact": {"radius": 0}})"},
    {false, "{" HEAD R"(, "contact": {"radius": "automatic"}})"},
    {false, "{" HEAD R"(, "contact": {"radius": true}})"},
    {false, "{" HEAD R"(, "contact": {"law": "ipc"}})"},
    {false, "{" HEAD R"(, "contact": {"friction": -0.1}})"},
    {false, "{" HEAD R"(, "contact": {"friction_speed": 0}})"},
    {false, "{" HEAD R"(, "contact": {"detect_every": 0}})"},
    {false, "{" HEAD R"(, "contact": {"guarantee": true}})"},
    {true, "{" HEAD R"(, "contact": {"pairs": [{"a": "o", "b": "o", "touches": false}]}})"},
    {false, "{" HEAD R"(, "contact": {"pairs": [{"a": "o"}]}})"},
    {false, "{" HEAD R"(, "contact": {"pairs": [{"a": "o", "b": "o", "self": false}]}})"},
    {false, "{" HEAD R"(, "contact": {"pairs": [{"a": "o", "b": "o", "radius": "auto"}]}})"},
#define COLLIDER(text) "{" HEAD R"(, "colliders": {"c": )" text "}}"
    {true, COLLIDER(R"({"shape": {"half_space": {}}})")},
    {true, COLLIDER(R"({"shape": {"half_space": {"normal": [1, 0, 0]}}, "contact": {"friction": 0.5}})")},
    {true, COLLIDER(R"({"shape": {"box": {"min": [0, 0, 0], "max": [1, 1, 1]}}, "color": [1, 0, 0]})")},
    {true, COLLIDER(R"({"shape": {"sphere": {"radius": 1}}, "motion": {"keyframes": [{"time": 1}]}})")},
    {true, COLLIDER(R"({"shape": {"capsule": {"a": [0, 0, 0], "b": [1, 0, 0], "radius": 1}}})")},
    {true, COLLIDER(R"({"shape": {"inward_box": {"min": [0, 0, 0], "max": [1, 1, 1]}}})")},
    {true, COLLIDER(R"({"shape": {"mesh": "bowl.obj"}, "transform": {"scale": 2}})")},
    {true, COLLIDER(R"({"shape": {"arrays": {"vertices": [0, 0, 0, 1, 0, 0, 0, 1, 0], "triangles": [0, 1, 2]}}})")},
    {true, COLLIDER(R"({"shape": {"solid": {"of": {"ball": {}}, "cells": 8}}})")},
    {false, COLLIDER("{}")},
    {false, COLLIDER(R"({"shape": {}})")},
    {false, COLLIDER(R"({"shape": "floor"})")},
    {false, COLLIDER(R"({"shape": {"sphere": {}}})")},
    {false, COLLIDER(R"({"shape": {"sphere": {"radius": 0}}})")},
    {false, COLLIDER(R"({"shape": {"mesh": ""}})")},
    {false, COLLIDER(R"({"shape": {"half_space": {}, "mesh": "bowl.obj"}})")},
    {false, COLLIDER(R"({"shape": {"half_space": {}}, "contact": {"self": false}})")},
    {false, COLLIDER(R"({"shape": {"half_space": {}}, "velocity": [1, 0, 0]})")},
#define FACTORS(text)                                                                                \
  R"({"sinew": 1, "materials": {"m": {}}, "objects": {"o": {"mesh": {"box": {}}, "material": "m", )" \
  R"("stiffness_factors": )" text "}}}"
    {true, FACTORS(R"("none")")},
    {true, FACTORS(R"({"file": "f.npy"})")},
    {true, FACTORS(R"({"values": [1, 2.5]})")},
    {false, FACTORS(R"({"values": [1, 0]})")},
    {false, FACTORS(R"({"values": ["1"]})")},
    {false, FACTORS(R"({"values": 1})")},
    {false, FACTORS(R"({"values": [1], "file": "f.npy"})")},
    {false, FACTORS("{}")},
    {false, FACTORS(R"("f.npy")")},
    {true, "{" HEAD R"(, "solver": {"cluster_vertices": 100}})"},
    {false, "{" HEAD R"(, "solver": {"cluster_vertices": 65537}})"},
#define METHOD(solver, accelerator) "{" HEAD R"(, "solver": {"type": )" solver R"(, "accelerator": )" accelerator "}}"
    {true, METHOD(R"("xpbd")", R"({"type": "anderson", "on": "multipliers"})")},
    {true, METHOD(R"("vbd")", R"("anderson")")},
    {false, METHOD(R"("vbd")", R"({"type": "anderson", "on": "multipliers"})")},
    {true, METHOD(R"("fp_pxpbd")", R"({"type": "anderson"})")},
    {false, METHOD(R"("fp_pxpbd")", R"({"type": "anderson", "on": "positions"})")},
    {false, METHOD(R"("pbd")", R"("anderson")")},
#define MATERIAL(text) \
  R"({"sinew": 1, "materials": {"m": )" text R"(}, "objects": {"o": {"mesh": {"box": {}}, "material": "m"}}})"
    {true, MATERIAL(R"({"E": 1, "nu": 0.3})")},
    {false, MATERIAL(R"({"E": 1, "youngs_modulus": 1})")},
    {false, MATERIAL(R"({"nu": 0.5})")},
    {true, MATERIAL(R"({"nu": 0.499999})")},
    {true, MATERIAL(R"({"mu": 1, "lambda": 1})")},
    {false, MATERIAL(R"({"mu": 1})")},
    {true, MATERIAL(R"({"model": "mooney_rivlin", "c10": 1, "c01": 0})")},
    {false, MATERIAL(R"({"model": "mooney_rivlin", "c10": 0})")},
    {false, MATERIAL(R"({"model": "mooney_rivlin", "mu": 1, "lambda": 1})")},
    {false, MATERIAL(R"({"model": "stvk", "c10": 1})")},
    {false, MATERIAL(R"({"c10": 1})")},
    {true, MATERIAL(R"({"model": "arap", "volume_stiffness": 0})")},
    {false, MATERIAL(R"({"mu": 1, "lambda": 1, "nu": 0.3})")},
    {false, MATERIAL(R"({"model": "wood"})")},
#define OBJECT(text) R"({"sinew": 1, "materials": {"m": {}}, "objects": {"o": )" text "}}"
    {true, OBJECT(R"({"mesh": {"box": {"size": 2, "cells": [1, 2, 3]}}, "material": "m", "transform": {"scale": 2}})")},
    {true, OBJECT(R"({"mesh": {"ball": {}}, "material": "m", "color": [0, 0, 1]})")},
    {false, OBJECT(R"({"mesh": {"ball": {}}, "material": "m", "color": [0, 0, 2]})")},
    {false, OBJECT(R"({"mesh": {"box": {"cells": [1, 2.5, 3]}}, "material": "m"})")},
    {false, OBJECT(R"({"mesh": {"box": {"split": 4}}, "material": "m"})")},
    {false, OBJECT(R"({"mesh": {}, "material": "m"})")},
    {false, OBJECT(R"({"mesh": {"box": {}, "ball": {}}, "material": "m"})")},
    {true, OBJECT(R"({"mesh": {"chain": {}}})")},
    {true, OBJECT(R"({"mesh": {"box": {}}, "material": "m", "contact": {"self": false, "friction_form": "stick"}})")},
    {true, OBJECT(R"({"mesh": {"box": {}}, "material": "m", "contact": {"start": "allow", "guarantee": "none"}})")},
    {false, OBJECT(R"({"mesh": {"box": {}}, "material": "m", "contact": {"detect_every": 1}})")},
    {false, OBJECT(R"({"mesh": {"box": {}}, "material": "m", "contact": "none"})")},
    {false, OBJECT(R"({"mesh": {"file": ""}, "material": "m"})")},
    {true, OBJECT(R"({"mesh": {"box": {}}, "material": "m", "regions": {"3": "m", "-1": "m"}})")},
    {true, OBJECT(R"({"mesh": {"box": {}}, "material": "m", "regions": {"a": "m"}})")},
    {true, OBJECT(R"({"mesh": {"box": {}}, "regions": {"a": "m"}})")},
    {false, OBJECT(R"({"mesh": {"box": {}}, "material": "m", "regions": {"a": 3}})")},
    {false, R"({"sinew": 1, "materials": {"m.n": {}}, "objects": {"o": {"mesh": {"box": {}}, "material": "m.n"}}})"},
};

TEST(Schema, ParserAgreesWithTheSamples) {
  for (const Sample& sample : samples) {
    const Result<Scene> scene = parse_scene(sample.text, "scene.json", "");
    EXPECT_EQ(scene.ok(), sample.good) << sample.text << "\n" << (scene ? "" : scene.error().message());
  }
}

TEST(Schema, IsJson) {
  const Result<Json> schema = parse_json(scene_schema(), "schema");
  ASSERT_TRUE(schema.ok()) << schema.error().message();
  EXPECT_NE(schema->find("properties")->find("materials"), nullptr);
}

// Needs a Python with jsonschema: SINEW_PYTHON, or the first python3 that has it.
TEST(Schema, AgreesWithTheParser) {
  const char* chosen = std::getenv("SINEW_PYTHON");
  std::string python;
  for (const std::string candidate : {chosen ? chosen : "", "python3", "/usr/bin/python3"}) {
    if (!candidate.empty() && std::system((candidate + " -c 'import jsonschema' 2>/dev/null").c_str()) == 0) {
      python = candidate;
      break;
    }
  }
  if (python.empty()) GTEST_SKIP() << "no python3 with jsonschema (Debian: python3-jsonschema)";

  const fs::path folder = fs::temp_directory_path() / ("sinew_schema_" + std::to_string(::getpid()));
  fs::create_directories(folder);
  std::ofstream(folder / "schema.json") << scene_schema();
  Json list = Json::array();
  for (const Sample& sample : samples) {
    Json& entry = list.add(Json::object());
    entry.add("good", sample.good);
    entry.add("document", *parse_json(sample.text, "sample"));
  }
  for (const fs::path& file : scene_files()) {
    Json& entry = list.add(Json::object());
    entry.add("good", true);
    entry.add("document", *parse_json(resolved_json(*read_scene(file)), "resolved"));
  }
  std::ofstream(folder / "samples.json") << write_json(list);
  std::ofstream(folder / "check.py") << R"(
import json, sys, jsonschema
folder = sys.argv[1]
schema = json.load(open(folder + "/schema.json"))
jsonschema.Draft7Validator.check_schema(schema)
validator = jsonschema.Draft7Validator(schema)
bad = [s for s in json.load(open(folder + "/samples.json")) if validator.is_valid(s["document"]) != s["good"]]
for s in bad:
    print("parser says", s["good"], json.dumps(s["document"]), file=sys.stderr)
    for e in validator.iter_errors(s["document"]): print("   ", e.message[:200], file=sys.stderr)
sys.exit(1 if bad else 0)
)";
  EXPECT_EQ(std::system((python + " " + (folder / "check.py").string() + " " + folder.string()).c_str()), 0);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace sinew
