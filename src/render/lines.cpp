#include "render/lines.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "math/length.h"
#include "render/color_map.h"

namespace sinew {
namespace {

// Widths scale with the picture's height; thinner lines would not be seen.
double line_width(const Image& image) {
  return std::max(1.2, 0.0028 * image.height);
}
constexpr double rim = 0.7;          // of the width, on each side, in a dark colour: seen on all others
constexpr double head_angle = 0.45;  // [rad] between an arrow and each side of its head
constexpr Vec3f dark{0.02f, 0.02f, 0.025f};

struct Axes {
  Vec3d right, up, forward;
};
Axes axes_of(const Camera& camera) {
  const auto unit = [](Vec3d v) { return (1 / length(v)) * v; };
  const Vec3d forward = unit(camera.target - camera.eye), right = unit(cross(forward, camera.up));
  return {right, cross(right, forward), forward};
}

struct Segment {
  double from_x, from_y, to_x, to_y;  // [px]
};

// Blends a colour along a segment with round ends.
void stroke(Image& image, const Segment& s, double width, Vec3f color, float opacity) {
  const double reach = 0.5 * width + 1;
  const auto whole = [](double x, int most) { return static_cast<int>(std::clamp(x, 0.0, static_cast<double>(most))); };
  const int left = whole(std::min(s.from_x, s.to_x) - reach, image.width);
  const int right = whole(std::max(s.from_x, s.to_x) + reach + 1, image.width);
  const int top = whole(std::min(s.from_y, s.to_y) - reach, image.height);
  const int bottom = whole(std::max(s.from_y, s.to_y) + reach + 1, image.height);
  const double along_x = s.to_x - s.from_x, along_y = s.to_y - s.from_y, square = along_x * along_x + along_y * along_y;
  const float channels[] = {color.x, color.y, color.z};
  for (int y = top; y < bottom; ++y)
    for (int x = left; x < right; ++x) {
      const double dx = x + 0.5 - s.from_x, dy = y + 0.5 - s.from_y;
      const double t = square > 0 ? std::clamp((dx * along_x + dy * along_y) / square, 0.0, 1.0) : 0;
      const double distance = std::hypot(dx - t * along_x, dy - t * along_y);
      const auto cover = static_cast<float>(std::clamp(0.5 * width + 0.5 - distance, 0.0, 1.0)) * opacity;
      if (cover <= 0) continue;
      uint8_t* const pixel = image.pixel(x, y);
      for (int k = 0; k < 3; ++k) {
        const float below = linear_from_srgb(static_cast<float>(pixel[k]) / 255);
        pixel[k] = static_cast<uint8_t>(std::lround(255 * srgb_from_linear(below + cover * (channels[k] - below))));
      }
    }
}

}  // namespace

Vec3d seen_at(Vec3d point, const Camera& camera, int width, int height) {
  const Axes axes = axes_of(camera);
  const Vec3d d = point - camera.eye;
  const double depth = dot(d, axes.forward);
  const double pixels = 0.5 * height / (std::tan(camera.vertical_fov_degrees * M_PI / 360) * depth);
  return {0.5 * width + pixels * dot(d, axes.right), 0.5 * height - pixels * dot(d, axes.up), depth};
}

void draw_lines(Image& image, std::span<const RenderLine> lines, const Camera& camera) {
  const Axes axes = axes_of(camera);
  struct Drawn {
    double depth;
    const RenderLine* line;
    Vec3d from, to;
  };
  std::vector<Drawn> drawn;
  for (const RenderLine& line : lines) {
    const auto wide = [](Vec3f p) { return Vec3d{p.x, p.y, p.z}; };
    Vec3d from = wide(line.from), to = wide(line.to);
    const double near = 1e-3 * length(camera.target - camera.eye);
    const double d = dot(from - camera.eye, axes.forward), e = dot(to - camera.eye, axes.forward);
    if (!(std::max(d, e) > near)) continue;  // also where a number is not finite
    if (d < near) from += ((near - d) / (e - d)) * (to - from);
    if (e < near) to += ((near - e) / (d - e)) * (from - to);
    drawn.push_back({std::min(d, e), &line, from, to});
  }
  std::stable_sort(drawn.begin(), drawn.end(), [](const Drawn& a, const Drawn& b) { return a.depth > b.depth; });

  const double width = line_width(image);
  for (const Drawn& d : drawn) {
    const Vec3d from = seen_at(d.from, camera, image.width, image.height);
    const Vec3d to = seen_at(d.to, camera, image.width, image.height);
    std::vector<Segment> strokes{{from.x, from.y, to.x, to.y}};
    const double long_as = std::hypot(to.x - from.x, to.y - from.y);
    if (d.line->arrow && long_as > 0) {
      const double head = std::min(0.4 * long_as, 5 * width);
      const double back_x = (from.x - to.x) / long_as * head, back_y = (from.y - to.y) / long_as * head;
      for (const double side : {head_angle, -head_angle})
        strokes.push_back({to.x, to.y, to.x + back_x * std::cos(side) - back_y * std::sin(side),
                           to.y + back_x * std::sin(side) + back_y * std::cos(side)});
    }
    for (const Segment& s : strokes) stroke(image, s, (1 + 2 * rim) * width, dark, 0.75f);
    if (d.line->arrow) stroke(image, {from.x, from.y, from.x, from.y}, 3.8 * width, dark, 0.75f);
    for (const Segment& s : strokes) stroke(image, s, width, d.line->color, 1);
    if (d.line->arrow) stroke(image, {from.x, from.y, from.x, from.y}, 2.6 * width, d.line->color, 1);
  }
}

}  // namespace sinew
