// Source: the README's "What is not there yet": keys and words for it get an answer, and scenes that need it get a
// warning.
#include "scene/not_yet.h"
#include "drive/disk_files.h"

#include <gtest/gtest.h>

#include "files/read_file.h"
#include "io/says.h"
#include "support/box_scene.h"

namespace sinew {
namespace {

std::string fault(const std::string& object_keys, const std::string& rest = "") {
  const Result<Scene> scene = parse_scene(
      R"({ "sinew": 1, "materials": { "m": {} }, "objects": { "b": { "mesh": { "box": {} }, "material": "m")" +
          object_keys + "} }" + rest + "}",
      "s.json", "");
  return scene ? "" : scene.error().message();
}

TEST(NotYet, KeysAreAnsweredWithWhatToDoInstead) {
  EXPECT_TRUE(says(fault("", R"(, "restitution": 0.5)"),
                   "s.json: restitution: coefficients of restitution are not in Sinew yet; bodies bounce"));
  EXPECT_TRUE(says(fault(R"(, "rigidBody": true)"), "objects.b.rigidBody: rigid bodies"));
  EXPECT_TRUE(says(fault("", R"(, "solver": { "gpu": 1 })"), "solver.gpu: GPUs by this name are not in Sinew yet"));
  EXPECT_TRUE(says(fault("", R"(, "solver": { "type": "cuda" })"),
                   "solver.type = \"cuda\": GPUs by this name are not in Sinew yet"));
  EXPECT_TRUE(says(fault("", R"(, "time": { "integrator": "newmark" })"), "integrators besides"));
  EXPECT_TRUE(says(fault(R"(, "viscosity": 0.3)"), R"(see "What is not there yet" in the README)"));
  // Other keys remain unknown.
  EXPECT_TRUE(says(fault(R"(, "colour": 1)"), "objects.b.colour: unknown key; did you mean 'color'?"));
}

// No valid key of a scene may be listed as missing; listed keys must be spelled as they are looked up.
TEST(NotYet, NamesNothingThatIsThere) {
  const std::string schema = scene_schema();
  const std::string readme = read_file(std::string(SINEW_SOURCE_DIR) + "/README.md").value();
  EXPECT_TRUE(says(readme, "## What is not there yet"));
  for (const NotYet& wish : not_yet_table)
    for (const std::string_view key : wish.keys) {
      if (key.empty()) continue;
      EXPECT_EQ(not_yet(key), material_named(key) ? nullptr : &wish) << key;
      if (key == "ground" || key == "shell") continue;  // keys of pictures, and a shape
      EXPECT_FALSE(says(schema, "\"" + std::string(key) + "\":")) << key;
    }
}

std::vector<std::string> warnings_with(const std::function<void(Scene&)>& change) {
  Scene scene = box_scene();
  scene.gravity = {0, -9.81, 0};
  change(scene);
  return compiled(scene).warnings;
}
bool warned(const std::vector<std::string>& warnings, const std::string& text) {
  for (const std::string& w : warnings)
    if (says(w, text)) return true;
  return false;
}

TEST(Falling, IsWarnedOfWhereNothingHoldsABody) {
  EXPECT_TRUE(warned(warnings_with([](Scene&) {}), "objects.block is not pinned and falls freely: 4.9"));
  const auto is_silent = [](const std::function<void(Scene&)>& change) {
    return !warned(warnings_with(change), "freely");
  };
  EXPECT_TRUE(is_silent([](Scene& s) { s.gravity = {0, 0, 0}; }));
  EXPECT_TRUE(is_silent([](Scene& s) { s.pins = {pin_of(SelectIndices{{0}})}; }));
  EXPECT_TRUE(is_silent([](Scene& s) { s.time.duration = 0.3; })) << "it hardly moves";
  EXPECT_TRUE(is_silent([](Scene& s) {
    s.colliders = {{"floor", ColliderHalfSpace{{0, -1, 0}, {0, 1, 0}}}};
  })) << "the floor catches it";
  EXPECT_TRUE(is_silent([](Scene& s) {
    s.loads = {load_of(SceneLoad::Kind::body_force, {0, 9810, 0}, SelectAll{})};
  })) << "a load carries it";
  EXPECT_TRUE(is_silent([](Scene& s) {
    s.loads = {load_of(SceneLoad::Kind::wind, {}, SelectAll{})};
    s.loads[0].wind.velocity = {0, 100, 0};
  })) << "wind may carry it";
  EXPECT_TRUE(is_silent([](Scene& s) {
    s.pins = {pin_of(SelectIndices{{0}})};
    s.pins[0].release = 0.5;
  })) << "it is let go on purpose";
}

TEST(Falling, IsWarnedOfByBodyAndNotWhereATieReachesAPin) {
  // A second block beside the held one, separate or bound to it.
  const auto two = [](bool bound) {
    return [=](Scene& s) {
      s.objects.push_back(s.objects[0]);
      s.objects[1].name = "other";
      s.objects[1].transform.translate = {1.05, 0, 0};
      s.pins = {pin_of(SelectIndices{{0}})};
      SceneBinding binding;
      binding.bind.object = "other";
      binding.to.object = "block";
      binding.distance = 0.1;
      binding.stiffness = 1e4;
      if (bound) s.bindings = {binding};
    };
  };
  EXPECT_TRUE(warned(warnings_with(two(false)), "objects.other is not pinned and falls freely"));
  EXPECT_FALSE(warned(warnings_with(two(false)), "objects.block is not pinned"));
  EXPECT_FALSE(warned(warnings_with(two(true)), "freely"));
  // Some of the copies are held.
  EXPECT_TRUE(warned(warnings_with([](Scene& s) {
                       s.objects[0].copies = {{3, 1, 1}, {2, 0, 0}};
                       s.pins = {pin_of(SelectIndices{{0}})};
                     }),
                     "objects.block: 2 of its 3 parts are not pinned and fall freely"));
}

TEST(Units, ThatLookLikeMillimetresAndMegapascalsAreWarnedOf) {
  const auto sized = [](double size, double modulus) {
    return warnings_with([=](Scene& s) {
      s.objects[0].mesh = MeshBox{{size, size / 4, size / 4}, {8, 2, 2}, {0, 0, 0}, 5};
      s.materials[0].set("youngs_modulus", modulus);
      s.pins = {pin_of(SelectAll{})};
    });
  };
  const std::string remedy = "lengths are in metres; if these are millimetres";
  EXPECT_TRUE(warned(sized(400, 1e5), "objects.block is 424 m large and weighs 4e+09 kg"));
  EXPECT_TRUE(warned(sized(400, 1e5), remedy));
  EXPECT_TRUE(warned(sized(400, 2e11), remedy)) << "also of steel";
  EXPECT_TRUE(warned(sized(20, 1e5), remedy)) << "a soft beam of 20 mm";
  EXPECT_FALSE(warned(sized(20, 1e9), remedy)) << "a stiff one of 20 m";
  EXPECT_FALSE(warned(sized(0.4, 1e5), remedy));
  const auto of = [](double modulus, double density) {
    return warnings_with([=](Scene& s) {
      s.materials[0].set("youngs_modulus", modulus);
      s.materials[0].density = density;
      s.pins = {pin_of(SelectAll{})};
    });
  };
  EXPECT_TRUE(warned(of(2.1e5, 7850), "if yours is in MPa, write 2.1e+11"));
  EXPECT_TRUE(warned(of(2.1e11, 7.85), "if it is in g/cm^3, write 7850"));
  EXPECT_TRUE(of(2.1e11, 7850).empty());
  EXPECT_TRUE(of(1e5, 1000).empty());
  EXPECT_TRUE(of(1e3, 10).empty());
}

// The scenes of the repository have no warnings; the largest one takes gigabytes.
TEST(Scenes, HaveNoWarnings) {
  for (const auto& entry : std::filesystem::directory_iterator(std::string(SINEW_SOURCE_DIR) + "/scenes")) {
    if (entry.path().extension() != ".json" || entry.path().stem() == "ten_thousand_bodies") continue;
    if (entry.path().stem() == "creatures" || entry.path().stem() == "stretch_twist") continue;  // seconds of meshing
    const Result<Scene> scene = read_scene(entry.path().string());
    ASSERT_TRUE(scene) << scene.error().message();
    const Result<CompiledScene> compiled = compile_scene(*scene, DiskFiles());
    ASSERT_TRUE(compiled) << compiled.error().message();
    for (const std::string& w : compiled->warnings) ADD_FAILURE() << entry.path().stem() << ": " << w;
  }
}

}  // namespace
}  // namespace sinew
