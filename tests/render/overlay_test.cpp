// Expectations: numbers computed by hand; text compared with itself.
#include "render/overlay.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "render/text.h"

namespace sinew {
namespace {

TEST(LegendNumber, HasTheDigitsThatTheRangeAsksFor) {
  EXPECT_EQ(legend_number(0, 1), "0");
  EXPECT_EQ(legend_number(0.5, 1), "0.5");
  EXPECT_EQ(legend_number(0.25, 0.5), "0.25");
  EXPECT_EQ(legend_number(0.0089632, 0.314), "0.009");
  EXPECT_EQ(legend_number(0.323123, 0.314), "0.323");
  EXPECT_EQ(legend_number(-1.5, 3), "−1.5");
  EXPECT_EQ(legend_number(1e-9, 1), "0");
  EXPECT_EQ(legend_number(-1e-9, 1), "0");
  EXPECT_EQ(legend_number(12345, 12345), "12345");
  EXPECT_EQ(legend_number(100.01, 0.02), "100.01");
  EXPECT_EQ(legend_number(1.25e-5, 2.5e-5), "1.25·10⁻⁵");
  EXPECT_EQ(legend_number(-2e7, 4e7), "−2·10⁷");
  EXPECT_EQ(legend_number(3.1e12, 3.1e12), "3.1·10¹²");
  EXPECT_EQ(legend_number(NAN, 1), "?");
}

TEST(LegendTitle, NamesTheUnit) {
  EXPECT_EQ(legend_title("displacement", "m"), "displacement [m]");
  EXPECT_EQ(legend_title("strain", "-"), "strain");
  EXPECT_EQ(legend_title("", "N"), "[N]");
}

Image grey() {
  return {160, 90, std::vector<uint8_t>(3 * 160 * 90, 200)};
}

// The first and last column with a drawn pixel.
std::pair<int, int> drawn(const Image& image) {
  int first = image.width, last = -1;
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x)
      if (image.pixel(x, y)[0] != 200) {
        first = std::min(first, x);
        last = std::max(last, x);
      }
  return {first, last};
}

TEST(Text, LiesWhereItIsAligned) {
  if (!find_font()) GTEST_SKIP() << find_font().error().message();
  const double width = text_width("Sinew 12", 16);
  EXPECT_GT(width, 40);
  EXPECT_LT(width, 90);
  for (auto [align, begin] :
       {std::pair{Align::left, 80.0}, {Align::centre, 80 - width / 2}, {Align::right, 80 - width}}) {
    Image image = grey();
    draw_text(image, "Sinew 12", 80, 50, 16, {0, 0, 0}, 1, align);
    const auto [first, last] = drawn(image);
    EXPECT_NEAR(first, begin, 3);
    EXPECT_NEAR(last, begin + width, 3);
  }
}

TEST(Text, SurvivesWhatIsNoText) {
  Image image = grey();
  draw_text(image, "\xff\xc3\xe2\x82 \xf0\x9f\x98\x80\n", 2, 40, 16, {0, 0, 0}, 1, Align::left);
  draw_text(image, "beyond the edges of the picture", -60, 2, 40, {0, 0, 0}, 1, Align::left);
  draw_text(image, "and below", 100, 500, 40, {0, 0, 0}, 1, Align::left);
  draw_text(image, "", 0, 0, 10, {0, 0, 0}, 1, Align::left);
}

TEST(Legend, FitsIntoSmallPictures) {
  RenderOptions options;
  options.legend_title = "a title that is much too long for a picture as small as this one";
  options.legend_unit = "m/s";
  for (auto [w, h] : {std::pair{16, 16}, {16, 400}, {400, 16}, {64, 64}}) {
    Image image{w, h, std::vector<uint8_t>(3 * size_t(w) * size_t(h), 200)};
    draw_legend(image, options, 0, 1);
    draw_captions(image, options);
  }
}

TEST(Legend, EntriesShowTheirColorsAndFitIntoSmallPictures) {
  RenderOptions options;
  options.legend_title = "material";
  for (int k = 0; k < 40; ++k) options.legend_entries.push_back({std::string(200, 'w') + "\xc3\xa9", object_color(k)});
  for (auto [w, h] : {std::pair{16, 16}, {16, 400}, {400, 16}, {64, 64}}) {
    Image image{w, h, std::vector<uint8_t>(3 * size_t(w) * size_t(h), 200)};
    draw_legend_entries(image, options);
  }

  options.legend_entries = {{"soft", object_color(0)}, {"stiff", object_color(1)}};
  Image image{320, 180, std::vector<uint8_t>(3 * 320 * 180, 200)};
  draw_legend_entries(image, options);
  for (const LegendEntry& entry : options.legend_entries) {
    const float channels[] = {entry.color.x, entry.color.y, entry.color.z};
    int shown = 0;
    for (int y = 0; y < image.height; ++y)
      for (int x = 0; x < image.width; ++x) {
        bool same = true;
        for (int c = 0; c < 3; ++c)
          same = same && image.pixel(x, y)[c] == static_cast<int>(std::lround(255 * srgb_from_linear(channels[c])));
        shown += same;
      }
    EXPECT_NEAR(shown, 81, 30) << entry.name << ": a square of about nine pixels";
  }
}

}  // namespace
}  // namespace sinew
