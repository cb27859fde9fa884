// Source: what sinew/experiment.h says; a bar of 40 tets.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "io/temporary_folder.h"
#include "render/render.h"
#include "sinew/experiment.h"

namespace sinew {
namespace {

const std::string scene = R"({
    "sinew": 1, "name": "bar", "time": { "frame_dt": 0.01 },
    "materials": { "rubber": { "youngs_modulus": 1000, "density": 10 } },
    "objects": { "bar": { "mesh": { "box": { "size": [0.4, 0.1, 0.1], "cells": [8, 1, 1] } }, "material": "rubber" } },
    "pins": [{ "object": "bar", "select": { "box": { "min": [0, 0, 0], "max": [0, 0.1, 0.1] } } }],
    "probes": { "tip": { "object": "bar", "select": { "box": { "min": [0.4, 0, 0], "max": [0.4, 0.1, 0.1] } } } }
  })";
const std::string runs = R"({
    "main": { "methods": { "vbd": "vbd:precision=double", "few": { "method": "vbd:precision=double", "iterations": 2 } },
              "iterations": 50, "frames": 3 },
    "mesh": { "set": ["objects.bar.mesh.box.cells=[4, 1, 1]"], "colors": true }
  })";

std::string experiment(const std::string& claims, const std::string& with_scene = scene,
                       const std::string& with_runs = runs) {
  return R"({ "title": "a bar", "source": "this test", "scene": )" + with_scene + R"(, "runs": )" + with_runs +
         R"(, "claims": )" + claims + "}";
}

class Reproduce : public TemporaryFolder {
 protected:
  Result<Experiment> read(const std::string& text) {
    const std::filesystem::path path = folder() / "bar.json";
    std::ofstream(path) << text;
    return read_experiment(path);
  }
  std::string fault_of(const std::string& text) {
    const Result<Experiment> read_one = read(text);
    EXPECT_FALSE(read_one.ok()) << text;
    return read_one.ok() ? "" : read_one.error().message();
  }
};

TEST_F(Reproduce, JudgesWhatItMeasures) {
  const Result<Experiment> bar = read(experiment(R"J([
      { "says": "VBD converges", "holds": "last(main.vbd.residual) < 1e-3 * first(main.vbd.residual)" },
      { "says": "two iterations do as well", "holds": "last(main.few.frames.error) <= last(main.vbd.frames.error)", "paper": "no" },
      { "says": "the tip sinks", "holds": "last(main.vbd.frames.tip_y) < 0.05 and last(main.reference.frames.tip_y) < 0.05" },
      { "says": "three frames, 20 tets", "holds": "count(main.vbd.frames.residual) >= 3 and mesh.tets <= 20 and mesh.vertex_colors >= 4" },
      { "says": "the volume stays", "holds": "abs(last(main.vbd.volume) - 1) < 0.01" }])J"));
  ASSERT_TRUE(bar.ok()) << bar.error().message();
  const Result<ExperimentOutcome> outcome = reproduce(*bar, {.threads = 1});
  ASSERT_TRUE(outcome.ok()) << outcome.error().message();
  ASSERT_EQ(outcome->verdicts.size(), 5u);
  for (const size_t k : {0, 2, 3, 4}) EXPECT_TRUE(outcome->verdicts[k].holds) << outcome->verdicts[k].claim.says;
  EXPECT_FALSE(outcome->verdicts[1].holds);
  const std::string text = outcome_text(*outcome);
  EXPECT_NE(text.find("holds          VBD converges"), std::string::npos) << text;
  EXPECT_NE(text.find("does not hold  two iterations do as well"), std::string::npos) << text;
  EXPECT_NE(text.find("the paper: no"), std::string::npos) << text;

  const auto written = write_outcome(*outcome, folder() / "results" / "bar", false);
  ASSERT_TRUE(written.ok()) << written.error().message();
  EXPECT_TRUE(std::filesystem::exists(folder() / "results/bar/result.json"));
  EXPECT_TRUE(std::filesystem::exists(folder() / "results/bar/main/trajectory.csv"));
  const std::vector<ExperimentOutcome> outcomes{*outcome};
  ASSERT_TRUE(write_reproduction_page(outcomes, folder() / "results", folder() / "page.md").ok());
  std::stringstream page;
  page << std::ifstream(folder() / "page.md").rdbuf();
  EXPECT_NE(page.str().find("5 claims, of which 4 hold"), std::string::npos) << page.str();
  EXPECT_NE(page.str().find("**does not hold**"), std::string::npos);
}

TEST_F(Reproduce, ShowsBodiesWhereAsked) {
  const auto bar = read(experiment(R"([{ "says": "a", "holds": "1 < 2" }])", scene, R"({
      "moving": { "methods": { "vbd": "vbd", "pbng": "pbng", "xpbd": "xpbd" }, "iterations": 5, "frames": 3, "picture": 2 },
      "still": { "methods": { "vbd": "vbd" }, "iterations": 5 } })"));
  ASSERT_TRUE(bar.ok()) << bar.error().message();
  const auto outcome = reproduce(*bar, {.threads = 1, .record_to = folder() / "results/bar"});
  ASSERT_TRUE(outcome.ok()) << outcome.error().message();
  EXPECT_TRUE(std::filesystem::exists(folder() / "results/bar/moving/runs"));
  EXPECT_FALSE(std::filesystem::exists(folder() / "results/bar/still/runs"));
  if (!render_available()) GTEST_SKIP() << "this build draws no bodies";
  const auto written = write_outcome(*outcome, folder() / "results/bar");
  if (!written.ok()) GTEST_SKIP() << written.error().message();  // no gnuplot
  EXPECT_GT(std::filesystem::file_size(folder() / "results/bar/moving/bodies.png"), 1000u);
  EXPECT_FALSE(std::filesystem::exists(folder() / "results/bar/moving/stills"));
  ASSERT_TRUE(write_reproduction_page(std::vector{*outcome}, folder() / "results", folder() / "page.md").ok());
  EXPECT_TRUE(std::filesystem::exists(folder() / "images/page/bar-moving-bodies.png"));
}

// What a run does at the paper's size, and what is run and judged only there.
TEST_F(Reproduce, AtFullSizeRunsAsDescribed) {
  const Result<Experiment> bar = read(experiment(R"J([
      { "says": "it has tets", "holds": "main.tets > 0" },
      { "says": "the fine one too", "holds": "fine.tets > main.tets", "full_only": true }])J",
                                                 scene, R"({
    "main": { "methods": { "vbd": "vbd" }, "iterations": 3, "steps": 1, "reference": false,
              "full": { "set": ["objects.bar.mesh.box.cells=[4, 1, 1]"], "iterations": 5, "steps": 2 } },
    "fine": { "methods": { "vbd": "vbd" }, "iterations": 3, "reference": false, "full_only": true } })"));
  ASSERT_TRUE(bar.ok()) << bar.error().message();
  const auto run = [&](bool full) {
    const Result<ExperimentOutcome> outcome = reproduce(*bar, {.full = full, .threads = 1});
    EXPECT_TRUE(outcome.ok()) << outcome.error().message();
    return outcome.ok() ? *outcome : ExperimentOutcome{};
  };
  const ExperimentOutcome small = run(false), full = run(true);
  ASSERT_EQ(small.comparisons.size(), 1u);
  ASSERT_EQ(small.verdicts.size(), 1u);
  ASSERT_EQ(full.comparisons.size(), 2u);
  ASSERT_EQ(full.verdicts.size(), 2u);
  EXPECT_TRUE(full.verdicts[1].holds);
  const Comparison &few = small.comparisons[0].second, &many = full.comparisons[0].second;
  EXPECT_EQ(few.curves.at(0).points.size(), 4u);  // and the start
  EXPECT_EQ(many.curves.at(0).points.size(), 6u);
  EXPECT_EQ(few.steps, 1);
  EXPECT_EQ(many.steps, 2);
  EXPECT_EQ(few.tets, 40);
  EXPECT_EQ(many.tets, 20);
}

TEST_F(Reproduce, SaysWhatIsWrongWithADescription) {
  const std::string claims = R"([{ "says": "a", "holds": "1 < 2" }])";
  EXPECT_NE(fault_of("{ ").find("bar.json"), std::string::npos);
  EXPECT_NE(fault_of(R"({ "titel": "a" })").find("titel: unknown key"), std::string::npos);
  EXPECT_NE(fault_of(R"({ "title": "a" })").find("claims: missing"), std::string::npos);
  EXPECT_NE(fault_of(experiment("[]")).find("claims: there are none"), std::string::npos);
  EXPECT_NE(fault_of(experiment(claims, "3")).find("scene is a number"), std::string::npos);
  EXPECT_NE(fault_of(experiment(claims, scene, R"({ "main": {} })")).find("does nothing"), std::string::npos);
  EXPECT_NE(
      fault_of(experiment(claims, scene, R"({ "main": { "methods": { "a": "vbd" }, "steps": 2, "picture": 3 } })"))
          .find("runs.main.picture: must be 0 to 2"),
      std::string::npos);
  EXPECT_NE(fault_of(experiment(claims, scene, R"({ "Main": { "colors": true } })")).find("no name for claims"),
            std::string::npos);
}

TEST_F(Reproduce, SaysWhatIsWrongWithARun) {
  const auto fault = [&](const std::string& with_runs, const std::string& holds) {
    const Result<Experiment> bar =
        read(experiment(R"([{ "says": "it is so", "holds": ")" + holds + R"(" }])", scene, with_runs));
    EXPECT_TRUE(bar.ok()) << bar.error().message();
    const Result<ExperimentOutcome> outcome = reproduce(*bar, {.threads = 1});
    EXPECT_FALSE(outcome.ok());
    return outcome.ok() ? "" : outcome.error().message();
  };
  EXPECT_NE(fault(R"({ "main": { "methods": { "a": "vdb" } } })", "1 < 2").find("vbd"), std::string::npos);
  EXPECT_NE(fault(R"({ "main": { "methods": { "a": "vbd,xpbd" } } })", "1 < 2").find("more than one"),
            std::string::npos);
  EXPECT_NE(fault(R"({ "main": { "set": ["gravty=0"], "colors": true } })", "1 < 2").find("gravity"),
            std::string::npos);
  EXPECT_NE(fault(R"({ "main": { "colors": true } })", "main.tet < 2").find("main.tets"), std::string::npos);
}

}  // namespace
}  // namespace sinew
