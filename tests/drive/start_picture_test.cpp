// Source: the promises of drive/start_picture.h, compile/contact_start.h and sinew/check.h; what intersects by hand.
#include "drive/start_picture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "compile/contact_start.h"
#include "drive/disk_files.h"
#include "files/read_file.h"
#include "io/says.h"
#include "io/temporary_folder.h"
#include "sinew/check.h"
#include "sinew/render.h"
#include "sinew/run.h"
#include "sinew/scene_file.h"

namespace sinew {
namespace {

// Blocks of 1 m with these origins, a 2 x 2 x 2 grid of cells each: 48 triangles.
Scene blocks_at(const std::vector<std::string>& origins, const std::string& more) {
  std::string objects;
  for (size_t k = 0; k < origins.size(); ++k)
    objects += (k == 0 ? "\"" : ", \"") + std::string(1, static_cast<char>('a' + k)) +
               "\": { \"mesh\": { \"box\": { \"cells\": 2, \"origin\": " + origins[k] +
               " } }, \"material\": \"rubber\" }";
  const Result<Scene> scene =
      parse_scene("{ \"sinew\": 1, \"materials\": { \"rubber\": { \"youngs_modulus\": 1e5 } }, \"objects\": { " +
                      objects + " }, \"render\": { \"width\": 64, \"height\": 36, \"samples\": 1 }" + more + " }",
                  "scene.json", "");
  EXPECT_TRUE(scene) << scene.error().message();
  return scene.value();
}

class StartPictureTest : public TemporaryFolder {
 protected:
  // Marks of each object's or collider's triangles.
  static std::vector<std::multiset<StartMark>> marks(const Scene& scene) {
    CompiledScene compiled = compile_scene(scene, DiskFiles()).value();
    const StartView view = view_start(scene, compiled, ThreadPool::caller());
    const ContactSurface& surface = compiled.contact_surface;
    EXPECT_EQ(view.marks.size(), surface.triangles.size());
    std::vector<std::multiset<StartMark>> all(scene.objects.size() + scene.colliders.size());
    for (size_t t = 0; t < view.marks.size(); ++t) {
      const int32_t body = surface.body_of[static_cast<size_t>(surface.triangles[t][0])];
      all[static_cast<size_t>(surface.bodies[static_cast<size_t>(body)].object)].insert(view.marks[t]);
    }
    return all;
  }
};

TEST_F(StartPictureTest, MarksWhatMeets) {
  // a and b by a corner; c and d by a face that they share; e by itself.
  const auto of =
      marks(blocks_at({"[0, 0, 0]", "[0.9, 0.9, 0.9]", "[5, 0, 0]", "[6, 0, 0]", "[9, 0, 0]"}, R"(, "contact": {})"));
  for (const size_t k : {0, 1}) {
    EXPECT_GE(of[k].count(StartMark::first), 3u);
    EXPECT_EQ(of[k].count(StartMark::first) + of[k].count(StartMark::none), 48u);
    EXPECT_GT(of[k].count(StartMark::none), 30u);
  }
  for (const size_t k : {2, 3}) {
    EXPECT_GE(of[k].count(StartMark::meets), 8u);
    EXPECT_EQ(of[k].count(StartMark::first), 0u);
  }
  EXPECT_EQ(of[4].count(StartMark::none), 48u);
}

TEST_F(StartPictureTest, MarksWhatLiesInside) {
  const auto of = marks(blocks_at(
      {"[0, 0, 0]"},
      R"(, "contact": {}, "colliders": { "hull": { "shape": { "box": { "min": [-1, -1, -1], "max": [2, 2, 2] } } } })"));
  EXPECT_EQ(of[0].count(StartMark::first), 48u);
  EXPECT_EQ(of[1].count(StartMark::none), 12u);
}

TEST_F(StartPictureTest, MarksWhatHasACornerBelowAPlane) {
  const auto of =
      marks(blocks_at({"[0, -0.1, 0]"}, R"(, "colliders": { "floor": { "shape": { "half_space": {} } } })"));
  // The bottom has 8 triangles, and each side four with a corner there or six, by their diagonals.
  EXPECT_GE(of[0].count(StartMark::first), 8u + 4 * 4);
  EXPECT_LE(of[0].count(StartMark::first), 8u + 4 * 6);
}

TEST_F(StartPictureTest, IsMadeWhereTheStartIsRefusedAndSaysSo) {
  if (!can_render()) GTEST_SKIP() << "this build has no path tracer";
  const Scene scene = blocks_at({"[0, 0, 0]", "[0.9, 0.9, 0.9]"}, R"(, "contact": {})");
  const auto refused = check_scene(scene, {.threads = 1, .picture = folder() / "start.png"});
  ASSERT_FALSE(refused);
  EXPECT_TRUE(says(refused.error().message(), "objects.a and objects.b intersect at the start"));
  EXPECT_TRUE(says(refused.error().message(), "; picture: " + (folder() / "start.png").string()));
  // run says how to get one.
  const auto run = run_scene(scene, {.folder = folder() / "out", .threads = 1});
  EXPECT_TRUE(says(run.error().message(), "`sinew check SCENE --picture FILE` shows the place"));

  const auto bytes = [&](const char* name) { return read_file(folder() / name).value(); };
  Scene passing = scene;
  passing.contact.reset();
  const auto good = check_scene(passing, {.threads = 1, .picture = folder() / "passing.png"});
  ASSERT_TRUE(good) << good.error().message();
  EXPECT_TRUE(bytes("passing.png").starts_with("\x89PNG"));
  EXPECT_NE(bytes("start.png"), bytes("passing.png"));

  // What is wrong otherwise has no picture.
  Scene wrong = scene;
  wrong.objects[0].material = "ruber";
  const auto fault = check_scene(wrong, {.threads = 1, .picture = folder() / "wrong.png"});
  ASSERT_FALSE(fault);
  EXPECT_FALSE(std::filesystem::exists(folder() / "wrong.png"));
  EXPECT_FALSE(says(fault.error().message(), "picture:"));
  const auto nowhere = check_scene(passing, {.threads = 1, .picture = folder() / "no" / "such" / "start.png"});
  EXPECT_FALSE(nowhere);
}

}  // namespace
}  // namespace sinew
