// Expectations: a pinhole's pixels, computed by hand; what is drawn is looked for where they are.
#include "render/lines.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "render/color_map.h"

namespace sinew {
namespace {

// At 10 m in front of the origin; half of the picture's height is 1 m there.
Camera camera() {
  return {.eye = {0, 0, 10}, .target = {}, .up = {0, 1, 0}, .vertical_fov_degrees = 2 * std::atan(0.1) * 180 / M_PI};
}
Image grey() {
  return {200, 100, std::vector<uint8_t>(3 * 200 * 100, 128)};
}
bool is_red(const Image& image, int x, int y) {
  const uint8_t* const p = image.pixel(x, y);
  return p[0] > 200 && p[1] < 60 && p[2] < 60;
}
int changed(const Image& image) {
  int count = 0;
  for (int k = 0; k < 200 * 100; ++k) count += image.rgb[3 * static_cast<size_t>(k) + 1] != 128;
  return count;
}
constexpr Vec3f red{1, 0, 0};

TEST(Lines, PointsAreSeenWhereAPinholeHasThem) {
  const Vec3d middle = seen_at({0, 0, 0}, camera(), 200, 100);
  EXPECT_NEAR(middle.x, 100, 1e-9);
  EXPECT_NEAR(middle.y, 50, 1e-9);
  EXPECT_NEAR(middle.z, 10, 1e-9);
  const Vec3d aside = seen_at({1, 0.5, 5}, camera(), 200, 100);  // twice as large as at 0
  EXPECT_NEAR(aside.x, 200, 1e-9);
  EXPECT_NEAR(aside.y, 0, 1e-9);
  EXPECT_LT(seen_at({0, 0, 11}, camera(), 200, 100).z, 0);
}

TEST(Lines, GoFromEndToEnd) {
  Image image = grey();
  const RenderLine line{{-1, 0.2f, 0}, {1, 0.2f, 0}, red};
  draw_lines(image, std::span(&line, 1), camera());
  for (int x = 51; x < 149; ++x) EXPECT_TRUE(is_red(image, x, 39) || is_red(image, x, 40)) << x;
  for (const int x : {40, 160}) EXPECT_EQ(image.pixel(x, 40)[0], 128);
  for (const int y : {30, 50}) EXPECT_EQ(image.pixel(100, y)[0], 128);
}

TEST(Lines, ArrowsHaveAHeadAtTheirEnd) {
  Image plain = grey(), arrow = grey();
  RenderLine line{{-1, 0, 0}, {1, 0, 0}, red};
  draw_lines(plain, std::span(&line, 1), camera());
  line.arrow = true;
  draw_lines(arrow, std::span(&line, 1), camera());
  const auto height_at = [](const Image& image, int x) {
    int count = 0;
    for (int y = 0; y < 100; ++y) count += image.pixel(x, y)[1] != 128;
    return count;
  };
  EXPECT_EQ(height_at(arrow, 120), height_at(plain, 120));
  EXPECT_GT(height_at(arrow, 146), height_at(plain, 146) + 2);
  EXPECT_GT(height_at(arrow, 50), height_at(plain, 50));  // the dot
}

TEST(Lines, NearerOnesAreOnTop) {
  for (const bool turned : {false, true}) {
    std::vector<RenderLine> lines{{{-1, 0.01f, 0}, {1, 0.01f, 0}, {0, 0, 1}},
                                  {{-0.5f, 0.005f, 5}, {0.5f, 0.005f, 5}, red}};
    if (turned) std::swap(lines[0], lines[1]);
    Image image = grey();
    draw_lines(image, lines, camera());
    EXPECT_TRUE(is_red(image, 100, 49));
  }
}

TEST(Lines, WhatIsBehindTheCameraIsCutOff) {
  const float endless = std::numeric_limits<float>::infinity(), none = std::numeric_limits<float>::quiet_NaN();
  for (const RenderLine& line : {RenderLine{{0, 0, 12}, {1, 1, 30}, red}, RenderLine{{0, 0, none}, {1, 0, 0}, red}}) {
    Image image = grey();
    draw_lines(image, std::span(&line, 1), camera());
    EXPECT_EQ(changed(image), 0);
  }
  const RenderLine through[] = {{{0.3f, 0, 0}, {0.3f, 0, 20}, red, true},
                                {{0, 0, 0}, {endless, 0, 0}, red, true},
                                {{0, 1e30f, 0}, {0, -1e30f, 0}, red, true}};
  Image image = grey();
  draw_lines(image, std::span(through, 1), camera());
  EXPECT_TRUE(is_red(image, 150, 49) || is_red(image, 150, 50));
  EXPECT_FALSE(is_red(image, 50, 49) || is_red(image, 50, 50));  // not mirrored
  draw_lines(image, through, camera());
}

}  // namespace
}  // namespace sinew
