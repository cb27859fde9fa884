#include "render/color_map.h"

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

struct Lab {
  float l, a, b;
};

Vec3f linear_from_oklab(Lab c) {
  const float l = c.l + 0.3963377774f * c.a + 0.2158037573f * c.b;
  const float m = c.l - 0.1055613458f * c.a - 0.0638541728f * c.b;
  const float s = c.l - 0.0894841775f * c.a - 1.2914855480f * c.b;
  const float l3 = l * l * l, m3 = m * m * m, s3 = s * s * s;
  return {4.0767416621f * l3 - 3.3077115913f * m3 + 0.2309699292f * s3,
          -1.2684380046f * l3 + 2.6097574011f * m3 - 0.3413193965f * s3,
          -0.0041960863f * l3 - 0.7034186147f * m3 + 1.7076147010f * s3};
}

bool in_gamut(Vec3f c) {
  const auto fits = [](float x) { return x >= -1e-4f && x <= 1.0001f; };
  return fits(c.x) && fits(c.y) && fits(c.z);
}

// Reduces chroma until the colour is in gamut; keeps lightness and hue.
Vec3f shown(Lab c) {
  float inside = 0, outside = 1;
  Vec3f color = linear_from_oklab(c);
  if (!in_gamut(color)) {
    for (int k = 0; k < 20; ++k) {
      const float scale = 0.5f * (inside + outside);
      (in_gamut(linear_from_oklab({c.l, scale * c.a, scale * c.b})) ? inside : outside) = scale;
    }
    color = linear_from_oklab({c.l, inside * c.a, inside * c.b});
  }
  return {std::clamp(color.x, 0.0f, 1.0f), std::clamp(color.y, 0.0f, 1.0f), std::clamp(color.z, 0.0f, 1.0f)};
}

// Chroma and hue at evenly spaced points of a map.
struct Stop {
  float chroma, hue_degrees;
};

template <size_t n>
Lab along(const Stop (&stops)[n], float t, float l) {
  const float at = t * static_cast<float>(n - 1);
  const auto k = std::min(static_cast<size_t>(at), n - 2);
  const float f = at - static_cast<float>(k);
  const auto point = [&](size_t i) {
    const float hue = stops[i].hue_degrees * 0.01745329252f;
    return std::array<float, 2>{stops[i].chroma * std::cos(hue), stops[i].chroma * std::sin(hue)};
  };
  // Catmull-Rom through the stops.
  const auto p1 = point(k), p2 = point(k + 1);
  const auto p0 = point(k > 0 ? k - 1 : 0), p3 = point(std::min(k + 2, n - 1));
  const auto blend = [&](size_t c) {
    const float m1 = 0.5f * (p2[c] - p0[c]), m2 = 0.5f * (p3[c] - p1[c]);
    const float f2 = f * f, f3 = f2 * f;
    return (2 * f3 - 3 * f2 + 1) * p1[c] + (f3 - 2 * f2 + f) * m1 + (3 * f2 - 2 * f3) * p2[c] + (f3 - f2) * m2;
  };
  return {l, blend(0), blend(1)};
}

constexpr Stop viridis_stops[] = {{0.14f, 312}, {0.13f, 285}, {0.11f, 258}, {0.10f, 228}, {0.105f, 190},
                                  {0.13f, 163}, {0.17f, 143}, {0.19f, 126}, {0.185f, 108}};
constexpr Stop magma_stops[] = {{0.09f, 288}, {0.15f, 303}, {0.17f, 325}, {0.18f, 352},
                                {0.19f, 14},  {0.17f, 36},  {0.13f, 62},  {0.09f, 96}};

}  // namespace

Vec3f map_color(ColorMap map, float t) {
  t = t > 0 ? std::min(t, 1.0f) : 0.0f;
  switch (map) {
    case ColorMap::viridis:
      return shown(along(viridis_stops, t, 0.30f + 0.61f * t));
    case ColorMap::magma:
      return shown(along(magma_stops, t, 0.24f + 0.70f * t));
    case ColorMap::balance:
      break;
  }
  const float side = std::abs(2 * t - 1);
  const float hue = (t < 0.5f ? 255.0f : 30.0f) * 0.01745329252f;
  const float chroma = 0.19f * side * (1.35f - 0.35f * side);
  return shown({0.93f - 0.50f * side, chroma * std::cos(hue), chroma * std::sin(hue)});
}

std::array<Vec3f, 257> color_table(ColorMap map) {
  std::array<Vec3f, 257> table;
  for (int k = 0; k <= 256; ++k) table[k] = map_color(map, static_cast<float>(k) / 256);
  return table;
}

Vec3f object_color(int object) {
  // blue, orange, green, rose, sky, yellow, violet, slate
  constexpr Lab palette[] = {{0.586f, -0.025f, -0.137f}, {0.698f, 0.079f, 0.122f},   {0.611f, -0.116f, 0.047f},
                             {0.666f, 0.114f, 0.004f},   {0.760f, -0.055f, -0.075f}, {0.840f, -0.005f, 0.130f},
                             {0.562f, 0.087f, -0.082f},  {0.524f, 0.002f, -0.022f}};
  const int count = static_cast<int>(std::size(palette));
  return shown(palette[(object % count + count) % count]);
}

float srgb_from_linear(float x) {
  if (!(x > 0)) return 0;
  if (x >= 1) return 1;
  return x <= 0.0031308f ? 12.92f * x : 1.055f * std::pow(x, 1 / 2.4f) - 0.055f;
}

float linear_from_srgb(float x) {
  return x <= 0.04045f ? x / 12.92f : std::pow((x + 0.055f) / 1.055f, 2.4f);
}

}  // namespace sinew
