// Source: the promises of record/recorder.h and record/output_folder.h; a resumed run is compared byte for byte with an
// uninterrupted one, as are the frames of different thread counts.
#include "record/recorder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <functional>
#include <set>

#include "io/csv.h"
#include "io/obj.h"
#include "io/says.h"
#include "io/temporary_folder.h"
#include "io/vtu.h"
#include "record/gaps.h"
#include "record/origin.h"
#include "record/run_reader.h"
#include "record/synthetic_run.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

std::string content(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  EXPECT_TRUE(stream) << path;
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::set<std::string> files_under(const fs::path& folder) {
  std::set<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) files.insert(fs::relative(entry.path(), folder).string());
  return files;
}

class RecorderTest : public TemporaryFolder {
 protected:
  fs::path out() const { return folder() / "out"; }

  // A whole run of `frames` frames in `path`.
  void record(const fs::path& path, int64_t frames, const RecorderOptions& options,
              ThreadPool& pool = SyntheticRun::pool()) {
    SyntheticRun run;
    RunDescription description = run.description(path);
    description.options = options;
    description.pool = &pool;
    Result<Recorder> recorder = Recorder::create(description);
    ASSERT_TRUE(recorder) << recorder.error().message();
    ASSERT_TRUE(run.run_to(*recorder, frames));
    ASSERT_TRUE(recorder->finish(RunState::complete));
  }
  static RecorderOptions options() { return SyntheticRun(1).description("").options; }

  // Everything but run.json, which has dates, and stats.csv, which has milliseconds.
  static void expect_same_files(const fs::path& a, const fs::path& b) {
    ASSERT_EQ(files_under(a), files_under(b));
    for (const std::string& file : files_under(a)) {
      if (file != "run.json" && file != "stats.csv") {
        EXPECT_EQ(content(a / file), content(b / file)) << file;
      }
    }
  }
};

TEST_F(RecorderTest, WritesTheFilesOfARun) {
  record(out(), 5, options());
  EXPECT_EQ(files_under(out()), (std::set<std::string>{"checkpoint.bin",
                                                       "frames.pvd",
                                                       "frames/frame_000000.vtu",
                                                       "frames/frame_000001.vtu",
                                                       "frames/frame_000002.vtu",
                                                       "frames/frame_000003.vtu",
                                                       "frames/frame_000004.vtu",
                                                       "frames/frame_000005.vtu",
                                                       "manifest.txt",
                                                       "run.json",
                                                       "stats.csv",
                                                       "surface/block.mdd",
                                                       "surface/block.obj",
                                                       "surface/block.pc2",
                                                       "surface/frame_000000.bin",
                                                       "surface/frame_000001.bin",
                                                       "surface/frame_000002.bin",
                                                       "surface/frame_000003.bin",
                                                       "surface/frame_000004.bin",
                                                       "surface/frame_000005.bin",
                                                       "surface/origin.json",
                                                       "surface/rest.bin",
                                                       "surface/second_one___.mdd",
                                                       "surface/second_one___.obj",
                                                       "surface/second_one___.pc2"}));
  const std::string pvd = content(out() / "frames.pvd");
  EXPECT_TRUE(says(pvd,
                   "<DataSet timestep=\"0.06666666666666667\" group=\"\" part=\"0\" "
                   "file=\"frames/frame_000002.vtu\"/>"));

  const Result<RunSummary> summary = read_run_file(out() / "run.json");
  ASSERT_TRUE(summary) << summary.error().message();
  EXPECT_EQ(summary->progress.state, RunState::complete);
  EXPECT_EQ(summary->progress.last_frame, 5);
  EXPECT_EQ(summary->progress.frames_written, 6);
  EXPECT_EQ(summary->version, "0.1.0");
  EXPECT_TRUE(says(summary->scene_json, "\"synthetic\""));
  for (const char* key : {"\"commit\": \"0123456\"", "\"cpu\"", "\"memory_bytes\"", "\"compiler\"", "\"units\"",
                          "\"up\": \"y\"", "\"started\"", "\"setup_milliseconds\"", "\"ended\""})
    EXPECT_TRUE(says(summary->text, key));
}

TEST_F(RecorderTest, FramesReadBackAreThoseWritten) {
  SyntheticRun run;
  Result<Recorder> recorder = Recorder::create(run.description(out()));
  ASSERT_TRUE(recorder);
  ASSERT_TRUE(run.run_to(*recorder, 2));
  std::vector<Vec3d> forces(run.state.x.size());
  for (size_t s = 0; s < forces.size(); ++s) forces[s] = 0.5 * static_cast<double>(s) * Vec3d{0, 0.6, -0.8};
  run.step();
  run.frame = 3;
  FrameData data = run.frame_data();
  data.forces = forces;
  const auto residual = [&](size_t v) {
    return 0.5f * static_cast<float>(run.model.order.slot(UserVertex{static_cast<int32_t>(v)}));
  };
  ASSERT_TRUE(recorder->write_frame(data));

  const Result<RunReader> reader = open_run(out());
  ASSERT_TRUE(reader) << reader.error().message();
  ASSERT_EQ(reader->surfaces().size(), 2u);
  EXPECT_EQ(reader->surfaces()[1].name, "second one/ä");
  ASSERT_EQ(reader->frame_count(), 4u);
  EXPECT_EQ(reader->summary().progress.state, RunState::running);
  const Result<SurfaceFrame> frame = reader->frame(3);
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->time, run.state.time);
  const std::vector<float> displacement = displacement_of(reader->surfaces(), *frame);
  for (const RecordedSurface& surface : reader->surfaces()) {
    const auto positions = points_of(surface, frame->positions);
    for (size_t k = 0; k < surface.vertices.size(); ++k) {
      const size_t v = static_cast<size_t>(surface.vertices[k]);
      EXPECT_EQ(positions[k].x, static_cast<float>(run.x(v).x));
      EXPECT_EQ(positions[k].z, static_cast<float>(run.x(v).z));
      EXPECT_EQ(surface.rest[k].y, run.mesh.vertices[v].y);
      EXPECT_EQ(points_of(surface, frame->residual)[k], residual(v));
      // Positions are rounded to single precision: 6e-8 of coordinates up to 3.
      const Vec3d d = run.x(v) - run.mesh.vertices[v];
      EXPECT_NEAR(points_of(surface, displacement)[k], std::sqrt(dot(d, d)), 1e-6);
    }
    ASSERT_EQ(surface.materials.size(), surface.triangles.size());
    for (size_t f = 0; f < surface.materials.size(); ++f)
      EXPECT_EQ(surface.materials[f], static_cast<int32_t>((f + 1) % 3));
    // The triangles close the surface: every edge once in each direction.
    std::set<std::pair<int32_t, int32_t>> edges;
    for (const Triangle& t : surface.triangles)
      for (int k = 0; k < 3; ++k) EXPECT_TRUE(edges.insert({t[k], t[(k + 1) % 3]}).second);
    for (const auto& [a, b] : edges) EXPECT_TRUE(edges.count({b, a}));
  }
}

// 4500 km away single precision has steps of half a metre.
TEST_F(RecorderTest, FramesInDoubleAndCachesRelativeToTheirOriginKeepTheirDigitsFarAway) {
  SyntheticRun run;
  const Vec3d away{4.5e6, -1e6, 0.3};
  for (Vec3d& p : run.mesh.vertices) p = p + away;
  run.compile();
  RunDescription description = run.description(out());
  description.options.in_double = true;
  {
    Result<Recorder> recorder = Recorder::create(description);
    ASSERT_TRUE(recorder) << recorder.error().message();
    ASSERT_TRUE(run.run_to(*recorder, 2));
    ASSERT_TRUE(recorder->finish(RunState::complete));
  }
  const std::string file = content(out() / "frames/frame_000002.vtu");
  EXPECT_FALSE(says(file, "Float32"));
  const MeshData volume = parse_vtu(file, "frame").value();
  for (size_t v = 0; v < run.mesh.vertices.size(); ++v) {
    EXPECT_EQ(volume.vertices[v].x, run.x(v).x);
    EXPECT_EQ(volume.vertices[v].z, run.x(v).z);
  }
  const Result<RunReader> reader = open_run(out());
  ASSERT_TRUE(reader) << reader.error().message();
  const SurfaceFrame frame = reader->frame(2).value();
  const std::vector<float> displacement = displacement_of(reader->surfaces(), frame);
  const RecordedSurface& block = reader->surfaces()[0];
  for (size_t k = 0; k < block.vertices.size(); ++k) {
    const auto v = static_cast<size_t>(block.vertices[k]);
    EXPECT_EQ(frame.positions[k].x, run.x(v).x);
    EXPECT_EQ(frame.positions[k].y, run.x(v).y);
    const Vec3d d = run.x(v) - run.mesh.vertices[v];
    EXPECT_FLOAT_EQ(displacement[k], static_cast<float>(std::sqrt(dot(d, d))));
  }

  // The two boxes reach over 3 m.
  const Vec3d origin{4.5e6, -1e6, 0};
  const std::string told = content(out() / "surface/origin.json");
  EXPECT_TRUE(says(told, "\"origin\": [\n    4500000.0,\n    -1000000.0,\n    0.0\n  ]"));
  const std::string obj = content(out() / "surface/block.obj");
  EXPECT_TRUE(obj.starts_with("# coordinates are relative to 4500000 -1e+06 0\nv ")) << obj.substr(0, 100);
  const MeshData rest = parse_obj(obj, "block.obj").value();
  const std::string pc2 = content(out() / "surface/block.pc2"), mdd = content(out() / "surface/block.mdd");
  for (size_t k = 0; k < block.vertices.size(); ++k) {
    const auto v = static_cast<size_t>(block.vertices[k]);
    EXPECT_EQ(rest.vertices[k].x, (run.mesh.vertices[v] - origin).x);
    float place[3];
    const size_t at = 12 * (2 * block.vertices.size() + k);  // in the third frame
    std::memcpy(place, pc2.data() + 32 + at, sizeof place);
    EXPECT_EQ(place[0], static_cast<float>((run.x(v) - origin).x));
    EXPECT_EQ(place[2], static_cast<float>((run.x(v) - origin).z));
    const size_t in_mdd = 8 + 3 * 4 + at;
    char turned[4];
    std::reverse_copy(mdd.data() + in_mdd, mdd.data() + in_mdd + 4, turned);
    std::memcpy(place, turned, 4);
    EXPECT_EQ(place[0], static_cast<float>((run.x(v) - origin).x));
  }
}

TEST_F(RecorderTest, TheOriginIsZeroWhereThereAreDigitsEnough) {
  const auto origin = [](Vec3d low, Vec3d high) {
    RecordedSurface surface;
    surface.rest = {low, high};
    const Vec3d found = origin_of(std::vector{surface});
    return std::vector<double>{found.x, found.y, found.z};
  };
  const std::vector<double> zero{0, 0, 0};
  EXPECT_EQ(origin({0, 0, 0}, {1, 1, 1}), zero);
  EXPECT_EQ(origin({30, 0, 0}, {31, 1, 1}), zero);
  EXPECT_EQ(origin({1e6, 0, 0}, {-1e6, 1, 1}), zero) << "as large as it is far";
  EXPECT_EQ(origin({1e3, 0, 0}, {1e3, 0, 0}), zero) << "a point has no size";
  EXPECT_EQ(origin({1000, 0, 0}, {1001, 1, 1}), (std::vector<double>{1001, 1, 1}));
  EXPECT_EQ(origin({0, -7.25e5, 0}, {40, -7.25e5, 30}), (std::vector<double>{0, -7.25e5, 0}));
  EXPECT_TRUE(origin_of({}).x == 0);
}

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

TEST_F(RecorderTest, ThreadsDoNotChangeTheBits) {
  record(folder() / "one", 2, options());
  ThreadPool pool(3);
  record(folder() / "three", 2, options(), pool);
  expect_same_files(folder() / "one", folder() / "three");
}

TEST_F(RecorderTest, WritesEveryNthFrameAndSurfacesOnly) {
  RecorderOptions sparse = options();
  sparse.every = 3;
  sparse.vtu = VtuFrames::none;
  sparse.mdd = false;
  sparse.checkpoint_every = 0;
  record(out(), 7, sparse);
  EXPECT_EQ(files_under(out()),
            (std::set<std::string>{"manifest.txt", "run.json", "stats.csv", "surface/block.obj", "surface/block.pc2",
                                   "surface/frame_000000.bin", "surface/frame_000003.bin", "surface/frame_000006.bin",
                                   "surface/origin.json", "surface/rest.bin", "surface/second_one___.obj",
                                   "surface/second_one___.pc2"}));
  const auto stats = parse_csv(content(out() / "stats.csv"));
  EXPECT_EQ(stats.size(), 15u);  // a header and all 14 steps
  EXPECT_EQ(stats.back()[0], "14");
  EXPECT_EQ(read_run_file(out() / "run.json")->progress.last_frame, 7);
}

TEST_F(RecorderTest, WritesNoFrameThatIsNotFinite) {
  SyntheticRun run;
  Result<Recorder> recorder = Recorder::create(run.description(out()));
  ASSERT_TRUE(recorder);
  ASSERT_TRUE(run.run_to(*recorder, 1));
  const auto before = files_under(out());
  const size_t v = static_cast<size_t>(run.objects[1].first_vertex) + 7;
  for (const double bad : {std::nan(""), HUGE_VAL, 1e39}) {  // 1e39 is beyond single precision
    SyntheticRun broken = run;
    broken.frame = 2;
    broken.x(v).z = bad;
    const Status status = recorder->write_frame(broken.frame_data());
    ASSERT_FALSE(status);
    EXPECT_TRUE(says(status.error().message(), "vertex 7 of second one"));
    EXPECT_TRUE(says(status.error().message(), "frame 2"));
  }
  EXPECT_EQ(files_under(out()), before);
  ASSERT_TRUE(recorder->finish(RunState::failed, "not finite"));
  EXPECT_EQ(read_run_file(out() / "run.json")->progress.message, "not finite");
}

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

TEST_F(RecorderTest, ObjectsOfOneNameGetFilesOfTheirOwn) {
  SyntheticRun run(1);
  run.objects[0].name = "Arm";
  run.objects[1].name = "arm";
  run.add_box("../arm", 1, {4, 0, 0});
  run.add_box("", 1, {6, 0, 0});
  run.compile();
  std::vector<std::string> names;
  for (const RecordedSurface& surface : make_surfaces(run.model, run.objects)) names.push_back(surface.file);
  EXPECT_EQ(names, (std::vector<std::string>{"Arm", "arm_2", "_.._arm", "_"}));
}

}  // namespace
}  // namespace sinew
