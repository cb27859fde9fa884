#include "render/text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "render/color_map.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#define STB_TRUETYPE_IMPLEMENTATION
#define STBTT_STATIC
#include <stb_truetype.h>
#pragma GCC diagnostic pop

namespace sinew {
namespace {

// Its place on Debian, Fedora, Arch and their derivatives.
constexpr const char* places[] = {
    "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
    "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf",
    "/usr/share/fonts/TTF/DejaVuSans.ttf",
    "/usr/share/fonts/dejavu/DejaVuSans.ttf",
    "/usr/local/share/fonts/DejaVuSans.ttf",
};

struct Font {
  std::vector<unsigned char> data;
  stbtt_fontinfo info{};
  bool loaded = false;

  Font() {
    for (const char* place : places) {
      std::FILE* file = std::fopen(place, "rb");
      if (!file) continue;
      unsigned char chunk[1 << 16];
      data.clear();
      for (size_t got; (got = std::fread(chunk, 1, sizeof chunk, file)) > 0;)
        data.insert(data.end(), chunk, chunk + got);
      std::fclose(file);
      loaded = !data.empty() && stbtt_InitFont(&info, data.data(), stbtt_GetFontOffsetForIndex(data.data(), 0)) != 0;
      if (loaded) return;
    }
  }
};

const Font& font() {
  static const Font loaded;
  return loaded;
}

// Malformed UTF-8 becomes the replacement character.
std::vector<int> code_points(const std::string& text) {
  std::vector<int> points;
  for (size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i++]);
    int more = lead < 0x80 ? 0 : lead >= 0xf0 && lead < 0xf8 ? 3 : lead >= 0xe0 ? 2 : lead >= 0xc2 ? 1 : -1;
    if (lead >= 0xf8) more = -1;
    int point = more <= 0 ? lead : lead & (0x3f >> more);
    for (; more > 0; --more) {
      if (i >= text.size() || (static_cast<unsigned char>(text[i]) & 0xc0) != 0x80) break;
      point = point << 6 | (text[i++] & 0x3f);
    }
    points.push_back(more == 0 && point >= 0x20 ? point : more == 0 ? ' ' : 0xfffd);
  }
  return points;
}

void blend(Image& image, int x, int y, Vec3f color, float opacity) {
  if (x < 0 || y < 0 || x >= image.width || y >= image.height) return;
  uint8_t* p = image.pixel(x, y);
  const float target[] = {color.x, color.y, color.z};
  for (int c = 0; c < 3; ++c) {
    const float to = 255 * srgb_from_linear(target[c]);
    p[c] = static_cast<uint8_t>(std::lround(static_cast<float>(p[c]) + opacity * (to - static_cast<float>(p[c]))));
  }
}

}  // namespace

Status find_font() {
  if (font().loaded) return {};
  return Error{"picture", "no font was found, so it has no text", "install the package fonts-dejavu-core"};
}

double text_width(const std::string& text, double size) {
  if (!font().loaded) return 0;
  const float scale = stbtt_ScaleForMappingEmToPixels(&font().info, static_cast<float>(size));
  const std::vector<int> points = code_points(text);
  double width = 0;
  for (size_t i = 0; i < points.size(); ++i) {
    int advance = 0, bearing = 0;
    stbtt_GetCodepointHMetrics(&font().info, points[i], &advance, &bearing);
    width += scale * static_cast<float>(advance);
    if (i + 1 < points.size())
      width += scale * static_cast<float>(stbtt_GetCodepointKernAdvance(&font().info, points[i], points[i + 1]));
  }
  return width;
}

void draw_text(Image& image, const std::string& text, double x, double y, double size, Vec3f color, float opacity,
               Align align) {
  if (!font().loaded) return;
  if (align != Align::left) x -= text_width(text, size) * (align == Align::centre ? 0.5 : 1);
  const stbtt_fontinfo* info = &font().info;
  const float scale = stbtt_ScaleForMappingEmToPixels(info, static_cast<float>(size));
  const std::vector<int> points = code_points(text);
  std::vector<unsigned char> glyph;
  for (size_t i = 0; i < points.size(); ++i) {
    // Glyphs are placed to a fraction of a pixel.
    const double left = std::floor(x), base = std::floor(y);
    const float fx = static_cast<float>(x - left), fy = static_cast<float>(y - base);
    int x0, y0, x1, y1;
    stbtt_GetCodepointBitmapBoxSubpixel(info, points[i], scale, scale, fx, fy, &x0, &y0, &x1, &y1);
    const int w = x1 - x0, h = y1 - y0;
    if (w > 0 && h > 0) {
      glyph.assign(static_cast<size_t>(w) * h, 0);
      stbtt_MakeCodepointBitmapSubpixel(info, glyph.data(), w, h, w, scale, scale, fx, fy, points[i]);
      for (int gy = 0; gy < h; ++gy)
        for (int gx = 0; gx < w; ++gx)
          if (const unsigned char ink = glyph[static_cast<size_t>(gy) * w + gx])
            blend(image, static_cast<int>(left) + x0 + gx, static_cast<int>(base) + y0 + gy, color,
                  opacity * static_cast<float>(ink) / 255);
    }
    int advance = 0, bearing = 0;
    stbtt_GetCodepointHMetrics(info, points[i], &advance, &bearing);
    x += scale * static_cast<float>(advance);
    if (i + 1 < points.size())
      x += scale * static_cast<float>(stbtt_GetCodepointKernAdvance(info, points[i], points[i + 1]));
  }
}

}  // namespace sinew
