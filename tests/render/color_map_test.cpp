// Expectations: evenly increasing lightness (CIE L*, 1976), sRGB's transfer curve (IEC 61966-2-1), and colours that
// dichromats can distinguish (matrices: H. Brettel's model in the one-plane form of F. Vienot et al., 1999).
#include "render/color_map.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

double lightness(Vec3f c) {
  return 116 * std::cbrt(static_cast<double>(luminance(c))) - 16;
}

TEST(ColorMap, LightnessRisesEvenly) {
  for (ColorMap map : {ColorMap::viridis, ColorMap::magma}) {
    const auto table = color_table(map);
    const double mean = (lightness(table[256]) - lightness(table[0])) / 16;
    EXPECT_GT(mean, 3);
    for (int k = 16; k <= 256; k += 16) {
      const double step = lightness(table[k]) - lightness(table[k - 16]);
      EXPECT_GT(step, 0.6 * mean) << k;
      EXPECT_LT(step, 1.5 * mean) << k;
    }
    for (int k = 1; k <= 256; ++k) EXPECT_GT(luminance(table[k]), luminance(table[k - 1])) << k;
  }
}

TEST(ColorMap, BalanceIsSymmetricInLightness) {
  for (int k = 0; k <= 10; ++k) {
    const auto t = static_cast<float>(k) / 20;
    EXPECT_NEAR(lightness(map_color(ColorMap::balance, t)), lightness(map_color(ColorMap::balance, 1 - t)), 6);
  }
}

TEST(ColorMap, ClampsAndStaysInGamut) {
  for (ColorMap map : {ColorMap::viridis, ColorMap::magma, ColorMap::balance}) {
    for (float t : {-1.0f, 0.0f, 0.3f, 1.0f, 7.0f, NAN}) {
      const Vec3f c = map_color(map, t);
      for (float channel : {c.x, c.y, c.z}) {
        EXPECT_GE(channel, 0);
        EXPECT_LE(channel, 1);
      }
    }
    EXPECT_EQ(map_color(map, -1).x, map_color(map, 0).x);
    EXPECT_EQ(map_color(map, 2).y, map_color(map, 1).y);
  }
}

// Linear sRGB as a protanope or deuteranope sees it.
Vec3f without_red(Vec3f c) {
  const float red = 0.11238f * c.x + 0.88762f * c.y;
  return {red, red, 0.00401f * c.x - 0.00401f * c.y + c.z};
}
Vec3f without_green(Vec3f c) {
  const float red = 0.29275f * c.x + 0.70725f * c.y;
  return {red, red, -0.02234f * c.x + 0.02234f * c.y + c.z};
}
double distance(Vec3f a, Vec3f b) {
  double sum = 0;
  for (auto [x, y] : {std::pair{a.x, b.x}, {a.y, b.y}, {a.z, b.z}})
    sum += std::pow(srgb_from_linear(x) - srgb_from_linear(y), 2);
  return std::sqrt(sum);
}

TEST(ObjectColors, DifferForAllEyes) {
  for (int a = 0; a < 8; ++a) {
    for (int b = 0; b < a; ++b) {
      const Vec3f p = object_color(a), q = object_color(b);
      EXPECT_GT(distance(p, q), 0.2) << a << b;
      EXPECT_GT(distance(without_red(p), without_red(q)), 0.15) << a << b;
      EXPECT_GT(distance(without_green(p), without_green(q)), 0.15) << a << b;
    }
  }
  EXPECT_EQ(object_color(8).x, object_color(0).x);
  EXPECT_EQ(object_color(-1).x, object_color(7).x);
}

TEST(Srgb, IsItsOwnInverse) {
  for (int k = 0; k <= 255; ++k) {
    const float x = static_cast<float>(k) / 255;
    EXPECT_NEAR(srgb_from_linear(linear_from_srgb(x)), x, 1e-5);
  }
  EXPECT_NEAR(srgb_from_linear(0.5f), 0.7354, 1e-4);
}

}  // namespace
}  // namespace sinew
