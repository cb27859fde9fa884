// Source: two balls that pass through each other: they are apart, meet and part again.
#include "sinew/intersections.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <fstream>

#include "files/mesh_file.h"
#include "io/csv.h"
#include "io/says.h"
#include "io/temporary_folder.h"
#include "mesh/generators.h"
#include "sinew/run.h"
#include "support/surface.h"

namespace sinew {
namespace {

class IntersectionsTest : public TemporaryFolder {
 protected:
  // Radius .1 m, half a metre apart, towards each other with 2 m/s each; without forces, they keep their shape.
  Scene balls() const {
    Scene scene;
    scene.gravity = {0, 0, 0};
    scene.materials.push_back({.name = "rubber"});
    for (const double side : {-1.0, 1.0}) {
      SceneObject ball;
      ball.name = side < 0 ? "left" : "right";
      ball.mesh = MeshBall{.radius = 0.1, .shells = 3};
      ball.material = "rubber";
      ball.transform.translate = {0.25 * side, 0.01 * side, 0};
      ball.velocity = {-2 * side, 0, 0};
      scene.objects.push_back(ball);
    }
    scene.time.frame_dt = 0.01;
    scene.time.duration = 0.25;
    return scene;
  }
};

TEST_F(IntersectionsTest, OfARunAreFoundInTheFramesThatHaveThem) {
  ASSERT_TRUE(run_scene(balls(), {.folder = folder() / "out"}));
  std::vector<int64_t> told;
  const auto report = check_intersections(folder() / "out", {.list = folder() / "pairs.csv", .threads = 2},
                                          {.on_frame = [&](const CheckedFrame& f) { told.push_back(f.done); }});
  ASSERT_TRUE(report) << report.error().message();
  EXPECT_TRUE(report->of_run);
  EXPECT_EQ(report->objects, (std::vector<std::string>{"left", "right"}));
  ASSERT_EQ(report->frames.size(), 26u);
  EXPECT_EQ(told.size(), 26u);
  int64_t pairs = 0;
  for (const CheckedFrame& f : report->frames) {
    // The distance of the centres; facets are a little inside their sphere.
    const double distance = std::hypot(0.5 - 4 * f.time, 0.02);
    if (distance > 0.2) {
      EXPECT_EQ(f.pairs, 0) << f.number;
    } else if (distance < 0.18) {
      EXPECT_GT(f.pairs, 0) << f.number;
    }
    if (f.pairs == 0) continue;
    ASSERT_EQ(f.objects.size(), 1u);  // neither meets itself
    EXPECT_EQ(f.objects[0].a, 0);
    EXPECT_EQ(f.objects[0].b, 1);
    EXPECT_EQ(f.objects[0].pairs, f.pairs);
    EXPECT_LE(f.triangles, 2 * f.pairs);
    pairs += f.pairs;
  }
  EXPECT_GT(report->meeting_frames(), 5);
  EXPECT_LT(report->meeting_frames(), 15);

  std::ifstream file(folder() / "pairs.csv", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto rows = parse_csv(text);
  ASSERT_EQ(static_cast<int64_t>(rows.size()), pairs + 1);
  for (size_t k = 1; k < rows.size(); ++k) {
    ASSERT_EQ(rows[k].size(), 9u);
    EXPECT_EQ(rows[k][2], "left");
    EXPECT_EQ(rows[k][4], "right");
    EXPECT_LT(std::stoll(rows[k][3]), report->triangles / 2);
    EXPECT_LT(std::stoll(rows[k][5]), report->triangles / 2);
    EXPECT_LT(std::abs(std::stod(rows[k][6])), 0.1);
  }
}

TEST_F(IntersectionsTest, OfAMeshAreThoseOfItsSurface) {
  TetMesh mesh = make_ball({.shells = 3}).value();
  ASSERT_TRUE(write_tet_mesh(folder() / "ball.vtu", mesh));
  auto report = check_intersections(folder() / "ball.vtu");
  ASSERT_TRUE(report) << report.error().message();
  EXPECT_FALSE(report->of_run);
  EXPECT_EQ(report->meeting_frames(), 0);
  EXPECT_EQ(report->objects, (std::vector<std::string>{"ball.vtu"}));

  SurfaceMesh surface = support::boundary_surface(mesh);
  EXPECT_EQ(report->triangles, static_cast<int64_t>(surface.triangles.size()));
  surface.vertices[0] = -2.0 * surface.vertices[0];
  ASSERT_TRUE(write_surface(folder() / "spike.ply", surface));
  report = check_intersections(folder() / "spike.ply");
  ASSERT_TRUE(report) << report.error().message();
  EXPECT_EQ(report->meeting_frames(), 1);
}

TEST_F(IntersectionsTest, EndWhenTheirObserverOrAnInterruptSaysSo) {
  ASSERT_TRUE(run_scene(balls(), {.folder = folder() / "out"}));
  const auto three = check_intersections(folder() / "out", {.list = folder() / "pairs.csv"},
                                         {.on_frame = [](const CheckedFrame& f) { return f.done < 3; }});
  ASSERT_TRUE(three);
  EXPECT_TRUE(three->interrupted);
  EXPECT_EQ(three->frames.size(), 3u);
  const std::atomic<bool> enough = true;
  const auto none = check_intersections(folder() / "out", {.interrupt = &enough});
  ASSERT_TRUE(none);
  EXPECT_TRUE(none->interrupted);
  EXPECT_TRUE(none->frames.empty());
}

TEST_F(IntersectionsTest, NeedARunOrAMeshWithASurface) {
  EXPECT_TRUE(says(check_intersections(folder() / "nothing").error().message(), "nothing"));
  EXPECT_TRUE(says(check_intersections(folder()).error().message(), "run.json"));
  std::ofstream(folder() / "empty.obj") << "v 0 0 0\n";
  EXPECT_FALSE(check_intersections(folder() / "empty.obj"));
  ASSERT_TRUE(run_scene(balls(), {.folder = folder() / "out"}));
  const auto unwritable = check_intersections(folder() / "out", {.list = folder() / "no" / "such" / "pairs.csv"});
  EXPECT_TRUE(says(unwritable.error().message(), "pairs.csv"));
  std::filesystem::resize_file(folder() / "out" / "surface" / "frame_000004.bin", 100);
  EXPECT_TRUE(says(check_intersections(folder() / "out", {.list = folder() / "pairs.csv"}).error().message(),
                   "frame_000004.bin"));
  EXPECT_FALSE(std::filesystem::exists(folder() / "pairs.csv"));
}

}  // namespace
}  // namespace sinew
