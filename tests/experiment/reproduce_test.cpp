// Source: the promises of sinew/experiment.h; a bar of 40 tets.
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

// A claim that holds for some cells and not for others, one about a run that is not swept, and one that always holds.
TEST_F(Reproduce, SweepsWhatPapersLeaveOpen) {
  const std::string swept = R"J({ "title": "a bar", "source": "this test", "scene": )J" + scene + R"J(, "runs": {
      "main": { "methods": { "vbd": "vbd:precision=double" }, "iterations": 3, "reference": false },
      "other": { "methods": { "vbd": "vbd:precision=double" }, "iterations": 3, "reference": false } },
    "sweeps": [{ "over": "the cells along the bar", "runs": ["main"], "values": {
      "4": ["objects.bar.mesh.box.cells=[4, 1, 1]"], "8": [], "16": ["objects.bar.mesh.box.cells=[16, 1, 1]"] } }],
    "claims": [{ "says": "few", "holds": "main.tets <= 40" }, { "says": "other", "holds": "other.tets > main.tets" },
               { "says": "some", "holds": "main.tets > 0" }] })J";
  const auto bar = read(swept);
  ASSERT_TRUE(bar.ok()) << bar.error().message();
  ASSERT_TRUE(reproduce(*bar, {.threads = 1})->verdicts[0].swept.empty()) << "only where asked for";
  double share = 0;
  const auto outcome = reproduce(*bar, {.sweeps = true, .threads = 1}, {.on_progress = [&](const Progress& now) {
    EXPECT_GE(now.share, share);
    share = now.share;
  }});
  ASSERT_TRUE(outcome.ok()) << outcome.error().message();
  EXPECT_LE(share, 1);
  ASSERT_EQ(outcome->verdicts[0].swept.size(), 1u);
  using Holds = std::vector<std::pair<std::string, bool>>;
  EXPECT_EQ(outcome->verdicts[0].swept[0].holds, (Holds{{"4", true}, {"8", true}, {"16", false}}));
  EXPECT_TRUE(outcome->verdicts[1].swept.empty());
  EXPECT_EQ(outcome->verdicts[2].swept[0].holds, (Holds{{"4", true}, {"8", true}, {"16", true}}));
  EXPECT_NE(outcome_text(*outcome).find("over the cells along the bar: holds at 4, 8; not at 16"), std::string::npos);
  ASSERT_TRUE(write_outcome(*outcome, folder() / "results" / "bar", false).ok());
  std::stringstream result;
  result << std::ifstream(folder() / "results/bar/result.json").rdbuf();
  EXPECT_NE(result.str().find("\"swept\""), std::string::npos);
}

TEST_F(Reproduce, NamesFaultsOfSweeps) {
  const auto with = [&](const std::string& sweep) {
    return R"J({ "title": "a bar", "source": "this test", "scene": )J" + scene + R"J(, "runs": )J" + runs +
           R"J(, "sweeps": [)J" + sweep + R"J(], "claims": [{ "says": "a", "holds": "main.tets > 0" }] })J";
  };
  EXPECT_NE(fault_of(with(R"({ "over": "x", "runs": ["mian"], "values": { "1": [] } })")).find("sweeps.0.runs.0"),
            std::string::npos);
  EXPECT_NE(fault_of(with(R"({ "over": "x", "values": {} })")).find("sweeps.0.values: there are none"),
            std::string::npos);
  EXPECT_NE(fault_of(with(R"({ "values": { "1": [] } })")).find("sweeps.0.over: missing"), std::string::npos);
  const auto check = [&](const std::string& sweep) {
    const auto bar = read(with(sweep));
    EXPECT_TRUE(bar.ok());
    const Status good = check_experiment(*bar, false);
    EXPECT_FALSE(good.ok());
    return good.ok() ? "" : good.error().message();
  };
  EXPECT_NE(check(R"({ "over": "x", "values": { "1": ["gravty=[0, 0, 0]"] } })").find("sweeps.0.values.1.0"),
            std::string::npos);
  EXPECT_NE(check(R"({ "over": "x", "runs": ["mesh"], "values": { "1": [] } })").find("no claim is about these runs"),
            std::string::npos);
}

// The changes at the paper's size, and what is run and judged only there.
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
  EXPECT_NE(
      fault_of(experiment(claims, scene, R"({ "Main": { "colors": true } })")).find("not a valid name for claims"),
      std::string::npos);
}

TEST_F(Reproduce, SaysWhatIsNoDescription) {
  EXPECT_NE(fault_of(std::string("\0\1\2 {", 5)).find("bar.json: is no experiment but a binary file"),
            std::string::npos);
  EXPECT_NE(fault_of("[]").find("bar.json: is a list, not an object"), std::string::npos);
  EXPECT_NE(fault_of(" \n").find("bar.json: is empty"), std::string::npos);
  EXPECT_NE(fault_of("title").find("does not begin with {"), std::string::npos);
}

TEST_F(Reproduce, RefusesWhatContradictsItself) {
  const auto fault = [&](const std::string& keys) {
    return fault_of(experiment(R"([{ "says": "a", "holds": "1 < 2" }])", scene,
                               R"({ "main": { "methods": { "a": "vbd" }, )" + keys + " } }"));
  };
  for (const auto& [keys, where] :
       {std::pair{R"("frames": 2, "steps": 3)", "bar.json: runs.main.frames: runs.main.steps is there too"},
        {R"("budget_ms": 5, "iterations": 3)", "bar.json: runs.main.budget_ms: runs.main.iterations is there too"},
        {R"("full": { "frames": 2, "steps": 3 })", "runs.main.full.frames: runs.main.full.steps is there too"},
        {R"("frames": 2, "full": { "steps": 3 })", "runs.main.full.steps: the run goes by frames"},
        {R"("budget_ms": 2, "full": { "iterations": 3 })", "runs.main.full.iterations: the run goes by budget_ms"},
        {R"("threads": 1025)", "bar.json: runs.main.threads = 1025: must be 1 to 1024"},
        {R"("threads": 1e300)", "must be 1 to 1024"}})
    EXPECT_NE(fault(keys).find(where), std::string::npos) << fault(keys);
}

// ... before anything is run: there is no progress.
TEST_F(Reproduce, SaysWhatIsWrongBeforeItRuns) {
  const std::string good = R"("main": { "methods": { "a": "vbd" }, "iterations": 1 })";
  const auto fault = [&](const std::string& more, const std::string& holds, bool full = false) {
    const Result<Experiment> bar = read(
        experiment(R"([{ "says": "it is so", "holds": "1 < 2" }, { "says": "it is so", "holds": ")" + holds + R"(" }])",
                   scene, "{" + good + more + "}"));
    EXPECT_TRUE(bar.ok()) << bar.error().message();
    bool ran = false;
    const auto outcome =
        reproduce(*bar, {.full = full, .threads = 1}, {.on_progress = [&](const Progress&) { ran = true; }});
    EXPECT_FALSE(outcome.ok());
    EXPECT_FALSE(ran);
    const std::string message = outcome.ok() ? "" : outcome.error().message();
    EXPECT_TRUE(message.starts_with((folder() / "bar.json: ").string())) << message;
    return message;
  };
  const auto in_run = [&](const std::string& keys) { return fault(R"(, "more": { )" + keys + "}", "1 < 2"); };
  for (const auto& [keys, where] :
       {std::pair{R"("methods": { "b": "vdb" })",
                  ": runs.more.methods.b = \"vdb\": there is no solver \"vdb\"; did you mean 'vbd'"},
        {R"("methods": { "b": "vbd,xpbd" })", ": runs.more.methods.b = \"vbd,xpbd\": is more than one method"},
        {R"("methods": { "b": "vbd:iterations=3" })", "; use \"iterations\" or \"budget_ms\" of the run"},
        {R"("set": ["time.frame_dt=0.02", "gravty=0"], "colors": true)", ": runs.more.set.1 = \"gravty=0\": "},
        {R"("set": ["foo"], "colors": true)", ": runs.more.set.0 = \"foo\": must be path=value"},
        {R"("methods": { "b": "vbd" }, "plot": ["residual", "volum"])",
         ": runs.more.plot.1: there is no measure 'volum'"},
        {R"("methods": { "b": "vbd" }, "at_frame": 1000)", ": runs.more.at_frame = 1000: the scene has frames 0 to "}})
    EXPECT_NE(in_run(keys).find(where), std::string::npos) << in_run(keys);

  const auto in_claim = [&](const std::string& holds) { return fault(R"(, "mesh": { "colors": true })", holds); };
  for (const auto& [holds, what] : {std::pair{"last(main.a.residual) <", "at character 24: expected a number"},
                                    {"last(main.a.resdual) < 1", "did you mean 'main.a.residual'"},
                                    {"last(main.a.tip_w) < 1", "nothing is measured under"},
                                    {"mesh.tet < 2", "mesh.tets"}}) {
    EXPECT_NE(in_claim(holds).find(std::string(": claims.1.holds = \"") + holds + "\": "), std::string::npos)
        << in_claim(holds);
    EXPECT_NE(in_claim(holds).find(what), std::string::npos) << in_claim(holds);
  }
  // Parts for the paper's size only are checked on request.
  const std::string only_full = R"(, "more": { "colors": true, "full": { "set": ["gravty=0"] } })";
  EXPECT_NE(fault(only_full, "1 < 2", true).find(": runs.more.full.set.0 = \"gravty=0\": "), std::string::npos);
}

// All faults at once; a fault of the scene once for all of its runs.
TEST_F(Reproduce, SaysAllThatIsWrong) {
  std::string wrong = scene;
  wrong.replace(wrong.find("frame_dt"), 8, "frame_td");
  const std::string two = R"({ "one": { "colors": true }, "two": { "colors": true, "set": ["time.frame_dt=0.02"] } })";
  const std::string claims = R"([{ "says": "a", "holds": "1 <" }, { "says": "b", "holds": "2 <" }])";
  const auto fault = [&](const std::string& with_scene) {
    const Result<Experiment> bar = read(experiment(claims, with_scene, two));
    EXPECT_TRUE(bar.ok()) << bar.error().message();
    const Status checked = check_experiment(*bar, false);
    EXPECT_FALSE(checked.ok());
    return checked.ok() ? "" : checked.error().message();
  };
  EXPECT_NE(fault(wrong).find("bar.json: scene: time.frame_td: unknown key; did you mean"), std::string::npos)
      << fault(wrong);
  EXPECT_EQ(fault(wrong).find("faults"), std::string::npos) << fault(wrong);
  EXPECT_NE(fault(scene).find("2 faults\n  claims.0.holds = \"1 <\": "), std::string::npos) << fault(scene);
}

// A run that fails only when its mesh is made is reported with the file and its key.
TEST_F(Reproduce, SaysWhereARunFails) {
  const Result<Experiment> bar = read(experiment(R"([{ "says": "a", "holds": "1 < 2" }])", scene, R"({ "main": {
      "methods": { "a": "vbd" }, "set": ["objects.bar.mesh={\"file\": \"nowhere.mesh\"}"] } })"));
  ASSERT_TRUE(bar.ok()) << bar.error().message();
  EXPECT_TRUE(check_experiment(*bar, false).ok());
  const Result<ExperimentOutcome> outcome = reproduce(*bar, {.threads = 1});
  ASSERT_FALSE(outcome.ok());
  EXPECT_TRUE(outcome.error().message().starts_with((folder() / "bar.json: runs.main: ").string()))
      << outcome.error().message();
}

}  // namespace
}  // namespace sinew
