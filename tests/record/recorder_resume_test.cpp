// Source: the promises of record/recorder.h; a resumed run is compared byte for byte with an uninterrupted one.
#include "record/recorder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "io/csv.h"
#include "io/says.h"
#include "record/gaps.h"
#include "record/recorder_case.h"
#include "record/run_reader.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

TEST_F(RecorderTest, ResumedRunHasTheBitsOfAnUninterruptedOne) {
  record(folder() / "whole", 11, options());

  // Stopped two frames after the checkpoint at 8, without finish, as by a kill.
  {
    SyntheticRun run;
    Result<Recorder> recorder = Recorder::create(run.description(out()));
    ASSERT_TRUE(recorder);
    ASSERT_TRUE(run.run_to(*recorder, 10));
  }
  std::ofstream(out() / "stats.csv", std::ios::app | std::ios::binary) << "21,0.3";  // a row cut off
  std::ofstream(out() / "frames/.frame_000010.vtu.77.0.partial") << "half a frame";
  SyntheticRun run;
  Result<Recorder::Resumed> resumed = Recorder::resume(run.description(out()));
  ASSERT_TRUE(resumed) << resumed.error().message();
  EXPECT_EQ(resumed->checkpoint.frame, 8);
  EXPECT_FALSE(fs::exists(out() / "frames/frame_000009.vtu"));
  EXPECT_FALSE(says(content(out() / "frames.pvd"), "frame_000009"));
  run.go_on(resumed->checkpoint);
  ASSERT_TRUE(run.run_to(resumed->recorder, 11));
  ASSERT_TRUE(resumed->recorder.finish(RunState::complete));
  { const Recorder closed = std::move(resumed->recorder); }  // releases the folder

  expect_same_files(folder() / "whole", out());
  // The statistics too, except their milliseconds (the last five columns).
  auto a = parse_csv(content(folder() / "whole/stats.csv")), b = parse_csv(content(out() / "stats.csv"));
  ASSERT_EQ(a.size(), 23u);
  ASSERT_EQ(b.size(), 23u);
  for (size_t k = 0; k < a.size(); ++k) {
    a[k].resize(9);
    b[k].resize(9);
    EXPECT_EQ(a[k], b[k]);
  }
  const Result<RunSummary> summary = read_run_file(out() / "run.json");
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->resumed.size(), 1u);
}

TEST_F(RecorderTest, ResumingNeedsARunItsCheckpointAndItsFrames) {
  SyntheticRun run;
  const Result<Recorder::Resumed> nothing = Recorder::resume(run.description(out()));
  ASSERT_FALSE(nothing);
  EXPECT_TRUE(says(nothing.error().message(), "holds no run to resume"));

  {
    Result<Recorder> recorder = Recorder::create(run.description(out()));
    ASSERT_TRUE(recorder);
    ASSERT_TRUE(run.run_to(*recorder, 2));
  }
  const Result<Recorder::Resumed> early = Recorder::resume(run.description(out()));
  ASSERT_FALSE(early);
  EXPECT_TRUE(says(early.error().message(), "before its first checkpoint"));

  record(folder() / "whole", 5, options());
  fs::remove(folder() / "whole/surface/frame_000001.bin");
  const Result<Recorder::Resumed> holes = Recorder::resume(run.description(folder() / "whole"));
  ASSERT_FALSE(holes);
  EXPECT_TRUE(says(holes.error().message(), "surface: has no whole frame_NUMBER.bin of frames 1; put them back"));
}

TEST_F(RecorderTest, ResumingTellsWhatIsMissingAndGoesOn) {
  record(out(), 9, options());
  fs::remove(out() / "frames/frame_000001.vtu");
  fs::resize_file(out() / "frames/frame_000004.vtu", 100);
  fs::remove(out() / "surface/block.obj");
  fs::remove(out() / "stats.csv");
  SyntheticRun run;
  RunDescription description = run.description(out());
  description.changes = {"output.every was changed"};
  Result<Recorder::Resumed> resumed = Recorder::resume(description);
  ASSERT_TRUE(resumed) << resumed.error().message();
  const std::vector<std::string> expected{"output.every was changed",
                                          "frames/ has no whole .vtu of frames 1, 4: frames.pvd goes on without them",
                                          "stats.csv has no rows of steps 1 to 16"};
  EXPECT_EQ(resumed->notes, expected);
  run.go_on(resumed->checkpoint);
  ASSERT_TRUE(run.run_to(resumed->recorder, 9));
  ASSERT_TRUE(resumed->recorder.finish(RunState::complete));

  // The record names no missing file, and states what it lacks.
  const std::string pvd = content(out() / "frames.pvd");
  EXPECT_FALSE(says(pvd, "frame_000001") || says(pvd, "frame_000004"));
  EXPECT_TRUE(says(pvd, "frame_000002") && says(pvd, "frame_000009"));
  EXPECT_TRUE(fs::exists(out() / "surface/block.obj"));
  const auto stats = parse_csv(content(out() / "stats.csv"));
  ASSERT_EQ(stats.size(), 3u);
  EXPECT_EQ(stats[1][0], "17");
  const std::vector<std::string> notes = read_run_file(out() / "run.json")->notes;
  ASSERT_EQ(notes.size(), 3u);
  EXPECT_EQ(notes[2], "resumed at frame 8: stats.csv has no rows of steps 1 to 16");
}

TEST_F(RecorderTest, GapsAreToldInRanges) {
  Gaps gaps;
  EXPECT_TRUE(gaps.empty());
  gaps.add(3);
  gaps.add(5, 7);
  gaps.add(8);
  gaps.add(10, 9);
  EXPECT_EQ(gaps.text(), "3, 5 to 8");
  for (int64_t k = 10; k < 40; k += 2) gaps.add(k);
  EXPECT_TRUE(gaps.text().ends_with("22, 24, ..."));
}

TEST_F(RecorderTest, FramesForParaViewMayEndAtAResumption) {
  RecorderOptions volume = options();
  record(out(), 9, volume);
  SyntheticRun run;
  RunDescription description = run.description(out());
  description.options.vtu = VtuFrames::none;
  Result<Recorder::Resumed> resumed = Recorder::resume(description);
  ASSERT_TRUE(resumed) << resumed.error().message();
  EXPECT_TRUE(resumed->notes.empty());
  const std::string pvd = content(out() / "frames.pvd");
  EXPECT_TRUE(says(pvd, "frame_000008"));
  EXPECT_FALSE(says(pvd, "frame_000009")) << "it was removed with what came after the checkpoint";
}

TEST_F(RecorderTest, ACheckpointIsBoundToSceneMeshesAndVersion) {
  record(out(), 5, options());
  const std::string before = content(out() / "run.json");
  const auto refusal = [&](const std::function<void(SyntheticRun&, RunDescription&)>& change) {
    SyntheticRun run;
    RunDescription description = run.description(out());
    change(run, description);
    const Result<Recorder::Resumed> resumed = Recorder::resume(description);
    return resumed ? "" : resumed.error().message();
  };
  const std::string scene = refusal([](SyntheticRun&, RunDescription& d) { d.info.scene_json = "{\"gravity\": 0}"; });
  EXPECT_TRUE(says(scene, "belongs to another scene"));
  EXPECT_TRUE(says(scene, "--overwrite"));
  // A mesh file that was changed without a change of the scene, or of the number of vertices.
  EXPECT_TRUE(says(refusal([](SyntheticRun& run, RunDescription&) {
                     run.mesh.vertices[3].y += 1e-9;
                     run.compile();
                   }),
                   "the scene or its meshes have changed"));
  EXPECT_TRUE(says(refusal([](SyntheticRun& run, RunDescription&) {
                     run.add_box("third", 1, {4, 0, 0});
                     run.compile();
                   }),
                   "has 189 vertices; the scene has 197"));
  EXPECT_TRUE(says(refusal([](SyntheticRun&, RunDescription& d) { d.info.version = "9.0.0"; }), "this is 9.0.0"));
  EXPECT_EQ(content(out() / "run.json"), before) << "a refusal changes nothing";
}

}  // namespace
}  // namespace sinew
