// Expectations: the furnace test of radiometry (a surface of reflectance a in light L from everywhere shows a L),
// bit-identical pictures for any number of threads, and the errors listed in render.h.
#include "render/render.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "render/color_map.h"
#include "render/kernels.h"
#include "render/test_scene.h"
#include "render/text.h"
#include "sinew/lanes.h"

namespace sinew {
namespace {

RenderScene one_ball() {
  RenderScene scene;
  scene.meshes.push_back(make_ball(24, 48));
  return scene;
}

double psnr(const Image& a, const Image& b) {
  double squares = 0;
  for (size_t i = 0; i < a.rgb.size(); ++i) squares += std::pow(double(a.rgb[i]) - b.rgb[i], 2);
  return 10 * std::log10(255.0 * 255.0 / (squares / static_cast<double>(a.rgb.size()) + 1e-12));
}

// Light of radiance 0.5 from everywhere, and nothing else.
RenderOptions furnace() {
  RenderOptions options = small_picture();
  const Vec3f radiance{0.5f, 0.5f, 0.5f};
  options.light.key = options.light.rim = 0;
  options.light.zenith = options.light.horizon = options.light.nadir = radiance;
  options.ground = false;
  options.gloss = 0;
  return options;
}

TEST(Render, SameBitsForAnyNumberOfThreads) {
  RenderScene scene = one_ball();
  scene.meshes[0].vertex_values.resize(scene.meshes[0].positions.size());
  for (size_t i = 0; i < scene.meshes[0].positions.size(); ++i)
    scene.meshes[0].vertex_values[i] = scene.meshes[0].positions[i].x;
  RenderOptions options = small_picture();
  options.samples = 32;
  options.wireframe = true;
  options.caption = "caption";
  options.threads = 1;
  const auto one = render(scene, camera_in_front(), options);
  ASSERT_TRUE(one.ok()) << one.error().message();
  Renderer renderer;
  for (int threads : {2, 3}) {
    options.threads = threads;
    for (int repeat = 0; repeat < 2; ++repeat) {
      const auto again = renderer.render(scene, camera_in_front(), options);
      ASSERT_TRUE(again.ok());
      EXPECT_EQ(one->rgb, again->rgb) << threads << " threads";
    }
  }
  options.seed = 1;
  EXPECT_NE(one->rgb, renderer.render(scene, camera_in_front(), options)->rgb);
}

TEST(Render, SamePictureForAnyLaneWidth) {
  RenderOptions options = small_picture();
  options.samples = 64;
  options.lanes = 4;
  const auto narrow = render(one_ball(), camera_in_front(), options);
  ASSERT_TRUE(narrow.ok());
  for (int lanes : {8, 16, 0}) {
    options.lanes = lanes;
    const auto wide = render(one_ball(), camera_in_front(), options);
    if (!wide) continue;  // not on this processor
    // Rounding changes a few paths, far below visibility.
    EXPECT_GT(psnr(*narrow, *wide), 45) << lanes;
  }
}

TEST(Render, UsesTheLanesOfTheProgramUnlessToldOtherwise) {
  EXPECT_EQ(picture_kernels(1), nullptr);
  for (const int lanes : available_lanes()) {
    ASSERT_TRUE(set_lanes(lanes).ok());
    EXPECT_EQ(picture_kernels(0), picture_kernels(std::max(lanes, 4)));
    EXPECT_NE(picture_kernels(0), nullptr);
  }
  ASSERT_TRUE(set_lanes(0).ok());
  for (const int lanes : {2, 32, -1}) EXPECT_EQ(picture_kernels(lanes), nullptr);
}

TEST(Render, FurnaceShowsTheReflectance) {
  for (float reflectance : {1.0f, 0.6f, 0.2f}) {
    RenderScene scene = one_ball();
    scene.meshes[0].color = Vec3f{reflectance, 0.5f * reflectance, 0};
    const auto image = render(scene, camera_in_front(), furnace());
    ASSERT_TRUE(image.ok()) << image.error().message();
    // 1 for rounding and dither of the 8 bits, 1 for grazing paths that hit the polygonal ball again.
    const double red = 255 * srgb_from_linear(0.5f * reflectance), green = 255 * srgb_from_linear(0.25f * reflectance);
    for (int y = 25; y < 55; ++y) {
      for (int x = 45; x < 75; ++x) {
        ASSERT_NEAR(image->pixel(x, y)[0], red, 2) << x << " " << y;
        ASSERT_NEAR(image->pixel(x, y)[1], green, 2) << x << " " << y;
        ASSERT_LE(image->pixel(x, y)[2], 1);
      }
    }
  }
}

TEST(Render, GlossMakesNoEnergy) {
  RenderScene scene = one_ball();
  scene.meshes[0].color = Vec3f{1, 1, 1};
  for (float roughness : {0.2f, 0.5f, 1.0f}) {
    RenderOptions options = furnace();
    options.gloss = 1;
    options.roughness = roughness;
    options.samples = 64;
    const auto image = render(scene, camera_in_front(), options);
    ASSERT_TRUE(image.ok());
    double mean = 0;
    for (int y = 25; y < 55; ++y)
      for (int x = 45; x < 75; ++x) mean += linear_from_srgb(image->pixel(x, y)[0] / 255.0f) / 900.0;
    // Single scattering between microfacets loses a little, at most the 4 % that the coat reflects.
    EXPECT_LT(mean, 0.5 * 1.01) << roughness;
    EXPECT_GT(mean, 0.5 * 0.95) << roughness;
  }
}

TEST(Render, UnshadowedGroundHasItsColorAndShadowsAreDarker) {
  RenderScene scene = one_ball();
  RenderOptions options = small_picture();
  options.ground_color = {0.5f, 0.5f, 0.5f};
  options.light.key_azimuth_degrees = 90;  // the shadow falls to the right
  Camera camera;
  camera.eye = {0, 6, 9};
  camera.target = {0, -1, 0};
  for (bool z_up : {false, true}) {
    if (z_up) {
      scene.up = {0, 0, 1};
      for (Vec3f& p : scene.meshes[0].positions) p = {p.x, -p.z, p.y};
      camera = {{0, -9, 6}, {0, 0, -1}, {0, 0, 1}, camera.vertical_fov_degrees};
    }
    const auto image = render(scene, camera, options);
    ASSERT_TRUE(image.ok()) << image.error().message();
    const double unshadowed = linear_from_srgb(image->pixel(8, 60)[1] / 255.0f);
    EXPECT_NEAR(unshadowed, 0.5, 0.03);
    const double shadow = linear_from_srgb(image->pixel(85, 45)[1] / 255.0f);
    EXPECT_LT(shadow, 0.75 * unshadowed);
    EXPECT_GT(shadow, 0.1 * unshadowed);
  }
}

// From above, far from the ball: the squares have the requested size, and their mean is the ground's colour. Far away,
// where they are smaller than a pixel, only the mean remains.
TEST(Render, GroundHasSquaresAroundItsColor) {
  RenderScene scene = one_ball();
  for (Vec3f& p : scene.meshes[0].positions) p.x += 40;
  RenderOptions options = small_picture();
  options.ground_color = {0.5f, 0.5f, 0.5f};
  options.ground_height = 0;
  options.ground_square = 1;
  options.ground_contrast = 0.2f;
  Camera camera;
  camera.eye = {0, 20, 0};
  camera.target = {0, 0, 0};
  camera.up = {0, 0, -1};
  const auto image = render(scene, camera, options);
  ASSERT_TRUE(image.ok()) << image.error().message();
  const double pixels_per_metre = 0.5 * options.height / (20 * std::tan(camera.vertical_fov_degrees * M_PI / 360));
  for (int i = -3; i < 3; ++i) {
    for (int j = -3; j < 3; ++j) {
      const int x = static_cast<int>(0.5 * options.width + (i + 0.5) * pixels_per_metre);
      const int y = static_cast<int>(0.5 * options.height + (j + 0.5) * pixels_per_metre);
      const double tone = linear_from_srgb(image->pixel(x, y)[1] / 255.0f);
      EXPECT_NEAR(tone, (i + j) % 2 == 0 ? 0.45 : 0.55, 0.02) << i << " " << j;
    }
  }
  options.ground_square = 1e-3;
  const auto fine = render(scene, camera, options);
  ASSERT_TRUE(fine.ok());
  for (const int x : {20, 60, 100}) EXPECT_NEAR(linear_from_srgb(fine->pixel(x, 40)[1] / 255.0f), 0.5, 0.02);
}

TEST(Render, DenoisedPictureIsCloserToTheTruth) {
  RenderOptions options = small_picture();
  options.samples = 2048;
  options.denoise = false;
  Renderer renderer;
  const Image truth = *renderer.render(one_ball(), camera_in_front(), options);
  options.samples = 4;
  const Image noisy = *renderer.render(one_ball(), camera_in_front(), options);
  options.denoise = true;
  const Image smooth = *renderer.render(one_ball(), camera_in_front(), options);
  EXPECT_GT(psnr(smooth, truth), psnr(noisy, truth) + 2);
  EXPECT_GT(psnr(smooth, truth), 33);
}

TEST(Render, ValuesShowTheColorMapAndALegend) {
  RenderScene scene = one_ball();
  scene.meshes[0].face_values.assign(scene.meshes[0].triangles.size(), 0.75f);
  RenderOptions options = furnace();
  options.light.zenith = options.light.horizon = options.light.nadir = {0.7f, 0.7f, 0.7f};
  options.value_min = 0;
  options.value_max = 1;
  options.legend = false;
  const auto plain = render(scene, camera_in_front(), options);
  ASSERT_TRUE(plain.ok());
  const Vec3f expected = 0.7f * map_color(ColorMap::viridis, 0.75f);
  EXPECT_NEAR(plain->pixel(60, 40)[0], 255 * srgb_from_linear(expected.x), 2.5);
  EXPECT_NEAR(plain->pixel(60, 40)[1], 255 * srgb_from_linear(expected.y), 2.5);
  EXPECT_NEAR(plain->pixel(60, 40)[2], 255 * srgb_from_linear(expected.z), 2.5);
  options.legend = true;
  EXPECT_NE(plain->rgb, render(scene, camera_in_front(), options)->rgb);
}

TEST(Render, RefusesWhatCannotBeShown) {
  const auto fails = [](const RenderScene& scene, const RenderOptions& options, const char* word,
                        const Camera& camera = camera_in_front()) {
    const auto image = render(scene, camera, options);
    ASSERT_FALSE(image.ok()) << word;
    EXPECT_NE(image.error().message().find(word), std::string::npos) << image.error().message();
  };
  const RenderOptions good = small_picture();
  fails({}, good, "no surface");
  RenderScene empty;
  empty.meshes.emplace_back();
  fails(empty, good, "no surface");

  RenderScene bad = one_ball();
  bad.meshes[0].positions[17].y = std::numeric_limits<float>::quiet_NaN();
  fails(bad, good, "vertex 17");
  bad = one_ball();
  bad.meshes[0].positions[3].x = std::numeric_limits<float>::infinity();
  fails(bad, good, "vertex 3");
  bad = one_ball();
  bad.meshes[0].triangles[5][1] = 1 << 20;
  fails(bad, good, "triangle 5");
  bad = one_ball();
  bad.meshes[0].face_palette = {1, 2};
  fails(bad, good, "2 palette entries");
  bad = one_ball();
  bad.meshes[0].vertex_values = {1, 2};
  fails(bad, good, "2 vertex values");
  bad = one_ball();
  bad.meshes[0].face_values.assign(bad.meshes[0].triangles.size(), NAN);
  fails(bad, good, "value 0 is");

  RenderOptions options = good;
  options.width = 100000;
  fails(one_ball(), options, "16 to 8192 pixels");
  options = good;
  options.samples = 0;
  fails(one_ball(), options, "samples");
  options = good;
  options.exposure = NAN;
  fails(one_ball(), options, "exposure");
  options = good;
  options.value_min = 2;
  options.value_max = 1;
  fails(one_ball(), options, "backwards");
  options = good;
  options.width = options.height = 8192;
  fails(one_ball(), options, "4096 x 4096");

  Camera camera = camera_in_front();
  camera.target = camera.eye;
  fails(one_ball(), good, "same point", camera);
  camera = camera_in_front();
  camera.eye = {0, 5, 0};
  fails(one_ball(), good, "parallel", camera);
}

TEST(Render, OneValueAllOverIsNoFault) {
  RenderScene scene = one_ball();
  scene.meshes[0].vertex_values.assign(scene.meshes[0].positions.size(), 0);
  RenderOptions options = small_picture();
  EXPECT_TRUE(render(scene, camera_in_front(), options).ok());
  options.value_min = options.value_max = 0;
  EXPECT_TRUE(render(scene, camera_in_front(), options).ok());
}

TEST(Render, DegenerateTrianglesDoNoHarm) {
  RenderScene scene = one_ball();
  RenderMesh flat;
  flat.positions = {{2, 0, 0}, {2, 0, 0}, {2, 1, 0}, {2, 2, 0}};
  flat.triangles = {{0, 0, 0}, {0, 1, 2}, {0, 2, 3}};
  scene.meshes.push_back(flat);
  EXPECT_TRUE(render(scene, camera_in_front(), small_picture()).ok());
}

}  // namespace
}  // namespace sinew
