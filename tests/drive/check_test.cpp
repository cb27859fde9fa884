// Source: the promises of sinew/check.h; counts and masses by hand.
#include <gtest/gtest.h>

#include <atomic>

#include "sinew/check.h"
#include "sinew/compare.h"
#include "sinew/run.h"
#include "support/box_scene.h"

namespace sinew {
namespace {

TEST(CheckScene, CountsWhatIsSimulated) {
  Scene scene = box_scene(2);
  scene.materials[0].density = 800;
  scene.pins = {pin_of(SelectPlane{{0, 1, 0}, {0, 1, 0}}), pin_of(SelectPlane{{0, 1, 0}, {0, 1, 0}})};
  scene.time.duration = 2;
  SceneObject rope;
  rope.name = "rope";
  rope.mesh = MeshChain{.links = 3, .origin = {5, 0, 0}, .point_mass = 0.25};
  scene.objects.push_back(rope);
  scene.pins.push_back(pin_of(SelectIndices{{0}}, "rope"));
  const Result<SceneSummary> summary = check_scene(scene, {.threads = 1});
  ASSERT_TRUE(summary.ok()) << summary.error().message();
  EXPECT_EQ(summary->objects, 2);
  EXPECT_EQ(summary->vertices, 27 + 4);
  EXPECT_EQ(summary->held, 9 + 1) << "each once";
  EXPECT_EQ(summary->tets, 40);
  EXPECT_EQ(summary->triangles, 0);
  EXPECT_EQ(summary->springs, 3);
  EXPECT_EQ(summary->bound_vertices, 0);
  EXPECT_EQ(summary->fibres, 0);
  EXPECT_NEAR(summary->mass, 800 + 4 * 0.25, 1e-9);
  EXPECT_EQ(summary->frames, 120);
}

TEST(CheckScene, CountsTrianglesAmongTets) {
  Scene scene = box_scene();
  scene.objects[0].mesh = MeshRectangle{.cells_x = 3, .cells_y = 2};
  const Result<SceneSummary> summary = check_scene(scene, {.threads = 1});
  ASSERT_TRUE(summary.ok()) << summary.error().message();
  EXPECT_EQ(summary->tets, 12);
  EXPECT_EQ(summary->triangles, 12);
  EXPECT_EQ(summary->vertices, 12);
}

TEST(CheckScene, SaysWhatIsWrong) {
  Scene scene = box_scene();
  scene.objects[0].material = "ruber";
  const Result<SceneSummary> summary = check_scene(scene);
  ASSERT_FALSE(summary.ok());
  EXPECT_HAS(summary.error().message(), "objects.block.material = \"ruber\"");
  // Known only when the solver is made ready.
  scene = box_scene();
  scene.solver.type = "xpbd_qs";
  EXPECT_FALSE(check_scene(scene).ok());
}

// As run and compare do: all begin in the same way (docs/contact.md).
TEST(CheckScene, RefusesBodiesThatIntersectAtTheStart) {
  Scene scene = box_scene();
  scene.objects.push_back(scene.objects[0]);
  scene.objects[1].name = "other";
  scene.objects[1].transform.translate = {0.5, 0.25, 0.25};
  scene.time.duration = scene.time.frame_dt;
  ComparisonOptions methods;
  methods.methods = parse_methods("vbd,newton", scene).value();
  methods.iterations = 5;
  EXPECT_TRUE(check_scene(scene).ok()) << "without contact";
  scene.contact = ContactSettings{};
  EXPECT_REFUSED(check_scene(scene), "objects.block and objects.other intersect at the start");
  EXPECT_REFUSED(run_scene(scene, {}), "objects.block and objects.other intersect at the start");
  EXPECT_REFUSED(compare(scene, methods), "objects.block and objects.other intersect at the start");
  scene.contact->start = ContactStart::separate;
  const Result<SceneSummary> summary = check_scene(scene);
  ASSERT_TRUE(summary.ok()) << summary.error().message();
  EXPECT_EQ(summary->warnings.size(), 2u) << "who was moved";
  EXPECT_TRUE(run_scene(scene, {}).ok());
  EXPECT_TRUE(compare(scene, methods).ok());
}

TEST(CheckScene, EndsWhenItIsToldTo) {
  std::vector<std::string> stages;
  const auto summary = check_scene(box_scene(), {.threads = 1}, {.on_progress = [&](const Progress& now) {
                                     stages.push_back(now.stage);
                                     return stages.size() < 2;
                                   }});
  ASSERT_FALSE(summary.ok());
  EXPECT_EQ(summary.error().message(), "the check: was interrupted");
  EXPECT_EQ(stages.size(), 2u);
  const std::atomic<bool> interrupt{true};
  EXPECT_FALSE(check_scene(box_scene(), {.interrupt = &interrupt}).ok());
}

}  // namespace
}  // namespace sinew
