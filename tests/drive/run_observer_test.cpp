// Source: the promises of sinew/run.h: what an observer is told of, and how it ends a run.
#include "sinew/run.h"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "drive/run_case.h"
#include "files/read_file.h"
#include "record/output_folder.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

TEST_F(RunTest, TellsHowFarTheSetUpIs) {
  for (const char* solver : {"vbd", "xpbd"}) {
    Scene scene = hanging_block();
    scene.solver.type = solver;
    scene.solver.options.clear();
    RunOptions options;
    options.folder = folder() / solver;
    options.frames = 0;
    RunObserver observer;
    std::vector<std::string> stages;
    double before = 0;
    bool started = false;
    observer.on_setup = [&](const Progress& now) {
      EXPECT_FALSE(started);
      EXPECT_GE(now.share, before);
      EXPECT_LE(now.share, 1);
      before = now.share;
      if (stages.empty() || stages.back() != now.stage) stages.push_back(now.stage);
    };
    observer.on_start = [&](const RunStart&) { started = true; };
    ASSERT_TRUE(run_scene(scene, options, observer).ok());
    EXPECT_EQ(stages, (std::vector<std::string>{"meshes", "order", "start and pins", "solver layouts"}));
  }
}

TEST_F(RunTest, TheObserverIsToldOfEverythingInOrder) {
  RunOptions options;
  options.folder = out();
  options.frames = 2;
  options.threads = 1;
  RunObserver observer;
  std::vector<std::string> told;
  const auto note = [&](const std::string& event) {
    if (told.empty() || told.back() != event) told.push_back(event);
  };
  observer.on_setup = [&](const Progress&) { note("set-up"); };
  observer.on_write = [&] {
    note("write");
    EXPECT_FALSE(fs::exists(out() / "run.json"));
  };
  observer.on_start = [&](const RunStart& start) {
    note("start");
    EXPECT_EQ(start.vertices, 27);
    EXPECT_EQ(start.tets, 40);
    EXPECT_EQ(start.triangles, 0);
    EXPECT_EQ(start.threads, 1);
    EXPECT_EQ(start.first_frame, 0);
    EXPECT_EQ(start.last_frame, 2);
    ASSERT_FALSE(start.stages.empty());
    EXPECT_EQ(start.stages.front().name, "meshes");
  };
  observer.on_step = [&](const StepReport& step) {
    note("step " + std::to_string(step.step));
    EXPECT_EQ(step.iterations, 8);
  };
  observer.on_frame = [&](const RunFrame& frame) {
    note("frame " + std::to_string(frame.frame));
    EXPECT_EQ(frame.last_frame, 2);
    EXPECT_DOUBLE_EQ(frame.time, 0.02 * static_cast<double>(frame.frame));
    EXPECT_EQ(frame.iterations, 32);
    EXPECT_GT(frame.evaluation.residual, 0);
    EXPECT_EQ(frame.positions, nullptr);
    EXPECT_TRUE(fs::exists(OutputPaths(out()).volume_frame(frame.frame))) << "it is written when it is told of";
  };
  const Result<RunOutcome> outcome = run_scene(hanging_block(), options, observer);
  ASSERT_TRUE(outcome.ok()) << outcome.error().message();
  EXPECT_FALSE(outcome->interrupted);
  EXPECT_EQ(told, (std::vector<std::string>{"set-up", "write", "start", "step 1", "step 2", "step 3", "step 4",
                                            "frame 1", "step 5", "step 6", "step 7", "step 8", "frame 2"}));
  // The files are those that are there, and all of them.
  std::set<std::string> names, there;
  for (const fs::path& file : outcome->files) names.insert(fs::relative(file, out()).string());
  for (const auto& entry : fs::recursive_directory_iterator(out()))
    if (entry.is_regular_file()) there.insert(fs::relative(entry.path(), out()).string());
  there.erase(Manifest::file_name);
  EXPECT_EQ(names, there);
  EXPECT_TRUE(names.contains("frames/frame_000002.vtu"));
}

// At the start, within a frame and after one: what is there ends with a whole frame, and continues to the same bits.
TEST_F(RunTest, AListenerEndsARunThatCanBeResumed) {
  const Scene scene = hanging_block();
  const RunOutcome whole = run(scene, folder() / "whole");
  const auto ended_by = [&](const std::string& name, const RunObserver& observer, int64_t last_frame) {
    RunOptions options;
    options.folder = folder() / name;
    options.threads = 1;
    const Result<RunOutcome> ended = run_scene(scene, options, observer);
    ASSERT_TRUE(ended.ok()) << ended.error().message();
    EXPECT_TRUE(ended->interrupted) << name;
    EXPECT_EQ(ended->last_frame, last_frame) << name;
    const Result<RunSummary> summary = read_run_file(options.folder / "run.json");
    ASSERT_TRUE(summary.ok());
    EXPECT_EQ(summary->progress.state, RunState::interrupted);
    EXPECT_EQ(summary->progress.last_frame, last_frame);
    EXPECT_EQ(rows(options.folder).size(), static_cast<size_t>(1 + 4 * last_frame)) << "rows of whole frames only";
    for (const auto& entry : fs::recursive_directory_iterator(options.folder))
      EXPECT_FALSE(entry.path().string().ends_with(".partial")) << entry.path();
    EXPECT_EQ(run(scene, options.folder, true).hash, whole.hash) << name;
    EXPECT_EQ(first_frame, last_frame);
    EXPECT_EQ(read_file(options.folder / "frames/frame_000006.vtu").value(),
              read_file(folder() / "whole/frames/frame_000006.vtu").value());
  };
  ended_by("start", {.on_start = [](const RunStart&) { return false; }}, 0);
  ended_by("step", {.on_step = [](const StepReport& step) { return step.step < 6; }}, 1);
  ended_by("last step", {.on_step = [](const StepReport& step) { return step.step < 8; }}, 2);
  ended_by("frame", {.on_frame = [](const RunFrame& frame) { return frame.frame < 3; }}, 3);
}

TEST_F(RunTest, AnEndOfTheSetUpLeavesNothing) {
  RunOptions options;
  options.folder = out();
  options.threads = 1;
  const auto expect_nothing = [&](const RunObserver& observer) {
    const Result<RunOutcome> outcome = run_scene(hanging_block(), options, observer);
    ASSERT_FALSE(outcome.ok());
    EXPECT_EQ(outcome.error().message(), "the run: was interrupted during its set-up; nothing was written");
    EXPECT_FALSE(fs::exists(out()));
  };
  for (const char* stage : {"meshes", "order", "start and pins", "solver layouts"}) {
    bool told_again = false;
    expect_nothing({.on_setup = [&, ended = false](const Progress& now) mutable {
      told_again |= ended;
      ended |= now.stage == stage;
      return !ended;
    }});
    EXPECT_FALSE(told_again) << stage;
  }
  const std::atomic<bool> interrupt{true};
  options.interrupt = &interrupt;
  expect_nothing({});
}

}  // namespace
}  // namespace sinew
