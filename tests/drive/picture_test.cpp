// Source: the promises of sinew/render.h: a picture of a simulation is that of its frame in a folder.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>

#include "drive/run_case.h"
#include "io/says.h"
#include "sinew/render.h"
#include "sinew/simulation.h"

namespace sinew {
namespace {

class PictureTest : public RunTest {
 protected:
  void SetUp() override {
    RunTest::SetUp();
    if (!can_render()) GTEST_SKIP() << "a build without path tracer";
  }
  static constexpr const char* small[] = {"width=64", "height=48", "samples=1"};
  static PictureOptions options(std::vector<std::string> more = {}) {
    PictureOptions options;
    options.set.assign(std::begin(small), std::end(small));
    options.set.insert(options.set.end(), more.begin(), more.end());
    options.threads = 1;
    return options;
  }
};

TEST_F(PictureTest, OfASimulationIsThatOfItsFrame) {
  Scene scene = hanging_block();
  scene.colliders = parse_scene(R"({ "sinew": 1, "materials": { "m": { "youngs_modulus": 1 } },
    "objects": { "o": { "mesh": { "box": {} }, "material": "m" } },
    "colliders": { "ball": { "shape": { "sphere": { "radius": 0.3, "center": [2, 0, 0] } },
                             "motion": { "keyframes": [ { "time": 0 },
                                                        { "time": 0.1, "translate": [-0.5, 0, 0] } ] } } } })",
                                "s.json", "")
                        .value()
                        .colliders;
  run(scene, out());
  Result<Simulation> simulation = Simulation::create(scene, 1);
  ASSERT_TRUE(simulation);
  for (int k = 0; k < 4; ++k) ASSERT_TRUE(simulation->advance_frame());
  // A view that does not depend on other frames.
  const PictureOptions view = options({"camera.eye=[3, 2, 4]", "camera.target=[0.5, 0.5, 0]", "ground=false"});
  const Result<Picture> live = draw_picture(*simulation, view), kept = draw_picture(out(), 4, view);
  ASSERT_TRUE(live) << live.error().message();
  ASSERT_TRUE(kept) << kept.error().message();
  EXPECT_EQ(live->width, 64);
  EXPECT_EQ(live->height, 48);
  ASSERT_EQ(live->rgb.size(), size_t{3 * 64 * 48});
  // Frames have single precision.
  int different = 0;
  for (size_t k = 0; k < live->rgb.size(); ++k) different += std::abs(live->rgb[k] - kept->rgb[k]) > 2;
  EXPECT_LT(different, 30);
  EXPECT_NE(kept->rgb, draw_picture(out(), 1, view)->rgb);
  EXPECT_EQ(draw_picture(out(), {}, view)->rgb, draw_picture(out(), 6, view)->rgb);
}

TEST_F(PictureTest, IsEndedByAnInterrupt) {
  run(hanging_block(), out());
  const Result<Simulation> simulation = Simulation::create(hanging_block(), 1);
  ASSERT_TRUE(simulation);
  const std::atomic<bool> enough = true;
  PictureOptions ended = options();
  ended.interrupt = &enough;
  for (const Result<Picture>& picture : {draw_picture(*simulation, ended), draw_picture(out(), {}, ended)}) {
    ASSERT_FALSE(picture);
    EXPECT_TRUE(says(picture.error().message(), "was interrupted"));
  }
}

TEST_F(PictureTest, ShowsWhateverIsAskedFor) {
  Result<Simulation> simulation = Simulation::create(hanging_block(), 1);
  ASSERT_TRUE(simulation);
  ASSERT_TRUE(simulation->advance_frame());
  std::vector<std::vector<uint8_t>> seen;
  for (const char* colors : {"object", "strain", "von_mises", "displacement", "residual"}) {
    const Result<Picture> picture = draw_picture(*simulation, options({std::string("color_by=") + colors}));
    ASSERT_TRUE(picture) << picture.error().message();
    EXPECT_EQ(std::find(seen.begin(), seen.end(), picture->rgb), seen.end()) << colors;
    seen.push_back(picture->rgb);
  }
}

TEST_F(PictureTest, IsRefused) {
  Result<Simulation> simulation = Simulation::create(hanging_block(), 1);
  ASSERT_TRUE(simulation);
  const auto refusal = [&](const std::string& set) {
    const Result<Picture> picture = draw_picture(*simulation, options({set}));
    return picture ? "" : picture.error().message();
  };
  EXPECT_TRUE(says(refusal("color_by=strian"), "did you mean 'strain'"));
  EXPECT_TRUE(says(refusal("widht=3"), "render.widht"));
  EXPECT_TRUE(says(refusal("camera.direction=[0, 0, 0]"), "direction"));
  run(hanging_block(), out());
  const Result<Picture> missing = draw_picture(out(), 7);
  ASSERT_FALSE(missing);
  EXPECT_TRUE(says(missing.error().message(), "there is no frame 7"));
}

TEST_F(PictureTest, IsEncodedAsAFileHasIt) {
  const std::vector<uint8_t> rgb(3 * 4 * 2, 200);
  const Result<std::string> png = encode_png(4, 2, rgb);
  ASSERT_TRUE(png);
  EXPECT_EQ(png->substr(0, 8), "\x89PNG\r\n\x1a\n");
  EXPECT_FALSE(encode_png(4, 3, rgb));
}

}  // namespace
}  // namespace sinew
