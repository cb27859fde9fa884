#include "render/overlay.h"

#include <algorithm>
#include <cmath>

#include "base/format.h"
#include "render/text.h"

namespace sinew {
namespace {

constexpr Vec3f ink{0.035f, 0.037f, 0.042f};

// Everything scales with the picture's height; smaller text would not be legible.
double font_size(const Image& image) {
  return std::max(9.0, 0.0235 * image.height);
}

std::string superscript(int exponent) {
  static const char* digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = exponent < 0 ? "⁻" : "";
  for (char c : format("%d", std::abs(exponent))) text += digits[c - '0'];
  return text;
}

// "1.50" -> "1.5", "2.00" -> "2"
std::string without_trailing_zeros(std::string text) {
  if (text.find('.') == std::string::npos) return text;
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

// Cut to a width in pixels, between characters.
std::string shortened(std::string text, double width, double size) {
  if (text_width(text, size) <= width) return text;
  while (!text.empty() && text_width(text + "...", size) > width) {
    while (text.size() > 1 && (static_cast<unsigned char>(text.back()) & 0xc0) == 0x80) text.pop_back();
    text.pop_back();
  }
  return text + "...";
}

}  // namespace

std::string legend_number(double value, double range) {
  if (!std::isfinite(value)) return "?";
  range = std::isfinite(range) && range > 0 ? range : std::abs(value);
  // Values within rounding of zero are zero.
  if (std::abs(value) < 5e-4 * range) value = 0;
  if (value == 0) return "0";

  const double magnitude = std::abs(value);
  const std::string sign = value < 0 ? "−" : "";
  const int tens = static_cast<int>(std::floor(std::log10(magnitude)));
  const int range_tens = static_cast<int>(std::floor(std::log10(range)));
  if (range >= 1e-3 && magnitude < 1e5) {
    const std::string digits = without_trailing_zeros(format("%.*f", std::clamp(2 - range_tens, 0, 9), magnitude));
    return digits == "0" ? digits : sign + digits;
  }
  const int needed = std::clamp(tens - range_tens + 2, 2, 8);
  std::string digits = format("%.*e", needed, magnitude);
  const size_t e = digits.find('e');
  const int exponent = std::atoi(digits.c_str() + e + 1);
  return sign + without_trailing_zeros(digits.substr(0, e)) + "·10" + superscript(exponent);
}

std::string legend_title(const std::string& title, const std::string& unit) {
  if (unit.empty() || unit == "-") return title;
  return title.empty() ? "[" + unit + "]" : title + " [" + unit + "]";
}

void draw_legend(Image& image, const RenderOptions& options, float low, float high) {
  const double size = font_size(image);
  const double range = static_cast<double>(high) - low;
  const std::string numbers[] = {legend_number(low, range),
                                 legend_number(0.5 * (static_cast<double>(low) + high), range),
                                 legend_number(high, range)};
  double widest = 0;
  for (const std::string& number : numbers) widest = std::max(widest, text_width(number, size));

  // A bar at the right, its numbers beside it, the title over both, flush right when it is the longest.
  const int bar_width = static_cast<int>(std::lround(0.95 * size));
  const int bar_height = static_cast<int>(std::lround(0.38 * image.height));
  const double gap = 0.5 * size, margin = 0.045 * image.height;
  const int left = static_cast<int>(std::lround(image.width - margin - widest - gap - bar_width));
  const int top = static_cast<int>(std::lround(0.5 * (image.height - bar_height) + 0.7 * size));
  if (left < 0 || bar_height < 8) return;

  const auto colors = color_table(options.color_map);
  for (int y = 0; y < bar_height; ++y) {
    const double t = 256 * (1 - (y + 0.5) / bar_height);
    const int cell = std::min(static_cast<int>(t), 255);
    const float f = static_cast<float>(t - cell);
    const Vec3f c = colors[cell] + f * (colors[cell + 1] - colors[cell]);
    for (int x = 0; x < bar_width; ++x) {
      if (left + x >= image.width || top + y >= image.height) continue;
      uint8_t* p = image.pixel(left + x, top + y);
      const float channels[] = {c.x, c.y, c.z};
      for (int k = 0; k < 3; ++k) p[k] = static_cast<uint8_t>(std::lround(255 * srgb_from_linear(channels[k])));
    }
  }

  const double x = left + bar_width + gap;
  for (int k = 0; k < 3; ++k) {
    const double y = top + bar_height * (1 - 0.5 * k);
    draw_text(image, numbers[k], x, y + 0.36 * size, size, ink, 0.9f, Align::left);
  }
  const std::string title = legend_title(options.legend_title, options.legend_unit);
  const double title_left = std::min<double>(left, image.width - margin - text_width(title, size));
  draw_text(image, title, std::max(title_left, margin), top - 0.95 * size, size, ink, 0.95f, Align::left);
}

void draw_legend_entries(Image& image, const RenderOptions& options) {
  const double size = font_size(image), margin = 0.045 * image.height, line = 1.6 * size, gap = 0.5 * size;
  const auto most = static_cast<size_t>(std::max(1.0, (image.height - 2 * margin) / line - 1));
  std::vector<LegendEntry> entries = options.legend_entries;
  if (entries.size() > most) {
    entries.resize(most);
    entries.back().name = "...";
  }
  double widest = 0;
  for (LegendEntry& entry : entries) {
    entry.name = shortened(entry.name, 0.25 * image.width, size);
    widest = std::max(widest, text_width(entry.name, size));
  }

  const int side = static_cast<int>(std::lround(0.95 * size));
  const int left = std::max(0, static_cast<int>(std::lround(image.width - margin - widest - gap - side)));
  double top = 0.5 * (image.height - line * static_cast<double>(entries.size())) + 0.7 * size;
  const double title_left = std::min<double>(left, image.width - margin - text_width(options.legend_title, size));
  draw_text(image, options.legend_title, std::max(title_left, margin), top - 0.65 * size, size, ink, 0.95f,
            Align::left);
  for (const LegendEntry& entry : entries) {
    const float channels[] = {entry.color.x, entry.color.y, entry.color.z};
    const int first = static_cast<int>(std::lround(top));
    for (int y = std::max(first, 0); y < std::min(first + side, image.height); ++y)
      for (int x = left; x < std::min(left + side, image.width); ++x)
        for (int k = 0; k < 3; ++k)
          image.pixel(x, y)[k] = static_cast<uint8_t>(std::lround(255 * srgb_from_linear(channels[k])));
    draw_text(image, entry.name, left + side + gap, top + 0.82 * side, size, ink, 0.9f, Align::left);
    top += line;
  }
}

void draw_captions(Image& image, const RenderOptions& options) {
  const double size = font_size(image), margin = 0.045 * image.height;
  const double y = image.height - margin;
  if (!options.caption.empty()) draw_text(image, options.caption, margin, y, size, ink, 0.8f, Align::left);
  if (!options.stamp.empty()) draw_text(image, options.stamp, image.width - margin, y, size, ink, 0.8f, Align::right);
}

}  // namespace sinew
