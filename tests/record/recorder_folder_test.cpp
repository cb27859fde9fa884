// Source: the promises of record/output_folder.h: whose the files of a folder are, and which may be replaced.
#include "record/output_folder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "io/says.h"
#include "record/recorder.h"
#include "record/recorder_case.h"
#include "record/run_reader.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

TEST_F(RecorderTest, RefusesAFolderThatHoldsARun) {
  SyntheticRun run;
  {
    Result<Recorder> recorder = Recorder::create(run.description(out()));
    ASSERT_TRUE(recorder);
    // While it is being written, no other writer is allowed, not even with overwrite.
    RunDescription second = run.description(out());
    second.overwrite = true;
    const Result<Recorder> other = Recorder::create(second);
    ASSERT_FALSE(other);
    EXPECT_TRUE(says(other.error().message(), "is being written by another run"));
    ASSERT_TRUE(run.run_to(*recorder, 4));
  }
  const Result<Recorder> again = Recorder::create(run.description(out()));
  ASSERT_FALSE(again);
  EXPECT_TRUE(says(again.error().message(), "already holds a run (killed, last frame 4)"));
  EXPECT_TRUE(says(again.error().message(), "--resume"));
  EXPECT_TRUE(says(again.error().message(), "--overwrite"));
}

TEST_F(RecorderTest, AFolderThatIsClaimedIsLeftAsItWas) {
  const fs::path inner = out() / "inner";
  fs::create_directories(out());
  {
    const Result<FolderLock> lock = FolderLock::claim(inner);
    ASSERT_TRUE(lock) << lock.error().message();
    const Result<FolderLock> second = FolderLock::claim(inner);
    ASSERT_FALSE(second);
    EXPECT_TRUE(says(second.error().message(), "is being written by another run"));
  }
  EXPECT_FALSE(fs::exists(inner));
  {
    const Result<FolderLock> lock = FolderLock::claim(inner);
    std::ofstream(inner / "result.txt") << "kept";
  }
  EXPECT_EQ(files_under(out()), (std::set<std::string>{"inner/result.txt"}));
  { const Result<FolderLock> lock = FolderLock::claim(inner); }
  EXPECT_TRUE(fs::exists(inner));
  EXPECT_FALSE(FolderLock::claim(inner / "result.txt"));
}

TEST_F(RecorderTest, OverwritingRemovesTheRunAndNothingElse) {
  record(out(), 5, options());
  std::ofstream(out() / "notes.txt") << "mine";
  std::ofstream(out() / "frames/frame_of_mine.vtu") << "mine";
  SyntheticRun run;
  RunDescription description = run.description(out());
  description.overwrite = true;
  ASSERT_TRUE(Recorder::create(description));
  EXPECT_EQ(files_under(out()),
            (std::set<std::string>{"frames/frame_of_mine.vtu", "manifest.txt", "notes.txt", "run.json", "stats.csv",
                                   "surface/block.obj", "surface/origin.json", "surface/rest.bin",
                                   "surface/second_one___.obj"}));
}

TEST_F(RecorderTest, InspectionTellsWhatAFolderHolds) {
  using Kind = FolderContent::Kind;
  EXPECT_EQ(inspect_output_folder(out())->kind, Kind::empty);
  fs::create_directory(out());
  EXPECT_EQ(inspect_output_folder(out())->kind, Kind::empty);
  std::ofstream(out() / "notes.txt") << "mine";
  EXPECT_EQ(inspect_output_folder(out())->kind, Kind::other);
  record(out(), 5, options());
  const Result<FolderContent> content = inspect_output_folder(out());
  EXPECT_EQ(content->kind, Kind::run);
  EXPECT_TRUE(content->has_checkpoint);
  EXPECT_FALSE(content->being_written);
  EXPECT_EQ(content->summary->progress.state, RunState::complete);
  const Result<FolderContent> file = inspect_output_folder(out() / "notes.txt");
  ASSERT_FALSE(file);
  EXPECT_TRUE(says(file.error().message(), "is a file, not a folder"));
}

TEST_F(RecorderTest, FilesOfOthersAreNoRunAndAreNotReplaced) {
  for (const char* name : {"stats.csv", "run.json", "frames.pvd", "surface/block.obj", "frames/frame_000000.vtu",
                           "surface/frame_000123.bin", "surface/block.pc2"}) {
    const fs::path path = folder() / fs::path(name).filename();
    fs::create_directories((path / name).parent_path());
    std::ofstream(path / name) << "mine";
    EXPECT_EQ(inspect_output_folder(path)->kind, FolderContent::Kind::other);
    EXPECT_FALSE(open_run(path));
    SyntheticRun run;
    for (const bool overwrite : {false, true}) {
      RunDescription description = run.description(path);
      description.overwrite = overwrite;
      const Result<Recorder> recorder = Recorder::create(description);
      ASSERT_FALSE(recorder) << name;
      EXPECT_TRUE(says(recorder.error().message(),
                       std::string("holds ") + name + ", which would be replaced and is not a file of Sinew; move it"));
    }
    EXPECT_TRUE(says(Recorder::resume(run.description(path)).error().message(),
                     "holds no run to resume: there is no manifest.txt of Sinew"));
    EXPECT_EQ(content(path / name), "mine");
    EXPECT_EQ(files_under(path).size(), 1u);
  }
  EXPECT_TRUE(says(open_run(folder() / "stats.csv").error().message(), "holds no run: there is no run.json"));
}

// Files that a user keeps in the folders of a run are the user's, whatever their names, even in the way of a longer
// run.
TEST_F(RecorderTest, WhatIsNotOnTheListIsNeitherRemovedNorReplaced) {
  record(out(), 5, options());
  const std::set<std::string> mine{"surface/mine.obj",
                                   "surface/mine.pc2",
                                   "surface/sub/block.obj",
                                   "frames/frame_9.vtu",
                                   "pictures/frame_000000.png",
                                   "stills/frame_000001.png",
                                   "film.mp4",
                                   ".notes.partial",
                                   "surface/.mine.obj.12.0.partial"};
  for (const std::string& name : mine) {
    fs::create_directories((out() / name).parent_path());
    std::ofstream(out() / name) << "mine";
  }
  SyntheticRun run;
  RunDescription description = run.description(out());
  {
    const Result<Recorder::Resumed> resumed = Recorder::resume(description);
    ASSERT_TRUE(resumed) << resumed.error().message();
  }
  description.overwrite = true;
  {
    const Result<Recorder> again = Recorder::create(description);
    ASSERT_TRUE(again) << again.error().message();
  }
  EXPECT_FALSE(fs::exists(out() / "surface/frame_000000.bin"));
  for (const std::string& name : mine) EXPECT_EQ(content(out() / name), "mine") << name;

  for (const std::string name : {"surface/frame_000007.bin", "frames/frame_000007.vtu"}) {
    std::ofstream(out() / name) << "mine";
    const Result<Recorder> refused = Recorder::create(description);
    ASSERT_FALSE(refused);
    EXPECT_TRUE(says(refused.error().message(), "holds " + name + ", which would be replaced and is not named in"));
    EXPECT_EQ(content(out() / name), "mine");
    fs::remove(out() / name);
  }
  // One that appears during the run.
  Result<Recorder> going = Recorder::create(description);
  ASSERT_TRUE(going) << going.error().message();
  ASSERT_TRUE(run.run_to(*going, 1));
  std::ofstream(out() / "frames/frame_000002.vtu") << "mine";
  const Status status = run.run_to(*going, 2);
  ASSERT_FALSE(status);
  EXPECT_TRUE(says(status.error().message(), "holds frames/frame_000002.vtu"));
  EXPECT_EQ(content(out() / "frames/frame_000002.vtu"), "mine");
}

// Frames after the last one, and those between the ones that are written, are in nobody's way.
TEST_F(RecorderTest, OnlyFramesThatARunCanWriteAreInItsWay) {
  SyntheticRun run;
  RunDescription description = run.description(out());
  description.overwrite = true;
  description.last_frame = 4;
  description.options.every = 2;
  const std::set<std::string> mine{"surface/frame_000099.bin", "frames/frame_000077.vtu", "surface/frame_000003.bin",
                                   "frames/frame_000005.vtu"};
  for (const std::string& name : mine) {
    fs::create_directories((out() / name).parent_path());
    std::ofstream(out() / name) << "mine";
  }
  {
    Result<Recorder> recorder = Recorder::create(description);
    ASSERT_TRUE(recorder) << recorder.error().message();
    ASSERT_TRUE(run.run_to(*recorder, 4));
    ASSERT_TRUE(recorder->finish(RunState::complete));
  }
  ASSERT_TRUE(Recorder::resume(description));
  const Result<RunReader> reader = open_run(out());
  ASSERT_TRUE(reader) << reader.error().message();
  EXPECT_EQ(reader->frame_count(), 3u);
  EXPECT_EQ(reader->foreign_frames(),
            (std::vector<std::string>{"surface/frame_000003.bin", "surface/frame_000099.bin"}));
  // One that writes every frame would write them.
  description.options.every = 1;
  const Result<Recorder> refused = Recorder::create(description);
  ASSERT_FALSE(refused);
  EXPECT_TRUE(says(refused.error().message(), "which would be replaced and is not named in"));
  for (const std::string& name : mine) EXPECT_EQ(content(out() / name), "mine") << name;
}

// Neither for files nor for folders, by new or resumed runs.
TEST_F(RecorderTest, NothingIsWrittenOrRemovedThroughLinks) {
  for (const std::string name : {"stats.csv", "run.json", "checkpoint.bin", "frames.pvd", "manifest.txt", "surface",
                                 "frames", "surface/block.obj", "surface/block.pc2", ".sinew.lock"}) {
    SCOPED_TRACE(name);
    record(out(), 5, options());
    const fs::path elsewhere = folder() / "elsewhere";
    if (name == ".sinew.lock")
      std::ofstream(elsewhere).close();
    else
      fs::rename(out() / name, elsewhere);
    fs::create_symlink(elsewhere, out() / name);
    const auto kept = [&] { return fs::is_directory(elsewhere) ? std::string() : content(elsewhere); };
    const auto names = [&] { return fs::is_directory(elsewhere) ? files_under(elsewhere) : std::set<std::string>{}; };
    const std::string before = kept();
    const auto files = names();
    SyntheticRun run;
    RunDescription description = run.description(out());
    for (const bool overwrite : {false, true}) {
      description.overwrite = overwrite;
      const std::string refused =
          overwrite ? Recorder::create(description).error().message() : Recorder::resume(description).error().message();
      EXPECT_TRUE(says(refused, "/" + name + ": is a symbolic link, and nothing is written"));
      EXPECT_EQ(kept(), before);
      EXPECT_EQ(names(), files);
      EXPECT_TRUE(fs::is_symlink(out() / name));
    }
    fs::remove_all(out());
    fs::remove_all(elsewhere);
  }
}

TEST_F(RecorderTest, AListNamesNothingOutsideOfItsFolder) {
  record(out(), 1, options());
  std::ofstream(folder() / "mine.txt") << "mine";
  std::ofstream(out() / "manifest.txt", std::ios::app)
      << "../mine.txt\n"
      << (folder() / "mine.txt").string() << "\nsurface/../../mine.txt\n";
  SyntheticRun run;
  RunDescription description = run.description(out());
  description.overwrite = true;
  ASSERT_TRUE(Recorder::create(description));
  EXPECT_EQ(content(folder() / "mine.txt"), "mine");
  // A file that is not a list is the user's.
  fs::remove_all(out());
  fs::create_directories(out());
  std::ofstream(out() / "manifest.txt") << "flour\nsugar\n";
  const Result<Recorder> refused = Recorder::create(description);
  ASSERT_FALSE(refused);
  EXPECT_TRUE(says(refused.error().message(), "manifest.txt: is no list of the files of Sinew"));
}

}  // namespace
}  // namespace sinew
