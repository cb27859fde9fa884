// Source: the promises of drive/contact_health.h and of RunStart::notes. Runs whose contact goes wrong in one way each,
// what is said of them, and that what is said to help does.
#include "drive/contact_health.h"

#include <gtest/gtest.h>

#include <string>

#include "compile/contact_notes.h"
#include "contact/contact_stiffness.h"
#include "drive/disk_files.h"
#include "io/says.h"
#include "io/temporary_folder.h"
#include "sinew/check.h"
#include "sinew/run.h"
#include "sinew/scene_file.h"

namespace sinew {
namespace {

// A block of 0.1 m a little above a floor.
std::string block_and(const std::string& more) {
  return R"({ "sinew": 1,
    "materials": { "rubber": { "youngs_modulus": 1e5, "poisson_ratio": 0.3 } },
    "objects": { "block": { "mesh": { "box": { "size": 0.1, "cells": 2 } }, "material": "rubber",
                            "transform": { "translate": [0, 0.02, 0] } } },
    "solver": { "type": "newton", "relative_tolerance": 1e-6 },
    "time": { "fps": 50, "substeps": 1, "duration": 0.4 },
    "output": { "vtu": "none" })" +
         more + "}";
}
const std::string on_floor = R"(, "contact": {}, "colliders": { "floor": { "shape": { "half_space": {} } } })";

Scene scene_of(const std::string& text, const std::vector<std::string>& set = {}) {
  const Result<Scene> scene = parse_scene(text, "block.json", "", set);
  EXPECT_TRUE(scene) << scene.error().message();
  return scene ? *scene : Scene{};
}
std::vector<std::string> ills(const std::string& more, const std::vector<std::string>& set = {}) {
  const Result<RunOutcome> outcome = run_scene(scene_of(block_and(more), set), {}, {});
  EXPECT_TRUE(outcome) << outcome.error().message();
  return outcome ? outcome->warnings : std::vector<std::string>{};
}

TEST(ContactHealth, IsSilentOnRunsThatAreFine) {
  EXPECT_EQ(ills(on_floor), std::vector<std::string>());
  EXPECT_EQ(ills(on_floor, {"contact.law=penalty"}), std::vector<std::string>()) << "it is inside by its law";
}

class ContactHealthOfRuns : public TemporaryFolder {};

// It hits the floor hard, is deepest in the first half, and comes out in the second.
TEST_F(ContactHealthOfRuns, ThatWereResumedCountsWhatWasBefore) {
  Scene scene =
      scene_of(block_and(on_floor), {"contact.stiffness=50", "solver.type=vbd", "objects.block.velocity=[0, -8, 0]"});
  const auto of_contact = [](const Result<RunOutcome>& outcome) {
    EXPECT_TRUE(outcome) << outcome.error().message();
    for (const std::string& warning : outcome ? outcome->warnings : std::vector<std::string>{})
      if (warning.find("surfaces were inside each other") != std::string::npos) return warning;
    return std::string("none");
  };
  const std::string whole = of_contact(run_scene(scene, {.folder = folder() / "whole", .threads = 1}));
  EXPECT_HAS(whole, "of 20 frames, by up to ");
  ASSERT_TRUE(run_scene(scene, {.folder = folder() / "parts", .frames = 12, .threads = 1}));
  EXPECT_EQ(of_contact(run_scene(scene, {.folder = folder() / "parts", .threads = 1, .resume = true})), whole);
}

TEST(ContactHealth, CollidersThatMoveDoWork) {
  const std::string thrown = R"(, "gravity": [0, 0, 0], "colliders": { "bat": {
    "shape": { "box": { "min": [-0.5, -0.2, -0.5], "max": [0.5, 0.01, 0.5] } },
    "motion": { "keyframes": [ { "time": 0 }, { "time": 0.4, "translate": [0, 0.4, 0] } ] } } })";
  EXPECT_EQ(ills(thrown), std::vector<std::string>());
}

TEST(ContactHealth, ASceneIsWarnedOfWhatMayPassThroughABodyInAStep) {
  const auto warnings = [](const std::string& more, const std::vector<std::string>& set = {}) {
    const Result<SceneSummary> summary = check_scene(scene_of(block_and(more), set));
    EXPECT_TRUE(summary) << summary.error().message();
    return summary ? summary->warnings : std::vector<std::string>{};
  };
  const auto flung = [](double way) {
    return R"(, "gravity": [0, 0, 0], "contact": {}, "colliders": { "bat": {
      "shape": { "box": { "min": [-1, -0.2, -1], "max": [-0.9, 0.3, 1] } },
      "motion": { "keyframes": [ { "time": 0.1 }, { "time": 0.12, "translate": [)" +
           std::to_string(way) + R"(, 0, 0] } ] } } })";
  };
  const std::string bat =
      "colliders.bat moves by up to 3 m in a step, and objects.block is 0.1 m thick: it may pass "
      "through unnoticed; take more time.substeps, or contact.guarantee = \"intersection_free\"";
  EXPECT_EQ(warnings(flung(3)), std::vector<std::string>{bat});
  ASSERT_EQ(warnings(flung(0.05)).size(), 1u);
  EXPECT_HAS(warnings(flung(0.05))[0], "its edges may cut into that between vertices unnoticed");
  EXPECT_EQ(warnings(flung(0.004)), std::vector<std::string>());
  const std::string thin = R"(, "gravity": [0, 0, 0], "contact": {}, "colliders": { "wall": {
    "shape": { "box": { "min": [1, -1, -1], "max": [1.01, 1, 1] } } } })";
  const auto shot = [&](const char* velocity) {
    return warnings(thin, {std::string("objects.block.velocity=[") + velocity + ", 0, 0]"});
  };
  ASSERT_EQ(shot("-10").size(), 1u);
  EXPECT_HAS(shot("-10")[0], "objects.block moves by 0.2 m in a step, and colliders.wall is 0.01 m thick");
  EXPECT_EQ(shot("-0.4"), std::vector<std::string>());
}

TEST(ContactHealth, TellsOfMomentumThatSweepsLose) {
  const std::string pair = R"({ "sinew": 1, "gravity": [0, 0, 0],
    "materials": { "m": { "youngs_modulus": 1e5, "model": "fixed_corotated" },
                   "h": { "youngs_modulus": 1e6, "model": "fixed_corotated", "density": 3000 } },
    "objects": { "a": { "mesh": { "box": { "size": 0.1, "cells": 3, "origin": [-0.15, 0, 0] } }, "material": "m",
                        "velocity": [2, 0, 0] },
                 "b": { "mesh": { "ball": { "radius": 0.06, "shells": 3, "center": [0.1, 0.06, 0.05] } },
                        "material": "h", "velocity": [-0.67, 0, 0] } },
    "contact": { "friction": 0.3 }, "time": { "fps": 120, "substeps": 1, "duration": 0.4 },
    "solver": { "type": "vbd", "iterations": 100 }, "output": { "vtu": "none" } })";
  const auto told = [&](const std::vector<std::string>& set) {
    const Result<RunOutcome> outcome = run_scene(scene_of(pair, set), {}, {});
    EXPECT_TRUE(outcome) << outcome.error().message();
    std::string all;
    for (const std::string& sentence : outcome->warnings)
      if (says(sentence, "of momentum")) all += sentence;
    return all;
  };
  EXPECT_HAS(told({}), "N s of momentum: the steps are not converged; use a smaller solver.relative_tolerance, more");
  EXPECT_EQ(told({"solver.relative_tolerance=1e-4", "solver.iterations=2000"}), "");
  EXPECT_EQ(told({"solver={\"type\": \"newton\"}"}), "");
}

TEST(ContactHealth, TellsOfPenetrationsAndWhatHelps) {
  const auto told = [](const std::vector<std::string>& list) {
    for (const std::string& sentence : list)
      if (says(sentence, "inside each other")) return sentence;
    return std::string();
  };
  const std::vector<std::string> hit = {"objects.block.velocity=[0,-8,0]", R"(solver={"type":"vbd","iterations":2})"};
  const std::string sentence = told(ills(on_floor, hit));
  EXPECT_TRUE(says(sentence, "surfaces were inside each other in at least ")) << sentence;
  EXPECT_TRUE(says(sentence, " of 20 frames, by up to 0.0")) << sentence;
  EXPECT_TRUE(says(sentence, " m (at t = 0.")) << sentence;
  EXPECT_TRUE(says(sentence,
                   " s), as far as contacts have found them; sinew check-intersections counts all: use more iterations "
                   "or more time.substeps"))
      << sentence;
  std::vector<std::string> better = hit;
  better[1] = R"(solver={"type":"vbd","iterations":100})";
  better.emplace_back("time.substeps=10");
  EXPECT_EQ(told(ills(on_floor, better)), "") << "the remedy";
}

// Steps of a scene in which everything is scripted, with the guarantee that nothing intersects.
std::vector<std::string> ills_of_scripts(const std::string& more, const std::vector<std::string>& set = {}) {
  const Result<std::unique_ptr<Engine>> made =
      Engine::create(scene_of(block_and(more), set), std::make_shared<DiskFiles>(), std::make_shared<ThreadPool>(1));
  EXPECT_TRUE(made) << made.error().message();
  Engine& engine = **made;
  ContactSurface surface = engine.compiled.contact_surface;
  for (ContactRule& rule : surface.rules) rule.apart = true;
  engine.method.stepper->set_contacts(
      std::make_unique<Contacts>(std::move(surface), contact_stiffness(engine.compiled.model, 1 / (0.02 * 0.02)),
                                 ContactOptions{}, engine.pool),
      engine.compiled.colliders);
  ContactHealth health;
  for (int k = 0; k < 20; ++k) {
    const Result<StepReport> step = engine.advance();
    EXPECT_TRUE(step) << step.error().message();
    health.count(engine, *step);
  }
  return health.warnings(engine);
}

TEST(ContactHealth, NamesTheScriptsThatSomethingIsInTheWayOf) {
  const std::string held = R"(, "pins": [ { "object": "block", "select": "all" } ], "colliders": { "press": {
    "shape": { "box": { "min": [-0.2, 0.2, -0.2], "max": [0.3, 0.3, 0.3] } },
    "motion": { "keyframes": [ { "time": 0 }, { "time": 0.4, "translate": [0, -0.15, 0] } ] } } })";
  const std::vector<std::string> pressed = ills_of_scripts(held);
  ASSERT_FALSE(pressed.empty());
  EXPECT_TRUE(says(pressed[0], "what colliders.press had to do was not done in ")) << pressed[0];
  EXPECT_TRUE(says(pressed[0], " of 20 steps, the first at t = 0.")) << pressed[0];

  const std::string half_space = R"(, "pins": [ { "object": "block", "select": "all" } ], "colliders": { "roof": {
    "shape": { "half_space": { "point": [0, 0.2, 0], "normal": [0, -1, 0] } },
    "motion": { "keyframes": [ { "time": 0 }, { "time": 0.4, "translate": [0, -0.15, 0] } ] } } })";
  const std::vector<std::string> under_it = ills_of_scripts(half_space);
  ASSERT_FALSE(under_it.empty());
  EXPECT_TRUE(says(under_it[0], "what colliders.roof had to do was not done in ")) << under_it[0];

  const std::string pushed = R"(, "pins": [ { "object": "block", "select": "all", "name": "push",
      "motion": { "keyframes": [ { "time": 0 }, { "time": 0.4, "translate": [0, -0.1, 0] } ] } } ],
    "colliders": { "table": { "shape": { "box": { "min": [-0.5, -0.5, -0.5], "max": [0.5, 0, 0.5] } } } })";
  const std::vector<std::string> stopped = ills_of_scripts(pushed);
  ASSERT_FALSE(stopped.empty());
  EXPECT_TRUE(says(stopped[0], "what pins.push had to do was not done")) << stopped[0];
  EXPECT_EQ(ills_of_scripts(pushed, {"pins.0.motion.keyframes.1.translate=[0,-0.01,0]"}), std::vector<std::string>())
      << "the remedy";
}

// The block begins in the floor, and leaves it or not.
TEST(ContactHealth, SaysSinceWhenPairsThatMetAtTheStartAreApart) {
  const auto said = [](const char* velocity) {
    const std::vector<std::string> set = {"objects.block.velocity=" + std::string(velocity), "contact.start=allow",
                                          "objects.block.transform.translate=[0,-0.05,0]", "gravity=[0,0,0]"};
    const Result<std::unique_ptr<Engine>> engine = Engine::create(
        scene_of(block_and(on_floor), set), std::make_shared<DiskFiles>(), std::make_shared<ThreadPool>(1));
    EXPECT_TRUE(engine) << engine.error().message();
    EXPECT_TRUE(says(contact_notes((*engine)->scene, (*engine)->compiled).back(),
                     "objects.block and colliders.floor meet at the start"));
    ContactHealth health;
    for (int k = 0; k < 10; ++k) {
      const Result<StepReport> step = (*engine)->advance();
      EXPECT_TRUE(step) << step.error().message();
      health.count(**engine, *step);
    }
    std::string all;
    for (const std::string& sentence : health.warnings(**engine)) all += sentence + "\n";
    return all;
  };
  EXPECT_TRUE(says(said("[0,2,0]"), "objects.block and colliders.floor meet no more from t = 0.")) << said("[0,2,0]");
  EXPECT_TRUE(says(said("[0,0,0]"), "objects.block and colliders.floor meet still")) << said("[0,0,0]");
}

TEST(ContactHealth, CountsPairsThatCouldNotBeDivided) {
  const Result<std::unique_ptr<Engine>> engine =
      Engine::create(scene_of(block_and(on_floor)), std::make_shared<DiskFiles>(), std::make_shared<ThreadPool>(1));
  ASSERT_TRUE(engine) << engine.error().message();
  ContactHealth health;
  StepReport step;
  for (const int64_t undivided : {0, 4, 7, 0}) {
    step.time += 0.125;
    step.undivided = undivided;
    health.count(**engine, step);
  }
  const std::vector<std::string> list = health.warnings(**engine);
  ASSERT_EQ(list.size(), 1u);
  EXPECT_TRUE(says(list[0], "up to 7 pairs")) << list[0];
  EXPECT_TRUE(says(list[0], "in 2 of 4 steps, the first at t = 0.25 s")) << list[0];
}

TEST(RunStartNotes, SayWhatContactWasChosenToBe) {
  std::vector<std::string> notes;
  RunObserver observer;
  observer.on_start = [&](const RunStart& start) { notes = start.notes; };
  ASSERT_TRUE(run_scene(scene_of(block_and(on_floor), {"contact.radius=0.004"}), {.frames = 0}, observer));
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_TRUE(says(notes[0], "contact: 48 triangles, 1 body, 1 collider; guarantee none")) << notes[0];
  EXPECT_TRUE(says(notes[1], "block with floor: from 0.004 m on, stiffness from that of vertices")) << notes[1];
  ASSERT_TRUE(run_scene(scene_of(block_and("")), {.frames = 0}, observer));
  EXPECT_TRUE(notes.empty());
}

}  // namespace
}  // namespace sinew
