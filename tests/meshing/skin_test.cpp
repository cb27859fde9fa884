// Source: meshing/skin.h: sums and means of vertices' values by weights, computed here.
#include "meshing/skin.h"

#include <gtest/gtest.h>

#include <cmath>

#include "io/says.h"
#include "io/temporary_folder.h"
#include "record/run_reader.h"
#include "record/synthetic_run.h"

namespace sinew {
namespace {

class RecordedSkin : public TemporaryFolder {
 protected:
  // Two points on the second box: one within its first tet, one far beyond.
  void SetUp() override {
    TemporaryFolder::SetUp();
    const int32_t first = run.objects[1].first_vertex;
    tet = run.mesh.tets[static_cast<size_t>(run.objects[1].first_tet)];
    std::sort(tet.begin(), tet.end());
    Skin skin;
    skin.triangles = {{0, 1, 1}};
    skin.materials = {2};
    for (const int32_t v : tet) skin.carriers.push_back(v - first);
    skin.corners = {{0, 1, 2, 3}, {3, 2, 1, 0}};
    skin.weights = {{0.25, 0.5, 0.125, 0.125}, {-2, 3, 1, -1}};
    skin.body_vertices = run.objects[1].last_vertex - first;
    run.objects[1].skin = std::make_shared<const Skin>(skin);
  }
  std::filesystem::path out() const { return folder() / "out"; }
  size_t slot(size_t corner) const { return static_cast<size_t>(run.model.order.slot(UserVertex{tet[corner]})); }

  SyntheticRun run;
  Tet tet{};
};

TEST_F(RecordedSkin, HasSumsOfPositionsAndMeansOfWhatIsNeverNegative) {
  Result<Recorder> recorder = Recorder::create(run.description(out()));
  ASSERT_TRUE(recorder) << recorder.error().message();
  run.step();
  std::vector<Vec3d> forces(run.state.x.size());
  for (size_t k = 0; k < 4; ++k) forces[slot(k)] = static_cast<double>(k + 1) * Vec3d{0, 0.6, -0.8};
  FrameData data = run.frame_data();
  data.forces = forces;
  ASSERT_TRUE(recorder->write_frame(data));

  const Result<RunReader> reader = open_run(out());
  ASSERT_TRUE(reader) << reader.error().message();
  const RecordedSurface& skin = reader->surfaces()[1];
  EXPECT_EQ(skin.point_count, 2);
  EXPECT_EQ(skin.first, reader->surfaces()[0].point_count);
  EXPECT_EQ(skin.materials, std::vector<int32_t>{2});
  const SurfaceFrame frame = reader->frame(0).value();
  const auto positions = points_of(skin, frame.positions);
  const auto residual = points_of(skin, frame.residual), strain = points_of(skin, frame.strain);
  const auto x = [&](size_t corner) { return run.state.x[slot(corner)]; };
  const Vec3d inside = 0.25 * x(0) + 0.5 * x(1) + 0.125 * x(2) + 0.125 * x(3);
  const Vec3d beyond = -2.0 * x(3) + 3.0 * x(2) + 1.0 * x(1) - 1.0 * x(0);
  EXPECT_NEAR(positions[0].y, inside.y, 1e-6);  // of single precision
  EXPECT_NEAR(positions[1].x, beyond.x, 1e-6);
  EXPECT_NEAR(residual[0], 0.25 * 1 + 0.5 * 2 + 0.125 * 3 + 0.125 * 4, 1e-6);
  EXPECT_NEAR(residual[1], (3.0 * 3 + 1.0 * 2) / 4, 1e-6) << "of its weights those of two vertices are positive";
  EXPECT_GT(strain[0], 0);
  EXPECT_GT(strain[1], 0);
}

TEST_F(RecordedSkin, BeyondSinglePrecisionIsNotWritten) {
  Result<Recorder> recorder = Recorder::create(run.description(out()));
  ASSERT_TRUE(recorder);
  ASSERT_TRUE(recorder->write_frame(run.frame_data()));
  run.frame = 1;
  run.state.x[slot(2)].x = 2e38;
  const Status refused = recorder->write_frame(run.frame_data());
  ASSERT_FALSE(refused);
  EXPECT_TRUE(
      says(refused.error().message(), "frame 1, step 0: point 1 of the skin of second one/ä: has the position"));
  EXPECT_EQ(open_run(out()).value().frame_count(), 1u);
}

}  // namespace
}  // namespace sinew
