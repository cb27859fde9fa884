// Source: the warnings described in compile/check_compiled.h.
#include <cmath>
#include <numeric>

#include "support/box_scene.h"

namespace sinew {
namespace {

TEST(CompileWarnings, WhatIsSeldomMeant) {
  Scene scene = box_scene();
  scene.time.duration = 0.99;
  scene.gravity = {0, 0, -9.81};
  scene.loads = {load_of(SceneLoad::Kind::body_force, {0, 0, 9810}, SelectAll{})};
  scene.time.quasistatic = true;
  scene.objects[0].velocity = {1, 0, 0};
  const std::vector<std::string> warnings = compiled(scene).warnings;
  ASSERT_EQ(warnings.size(), 4u);
  EXPECT_EQ(warnings[0], "objects.block is held nowhere: its equilibrium is not unique");
  EXPECT_EQ(warnings[1], "time.duration = 0.99 s is 59.4 frames: the run ends after 59");
  EXPECT_EQ(warnings[2], "gravity = [0, 0, -9.81] does not point down, as up is y");
  EXPECT_EQ(warnings[3], "objects.block.velocity has no effect in quasistatics");
}

// From the ratios on at which the mesh locks according to docs/choosing-a-solver.md.
TEST(CompileWarnings, PoissonRatiosThatLock) {
  const auto warning = [](double ratio, int split) {
    Scene scene = box_scene();
    scene.objects[0].mesh = MeshBox{{1, 1, 1}, {2, 2, 2}, {0, 0, 0}, split};
    scene.materials[0].set("poisson_ratio", ratio);
    const std::vector<std::string> warnings = compiled(scene).warnings;
    return warnings.empty() ? "" : warnings[0];
  };
  EXPECT_EQ(warning(0.44, 6), "");
  EXPECT_HAS(warning(0.45, 6), "objects.block has nu = 0.45 (materials.rubber): linear elements lock there");
  EXPECT_HAS(warning(0.45, 6), R"(use "element": "quadratic" with cells twice as large, split = 5, smaller cells)");
  EXPECT_EQ(warning(0.48, 5), "") << "what the warning recommends";
  EXPECT_HAS(warning(0.49, 5), R"(use "element": "quadratic" with cells twice as large, smaller cells, or a lower)");
  Scene scene = box_scene();
  scene.objects[0].mesh = MeshBox{{1, 1, 1}, {2, 2, 2}, {0, 0, 0}, 6};
  scene.materials[0].set("mu", 1);
  scene.materials[0].set("lambda", 99);
  EXPECT_HAS(compiled(scene).warnings.back(), "has nu = 0.495");
  scene.objects[0].quadratic = true;
  EXPECT_TRUE(compiled(scene).warnings.empty()) << "quadratic tets do not lock";
}

// How near to 1/2 a ratio may be, by docs/choosing-a-solver.md.
TEST(CompileWarnings, RatiosThatSolversDoNotBear) {
  const auto warning = [](const char* solver, double ratio) {
    Scene scene = box_scene();
    scene.objects[0].quadratic = true;
    scene.solver.type = solver;
    scene.solver.options = {{"precision", std::string("double")}};
    scene.materials[0].set("poisson_ratio", ratio);
    const std::vector<std::string> warnings = compiled(scene).warnings;
    return warnings.empty() ? "" : warnings[0];
  };
  EXPECT_EQ(warning("multilevel", 0.49999), "");
  EXPECT_HAS(warning("multilevel", 0.499999), "solver.type = \"multilevel\" bears 0.49999 at most; use a lower ratio");
  EXPECT_EQ(warning("newton", 0.4999), "");
  EXPECT_HAS(warning("newton", 0.49999), "solver.type = \"newton\" bears 0.4999 at most; use \"multilevel\"");
}

TEST(CompileWarnings, ListsThatLeaveOutMiddles) {
  Scene scene = box_scene();
  scene.objects[0].mesh = MeshBox{{1, 1, 1}, {1, 1, 1}, {0, 0, 0}, 5};
  scene.objects[0].quadratic = true;
  scene.pins = {{.object = scene.objects[0].name, .select = SelectIndices{{0, 1, 2, 3}}}};
  EXPECT_HAS(compiled(scene).warnings.at(0), "pins.0.select: 5 middles of edges whose two ends are listed are free");
  std::vector<int64_t> all(26);
  std::iota(all.begin(), all.end(), 0);
  scene.pins[0].select = SelectIndices{all};
  for (const std::string& warning : compiled(scene).warnings)
    EXPECT_EQ(warning.find("middles of edges"), std::string::npos) << "of whom all are listed";

  scene.pins.clear();
  for (const SceneLoad::Kind kind : {SceneLoad::Kind::force, SceneLoad::Kind::acceleration}) {
    scene.loads = {{.kind = kind,
                    .object = scene.objects[0].name,
                    .select = SelectIndices{{0, 1, 2, 3}},
                    .value = {0, 1, 0},
                    .curve = LoadCurve{{0, 1}, {0, 1}}}};
    EXPECT_HAS(compiled(scene).warnings.at(0),
               "loads.0.select: 5 middles of edges whose two ends are listed get nothing");
    scene.loads[0].select = SelectIndices{all};
    for (const std::string& warning : compiled(scene).warnings)
      EXPECT_EQ(warning.find("middles of edges"), std::string::npos) << "of whom all are listed";
  }
}

TEST(CompileWarnings, WhatQuadraticTetsTakeOtherwise) {
  Scene scene = box_scene();
  scene.objects[0].quadratic = true;
  scene.solver.options = {{"precision", std::string("single")}};
  scene.materials[0].set("poisson_ratio", 0.4999);
  EXPECT_HAS(compiled(scene).warnings.at(0), "materials.rubber: Poisson's ratio = 0.4999 of quadratic tets: single");
  scene.solver.options = {{"precision", std::string("double")}};
  EXPECT_TRUE(compiled(scene).warnings.empty()) << "what it recommends";
  scene.solver.options.push_back({"multipliers", false});
  EXPECT_TRUE(compiled(scene).warnings.empty()) << "of quadratic tets";
  scene.objects[0].quadratic = false;
  scene.materials[0].set("poisson_ratio", 0.3);
  EXPECT_HAS(compiled(scene).warnings.at(0), "solver.multipliers = false has no effect: no object has");
  scene.objects[0].quadratic = true;
  scene.materials[0].set("poisson_ratio", 0.4999);
  scene.solver.options.pop_back();
  scene.materials[0].model = "stvk";
  EXPECT_HAS(compiled(scene).warnings.at(0), R"(materials.rubber.model = "stvk": at Poisson's ratio = 0.4999)");
  scene.materials[0].set("poisson_ratio", 0.33);
  EXPECT_TRUE(compiled(scene).warnings.empty());
}

TEST(CompileWarnings, MultipliersAloneThatGrowWithoutLimit) {
  Scene scene = box_scene();
  scene.solver.type = "xpbd";
  scene.solver.accelerator = "anderson";
  scene.solver.accelerator_options = {{"on", std::string("multipliers")}};
  const auto is_said = [&] {
    for (const std::string& w : compiled(scene).warnings)
      if (w.find("solver.accelerator.on = \"multipliers\" grows without limit beyond 0.15") != std::string::npos)
        return true;
    return false;
  };
  for (const bool quadratic : {false, true}) {
    scene.objects[0].quadratic = quadratic;
    scene.materials[0].set("youngs_modulus", 1e8);
    EXPECT_TRUE(is_said());
    scene.materials[0].set("youngs_modulus", 10);
    EXPECT_FALSE(is_said());
  }
  scene.materials[0].set("youngs_modulus", 1e8);
  scene.solver.accelerator_options = {{"on", std::string("both")}};
  EXPECT_FALSE(is_said()) << "the remedy";
}

TEST(CompileWarnings, ValuesThatMakeNoSense) {
  const auto warning = [](const std::function<void(Scene&)>& change) {
    Scene scene = box_scene();
    scene.gravity = {0, -9.81, 0};
    scene.time.duration = 0.25;  // nothing falls far
    EXPECT_TRUE(compiled(scene).warnings.empty());
    change(scene);
    std::string all;
    for (const std::string& w : compiled(scene).warnings) all += w + "\n";
    return all;
  };
  EXPECT_HAS(warning([](Scene& s) { s.materials[0].set("youngs_modulus", 1e15); }),
             "materials.rubber.youngs_modulus = 1e+15 Pa: implausible for a solid");
  EXPECT_HAS(warning([](Scene& s) { s.materials[0].set("youngs_modulus", 1e-2); }),
             "objects.block: its own weight (density * gravity * size = 1.7e+04 Pa) is 1.7e+06 times what rubber has");
  // Moduli in Pa as factors of a material of 1 Pa; and a body that is soft only by its factors.
  const TemporaryFile moduli("moduli.txt", "1e5 1e5 1e5 1e5 2e5"), soft("soft.txt", "1e-7 1e-7 1e-7 1e-7 1e-7");
  const auto with_factors = [](const TemporaryFile& file, double modulus) {
    return [&file, modulus](Scene& s) {
      s.base_folder = file.folder();
      s.objects[0].mesh = MeshBox{{1, 1, 1}, {1, 1, 1}, {0, 0, 0}, 5};
      s.objects[0].stiffness_factors = FactorFile{file.name()};
      s.materials[0].set("youngs_modulus", modulus);
    };
  };
  EXPECT_EQ(warning(with_factors(moduli, 1)), "");
  EXPECT_HAS(warning(with_factors(soft, 1e5)), "is 1.7e+06 times what rubber has in stiffness");
  EXPECT_HAS(warning([](Scene& s) { s.materials[0].density = 1e7; }), "materials.rubber.density = 1e+07 kg/m^3");
  EXPECT_HAS(warning([](Scene& s) {
               s.gravity = {0, -1e12, 0};
             }),
             "objects.block: velocity, gravity and loads move it by 2.78e+08 m in a step of 0.0166667 s");
  EXPECT_HAS(warning([](Scene& s) { s.objects[0].velocity = {1e6, 0, 0}; }), "move it by 1.67e+04 m in a step");
  EXPECT_HAS(warning([](Scene& s) { s.solver.type = "xpbd"; }),
             "objects.block: xpbd with neo_hookean in steps of 0.0166667 s lets it shrink by");
  EXPECT_EQ(warning([](Scene& s) { s.solver.type = "xpbd", s.materials[0].model = "fixed_corotated"; }), "");
  EXPECT_EQ(warning([](Scene& s) { s.solver.type = "xpbd", s.time.substeps = 40; }), "");
  EXPECT_HAS(warning([](Scene& s) { s.time.frame_dt = 1e3, s.time.duration = 1e4; }), "in a step of 1000 s");
  EXPECT_EQ(warning([](Scene& s) { s.solver.type = "newton", s.solver.cluster_vertices = 9; }),
            "solver.cluster_vertices = 9 has no effect on newton, which does not sweep the mesh in pieces\n");
  EXPECT_EQ(warning([](Scene& s) { s.solver.cluster_vertices = 9; }), "");
  EXPECT_HAS(warning([](Scene& s) {
               s.objects[0].transform.scale = {1e9, 1e9, 1e9};
               s.solver.options = {{"precision", std::string("double")}};
             }),
             "lengths are in metres");
  EXPECT_HAS(warning([](Scene& s) {
               s.objects[0].transform.translate = {1e5, 0, 0};
               s.solver.options = {{"precision", std::string("single")}};
             }),
             "objects.block: 1e+05 m from the origin single precision resolves only 0.0119 m");
  // With so short a step single precision loses the fall: a body in the air would stay there.
  EXPECT_HAS(warning([](Scene& s) { s.time.frame_dt = 1e-5, s.time.duration = 1e-4; }),
             "objects.block: gravity and loads move it by 9.81e-10 m in a step of 1e-05 s");
  EXPECT_EQ(warning([](Scene& s) {
              s.time.frame_dt = 1e-5, s.time.duration = 1e-4;
              s.solver.options = {{"precision", std::string("double")}};
            }),
            "");
  EXPECT_EQ(warning([](Scene& s) {
              s.objects[0].stretch = {1, 0, 1};
            }),
            "objects.block.stretch = [1, 0, 1]: presses the body flat\n");
  EXPECT_EQ(warning([](Scene& s) {
              s.objects[0].stretch = {1, -2, 1};
            }),
            "objects.block.stretch = [1, -2, 1]: turns the body inside out\n");
  EXPECT_EQ(warning([](Scene& s) { s.objects[0].stretch = {-1, -1, 1}; }), "") << "half a turn";
  EXPECT_EQ(warning([](Scene& s) {
              s.pins = {pin_of(SelectAll{})};
              s.pins[0].motion.keyframes = {{0.5, {}, 0, {1, 1, -1}}};
            }),
            "pins.0.motion.keyframes.0.scale = [1, 1, -1]: takes the held vertices through a flat state\n");
  EXPECT_EQ(warning([](Scene& s) {
              s.pins = {pin_of(SelectAll{})};
              s.pins[0].release = 0.01;
            }),
            "pins.0.release = 0.01 s is not after the first step, at 0.0166667 s: it holds nothing\n");
}

// By E h^2 / (density edge^2), from the value at which the study at `carried_by_iteration` found bodies to hang too
// low.
TEST(CompileWarnings, BodiesTooStiffForTheIterations) {
  const auto warning = [](const char* solver, double modulus, const std::function<void(Scene&)>& change = {}) {
    Scene scene = box_scene();
    scene.gravity = {0, -9.81, 0};
    scene.time.duration = 0.25;
    scene.objects[0].mesh = MeshBox{{1, 1, 1}, {4, 4, 4}, {0, 0, 0}, 5};
    scene.materials[0].set("youngs_modulus", modulus);
    scene.solver.type = solver;
    scene.pins = {pin_of(SelectIndices{{0}})};
    if (change) change(scene);
    std::string all;
    for (const std::string& w : compiled(scene).warnings) all += w + "\n";
    return all;
  };
  EXPECT_EQ(warning("b_pxpbd", 2.3e6), "");
  EXPECT_HAS(warning("b_pxpbd", 2.8e6),
             "objects.block: E h^2 / (density edge^2) = 11, and 20 iterations of b_pxpbd carry forces through no more "
             "than 10: it hangs as if it were soft; take the solver multilevel, or time.substeps = 2");
  EXPECT_EQ(warning("b_pxpbd", 2.8e6, [](Scene& s) { s.time.substeps = 2; }), "") << "what it recommends";
  EXPECT_EQ(warning("b_pxpbd", 2.8e6, [](Scene& s) { s.solver.options = {{"iterations", 40.0}}; }), "");
  EXPECT_EQ(warning("b_pxpbd", 2.8e6, [](Scene& s) { s.pins.clear(); }), "") << "nothing holds it, and it falls as one";
  EXPECT_EQ(warning("fp_pxpbd", 2.3e7), "");
  EXPECT_HAS(warning("fp_pxpbd", 2.8e7), "200 iterations of fp_pxpbd carry forces through no more than 1e+02");
  EXPECT_EQ(warning("multilevel", 2.8e7), "");
}

// A pinned bar had lost half of its volume after 200 iterations.
TEST(CompileWarnings, NeoHookeanInPseudoTime) {
  Scene scene = box_scene();
  scene.time.quasistatic = true;
  scene.time.duration = 0.25;
  scene.pins = {pin_of(SelectIndices{{0}})};
  scene.solver.type = "xpbd_qs";
  ASSERT_EQ(compiled(scene).warnings.size(), 1u);
  EXPECT_HAS(compiled(scene).warnings[0], "objects.block: xpbd_qs with neo_hookean lets it shrink even at rest");
  scene.materials[0].model = "fixed_corotated";
  EXPECT_TRUE(compiled(scene).warnings.empty()) << "what it recommends";
}

TEST(CompileWarnings, PinsThatShareVertices) {
  Scene scene = box_scene();
  scene.gravity = {0, -9.81, 0};
  scene.pins = {pin_of(SelectAll{}), pin_of(SelectIndices{{0, 1}}), pin_of(SelectIndices{{1}})};
  EXPECT_EQ(compiled(scene).warnings, (std::vector<std::string>{"pins.1 shares 2 vertices with pins.0 and wins there",
                                                                "pins.2 shares 1 vertex with pins.1 and wins there"}));
  scene.pins[1].release = 0.5;
  EXPECT_EQ(compiled(scene).warnings,
            (std::vector<std::string>{"pins.1 shares 2 vertices with pins.0 and wins there; from 0.5 s on pins.0 holds "
                                      "them again, where its own motion says",
                                      "pins.2 shares 1 vertex with pins.1 and wins there"}));
  scene.pins = {pin_of(SelectIndices{{0}}), pin_of(SelectIndices{{1}})};
  EXPECT_TRUE(compiled(scene).warnings.empty());
}

TEST(CompileWarnings, BodiesInTheSamePlace) {
  Scene scene = box_scene();
  scene.gravity = {0, -9.81, 0};
  scene.time.duration = 0.25;
  scene.objects[0].copies = {{1, 3, 2}, {0, 0, 2}};
  const std::vector<std::string> warnings = compiled(scene).warnings;
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_HAS(warnings[0], "objects.block.copies: 3 bodies along y lie in the same place");
  // Each body is judged by its own size, not by that of the rows.
  scene.objects[0].copies = {{100, 1, 1}, {1e3, 0, 0}};
  for (const std::string& w : compiled(scene).warnings) EXPECT_EQ(w.find("its own weight"), std::string::npos) << w;
}

TEST(CompileWarnings, AcceleratedSweepsThatAreNotAlike) {
  const auto warnings = [](const char* order, const char* accelerator) {
    Scene scene = box_scene();
    scene.solver.type = "vbd";
    scene.solver.accelerator = accelerator;
    scene.solver.options.push_back({"sweep_order", std::string(order)});
    std::string all;
    for (const std::string& w : compiled(scene).warnings) all += w + "\n";
    return all;
  };
  for (const char* order : {"symmetric", "random"}) {
    EXPECT_EQ(warnings(order, "none"), "");
    EXPECT_HAS(warnings(order, "anderson"), "anderson gains more from forward or backward ones");
  }
  for (const char* order : {"forward", "backward"}) EXPECT_EQ(warnings(order, "anderson"), "");
}

TEST(CompileWarnings, LayoutsThatAMaterialCannotHave) {
  const auto warnings = [](const char* layout, const std::function<void(Scene&)>& change) {
    Scene scene = box_scene();
    scene.gravity = {0, -9.81, 0};
    scene.time.duration = 0.25;
    scene.solver.options.push_back({"layout", std::string(layout)});
    change(scene);
    std::string all;
    for (const std::string& w : compiled(scene).warnings) all += w + "\n";
    return all;
  };
  EXPECT_EQ(warnings("packed", [](Scene&) {}), "");
  EXPECT_EQ(warnings("frames", [](Scene& s) { s.materials[0].model = "stvk"; }), "");
  EXPECT_HAS(warnings("links", [](Scene& s) { s.materials[0].model = "stvk"; }), "stvk is swept as rest frames");
  EXPECT_HAS(warnings("links", [](Scene& s) { s.materials[0].damping = 0.01; }),
             "with damping is swept as rest frames");
  EXPECT_HAS(warnings("packed",
                      [](Scene& s) {
                        s.solver.options.push_back({"precision", std::string("double")});
                      }),
             "strips are packed in single precision only");
  const auto factors = [](Scene& s) {
    std::vector<double> values(40, 1.0);
    values[0] = 2;
    s.objects[0].stiffness_factors = FactorList{values};
  };
  EXPECT_HAS(warnings("packed", factors), "with them is swept in full strips");
  EXPECT_EQ(warnings("links", factors), "");
}

TEST(CompileWarnings, EdgesOfCollidersThatMoveFar) {
  Scene scene = box_scene();
  scene.contact = ContactSettings{};
  scene.contact->radius = 0.02;
  scene.time.frame_dt = 0.01;
  scene.colliders.push_back({.name = "ram", .shape = ColliderBox{{-4, 0.2, 0.2}, {-2, 0.8, 0.8}}});
  scene.colliders[0].motion.smooth = false;
  const auto warned = [&](double speed) {
    scene.colliders[0].motion.keyframes = {{0, {0, 0, 0}, 0, {1, 1, 1}}, {1, {speed, 0, 0}, 0, {1, 1, 1}}};
    for (const std::string& warning : compiled(scene).warnings)
      if (warning.find("its edges may cut into that between vertices unnoticed") != std::string::npos) return true;
    return false;
  };
  EXPECT_FALSE(warned(0.9));
  EXPECT_TRUE(warned(1.2));
  scene.colliders[0].shape = ColliderSphere{{-3, 0.5, 0.5}, 1};
  EXPECT_FALSE(warned(1.2)) << "it has no edges";
}

TEST(CompileWarnings, TetsThatRoundingMayTurnInsideOut) {
  Scene scene = box_scene();
  MeshArrays mesh;
  const auto with_height = [&](double height) {
    mesh.vertices = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0.3, 0.3, height, 0.3, 0.3, -1};
    mesh.tets = {0, 1, 2, 3, 0, 2, 1, 4};
    scene.objects[0].mesh = mesh;
    for (const std::string& warning : compiled(scene).warnings)
      if (warning.find(": 1 of its tets are so flat that rounding of") != std::string::npos) return true;
    return false;
  };
  EXPECT_TRUE(with_height(1e-9));
  EXPECT_FALSE(with_height(1e-4));
  scene.solver.options = {{"precision", std::string("double")}};
  EXPECT_FALSE(with_height(1e-9));
}

TEST(CompileWarnings, ContactsTooSoftForTheWeightOnThem) {
  Scene scene = box_scene();
  scene.contact = ContactSettings{};
  scene.gravity = {0, -9.81, 0};
  scene.colliders.push_back({.name = "floor", .shape = ColliderHalfSpace{{0, -1, 0}, {0, 1, 0}}});
  const auto warned = [&] {
    for (const std::string& warning : compiled(scene).warnings)
      if (warning.find("were it on all vertices of its surface at once: it sinks in") != std::string::npos) return true;
    return false;
  };
  EXPECT_FALSE(warned());
  for (const ContactLaw law : {ContactLaw::offset, ContactLaw::penalty}) {
    scene.contact->law = law;
    scene.contact->stiffness = 1e-9;
    EXPECT_TRUE(warned());
    scene.contact->stiffness = 1e6;
    EXPECT_FALSE(warned());
  }
  scene.contact->stiffness = 1e-9;
  scene.colliders[0].contact.stiffness = 1e6;
  scene.colliders.push_back({.name = "wall", .shape = ColliderHalfSpace{{-9, 0, 0}, {1, 0, 0}}});
  scene.colliders[1].contact.stiffness = 1e-9;
  EXPECT_FALSE(warned()) << "the floor carries it";
  scene.colliders = {{.name = "floor", .shape = ColliderHalfSpace{{0, -1, 0}, {0, 1, 0}}}};
  EXPECT_TRUE(warned());
  scene.gravity = {};
  EXPECT_FALSE(warned()) << "nothing presses";
  scene.gravity = {0, -9.81, 0};
  scene.pins = {pin_of(SelectAll{})};
  EXPECT_FALSE(warned()) << "it is held";
}

TEST(CompileWarnings, FrictionAndFallsThatContactDoesNotBear) {
  Scene scene = box_scene();
  scene.contact = ContactSettings{};
  scene.colliders.push_back({.name = "floor", .shape = ColliderHalfSpace{{0, -1, 0}, {0, 1, 0}}});
  const auto has = [&](const char* part) {
    for (const std::string& warning : compiled(scene).warnings)
      if (warning.find(part) != std::string::npos) return true;
    return false;
  };
  scene.contact->friction = 100;
  EXPECT_FALSE(has("friction"));
  scene.contact->friction = 1e4;
  EXPECT_TRUE(has("friction = 1e+04: beyond 100 bodies may sink into each other"));
  scene.contact->friction = 0.5;
  const char* const falls = "times its size: where it touches something it may fly apart; take more time.substeps";
  EXPECT_FALSE(has(falls));
  scene.gravity = {0, -1e7, 0};
  scene.time.frame_dt = 0.002;
  EXPECT_TRUE(has(falls));
}

}  // namespace
}  // namespace sinew
