// Source: the promises of record/recorder.h: what a run writes, the same for any number of threads.
#include "record/recorder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "io/csv.h"
#include "io/obj.h"
#include "io/says.h"
#include "io/vtu.h"
#include "record/origin.h"
#include "record/recorder_case.h"
#include "record/run_reader.h"

namespace sinew {
namespace {

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
