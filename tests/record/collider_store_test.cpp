// Source: the promises of record/collider_store.h and of docs/output.md on colliders.
#include "record/collider_store.h"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>

#include "files/read_file.h"
#include "io/obj.h"
#include "io/says.h"
#include "io/temporary_folder.h"
#include "record/run_reader.h"
#include "record/synthetic_run.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

RecordedCollider triangle(const std::string& name, bool moves, double height) {
  return {.name = name,
          .moves = moves,
          .rest = {{0, height, 0}, {1, height, 0}, {0, height, 1}},
          .triangles = {{0, 2, 1}},
          .planes = {}};
}
RecordedCollider plane(const std::string& name, bool moves) {
  return {.name = name,
          .moves = moves,
          .rest = {},
          .triangles = {},
          .planes = {{.point = {0, -1, 0}, .normal = {0, 1, 0}, .along = {1, 0, 0}}}};
}

// A run with a table, a wall and, both moving, a press and a floor.
class ColliderStore : public TemporaryFolder {
 protected:
  void record(int64_t frames) {
    SyntheticRun run;
    RunDescription description = run.description(folder());
    description.colliders = {triangle("Block", false, 0), plane("wall", false), triangle("press", true, 2),
                             plane("floor", true)};
    Result<Recorder> recorder = Recorder::create(description);
    ASSERT_TRUE(recorder) << recorder.error().message();
    for (int64_t frame = 0; frame <= frames; ++frame) {
      FrameData data = run.frame_data();
      data.frame = frame;
      const double h = 2 - 0.25 * static_cast<double>(frame);
      const std::vector<Vec3d> points{{0, h, 0}, {1, h, 0}, {0, h, 1}};
      const std::vector<RecordedPlane> planes{{{0, -h, 0}, {0, 1, 0}, {1, 0, 0}}};
      data.collider_points = points;
      data.collider_planes = planes;
      ASSERT_TRUE(recorder->write_frame(data));
    }
    ASSERT_TRUE(recorder->finish(RunState::complete));
  }
};

TEST_F(ColliderStore, ReadsBackWhatIsRecorded) {
  record(3);
  const Result<RunReader> run = open_run(folder());
  ASSERT_TRUE(run) << run.error().message();
  const std::vector<RecordedCollider>& colliders = run->colliders();
  ASSERT_EQ(colliders.size(), 4u);
  EXPECT_EQ(colliders[0].name, "Block");
  EXPECT_EQ(colliders[0].file, "Block_2") << "an object has the file block.obj";
  EXPECT_EQ(colliders[1].file, "");
  EXPECT_EQ(colliders[2].triangles, (std::vector<Triangle>{{0, 2, 1}}));

  const SurfaceFrame frame = run->frame(3).value();
  EXPECT_EQ(points_of(colliders[0], frame)[1].y, 0);
  EXPECT_EQ(points_of(colliders[2], frame)[1].y, 1.25);
  EXPECT_EQ(planes_of(colliders[1], frame)[0].point.y, -1);
  EXPECT_EQ(planes_of(colliders[3], frame)[0].point.y, -1.25);
  EXPECT_TRUE(planes_of(colliders[0], frame).empty());
}

TEST_F(ColliderStore, OtherProgramsGetSurfacesAndCachesOfWhatMoves) {
  record(3);
  const Result<MeshData> press = parse_obj(read_file(folder() / "surface/press.obj").value(), "press.obj");
  ASSERT_TRUE(press) << press.error().message();
  EXPECT_TRUE(fs::exists(folder() / "surface/Block_2.obj"));
  EXPECT_FALSE(fs::exists(folder() / "surface/Block_2.pc2"));
  EXPECT_FALSE(fs::exists(folder() / "surface/floor.obj"));
  const std::string cache = read_file(folder() / "surface/press.pc2").value();
  ASSERT_EQ(cache.size(), 32u + 4 * 3 * 12) << "four frames of three points";
  float height = 0;
  std::memcpy(&height, cache.data() + 32 + 3 * 3 * 12 + 4, sizeof height);
  EXPECT_EQ(height, 1.25f) << "the first point at the last frame";
  EXPECT_TRUE(says(read_file(folder() / "run.json").value(), "\"surface/press.obj\""));
}

TEST_F(ColliderStore, DamageIsToldOf) {
  record(1);
  const fs::path file = folder() / "surface/colliders.bin";
  const std::string whole = read_file(file).value();
  const auto write = [&](const std::string& bytes) { std::ofstream(file, std::ios::binary) << bytes; };
  write(whole.substr(0, whole.size() - 8));
  EXPECT_FALSE(open_run(folder()).ok());

  // Colliders of another run.
  std::vector<RecordedCollider> others{triangle("press", true, 0), triangle("more", true, 0)};
  place_in_run(others, {});
  ASSERT_TRUE(save_colliders(file, others));
  const Result<RunReader> run = open_run(folder());
  ASSERT_TRUE(run) << run.error().message();
  const Result<SurfaceFrame> frame = run->frame(0);
  ASSERT_FALSE(frame);
  EXPECT_TRUE(says(frame.error().message(), "has other colliders than surface/colliders.bin"));

  fs::remove(file);
  EXPECT_TRUE(open_run(folder())->colliders().empty());
}

TEST_F(ColliderStore, ARunWithoutHasNoFileOfThem) {
  SyntheticRun run;
  const Result<Recorder> recorder = Recorder::create(run.description(folder()));
  ASSERT_TRUE(recorder);
  EXPECT_TRUE(fs::exists(folder() / "surface/rest.bin"));
  EXPECT_FALSE(fs::exists(folder() / "surface/colliders.bin"));
}

}  // namespace
}  // namespace sinew
