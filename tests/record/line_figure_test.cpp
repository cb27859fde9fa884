// Source: record/line_figure.h, on axes.
#include "record/line_figure.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <sstream>
#include <string>
#include <vector>

#include "base/format.h"

namespace sinew {
namespace {

struct ShownRange {
  double low = 0, high = 0;
};
ShownRange range_of(const std::string& script, const std::string& axis) {
  ShownRange r;
  const size_t at = script.find("set " + axis + "range [");
  EXPECT_NE(at, std::string::npos) << script;
  std::sscanf(script.c_str() + at + axis.size() + 11, "%lf:%lf", &r.low, &r.high);
  return r;
}

FigureCurve growing(double first, double factor, int points) {
  FigureCurve curve{"curve", "#000000", 0, {}};
  for (int k = 0; k < points; ++k) curve.points.emplace_back(k + 1, first * std::pow(factor, k));
  return curve;
}

ShownRange values_shown(bool common_start, std::vector<FigureCurve> curves) {
  LineFigure figure;
  figure.panels.push_back({.x_title = "x", .y_title = "y", .common_start = common_start, .curves = std::move(curves)});
  return range_of(figure_script(figure, FigureFormat::svg), "y");
}

TEST(LineFigure, CutsOffWhatDiverges) {
  const ShownRange shown = values_shown(true, {growing(1, 0.5, 20), growing(1, 100, 20)});
  EXPECT_NEAR(shown.high, 1e3, 1);
  EXPECT_NEAR(shown.low, 1e-6, 1e-9);
}

// A body that starts at rest has almost no residual in its first step: the later growth is not divergence.
TEST(LineFigure, ShowsAllOfWhatGrowsInTime) {
  FigureCurve rising{"rising", "#000000", 0, {{0, 1e-9}, {1, 1}, {2, 30}, {3, 10}, {4, 80}}};
  const ShownRange shown = values_shown(false, {rising});
  EXPECT_GT(shown.high, 99);
  EXPECT_LT(shown.low, 1.01e-9);
}

// ... but one method that blows up has diverged.
TEST(LineFigure, CutsOffOneThatBlowsUpInTime) {
  const ShownRange shown = values_shown(false, {growing(1, 1.1, 9), growing(2, 1.1, 9), growing(1, 1e6, 9)});
  EXPECT_LT(shown.high, 1e5);
}

// Signed values: inverted elements are below 0, and a curve that blew up does not flatten the others.
TEST(LineFigure, HasLinearAxes) {
  LineFigure figure;
  figure.panels.push_back({.x_title = "x",
                           .y_title = "y",
                           .log_y = false,
                           .curves = {{"a", "#000000", 0, {{0, 1}, {1, 0.5}, {2, -0.7}}},
                                      {"b", "#000000", 0, {{0, 1}, {1, 0.9}, {2, 0.8}}},
                                      {"c", "#000000", 0, {{0, 1}, {1, -3e5}, {2, 8e9}}}}});
  const std::string script = figure_script(figure, FigureFormat::svg);
  const ShownRange shown = range_of(script, "y");
  EXPECT_LT(shown.low, -0.7);
  EXPECT_GT(shown.low, -1);
  EXPECT_GT(shown.high, 1);
  EXPECT_LT(shown.high, 1.3);
  EXPECT_NE(script.find("2 -0.7\n"), std::string::npos) << "values below 0 are drawn";
}

std::string script_of(const FigurePanel& panel, const std::string& title = "") {
  LineFigure figure;
  figure.title = title;
  figure.panels.push_back(panel);
  return figure_script(figure, FigureFormat::svg);
}

// The tick labels of an axis, in order.
std::vector<std::string> tick_names(const std::string& script, const std::string& axis) {
  std::vector<std::string> names;
  const size_t begin = script.find("set " + axis + "tics ("), end = script.find(')', begin);
  EXPECT_NE(begin, std::string::npos) << script;
  for (size_t at = script.find('\'', begin); at < end; at = script.find('\'', at + 1)) {
    const size_t close = script.find('\'', at + 1);
    names.push_back(script.substr(at + 1, close - at - 1));
    at = close;
  }
  return names;
}

// Multipliers start at 0, and XPBD near its target: the first residual is round-off, and the relevant values come
// later.
TEST(LineFigure, ShowsWhatBeginsAtRoundOff) {
  FigureCurve jumps{"jumps", "#000000", 0, {{0, 1.5e-5}, {1, 80}, {2, 60}, {3, 50}, {4, 43}}};
  FigureCurve stays{"stays", "#000000", 0, {{0, 1.5e-5}, {1, 1.4e-5}, {2, 1.6e-5}, {3, 1.5e-5}, {4, 1.3e-5}}};
  for (const auto& curves : {std::vector{jumps}, {jumps, stays}, {jumps, stays, stays, stays}}) {
    const ShownRange shown = values_shown(true, curves);
    EXPECT_NEAR(shown.high, 100, 1);
    EXPECT_LE(shown.low, 1.3e-5);
  }
  // One that keeps growing from there has diverged.
  EXPECT_LT(values_shown(true, {growing(1e-5, 100, 20), stays}).high, 1);
}

// The same is cut off over iterations and over milliseconds, which start at 0.
TEST(LineFigure, CutsOffAlikeWhereTheStartIsNotShown) {
  FigurePanel panel{.x_title = "x",
                    .y_title = "y",
                    .log_y = false,
                    .curves = {{"far", "#000000", 0, {{0, 1}, {1, 500}, {2, 200}, {3, 150}}},
                               {"near", "#000000", 0, {{0, 1}, {1, 0.9}, {2, 0.5}, {3, 0.5}}}}};
  for (const bool log_x : {false, true}) {
    panel.log_x = log_x;
    EXPECT_LT(range_of(script_of(panel), "y").high, 10) << log_x;
  }
}

TEST(LineFigure, ShowsPlacesThatBeginAtZero) {
  const std::string script = script_of({.x_title = "x",
                                        .y_title = "y",
                                        .log_y = false,
                                        .curves = {{"a", "#000000", 0, {{0, 1e-17}, {1, -0.05}, {2, -0.1}}}}});
  EXPECT_LT(range_of(script, "y").low, -0.1);
  EXPECT_LT(range_of(script, "y").high, 0.02);
  EXPECT_EQ(tick_names(script, "x").front(), "0");
}

// Values that differ only in their sixth digit are drawn relative to one of them, with short tick labels.
TEST(LineFigure, DrawsValuesThatDifferByLittleRelativeToOne) {
  const std::string script =
      script_of({.x_title = "x",
                 .y_title = "x_y^2_z [m]",
                 .log_y = false,
                 .curves = {{"a", "#000000", 0, {{0, 0.123456}, {1, 0.1234564}, {2, 0.1234566}}}}});
  EXPECT_NE(script.find("set ylabel 'x_y^2_z - 0.123456 [m]' noenhanced"), std::string::npos) << script;
  const ShownRange shown = range_of(script, "y");
  EXPECT_NEAR(shown.low, -0.36e-7, 1e-9);
  EXPECT_NEAR(shown.high, 6.36e-7, 1e-9);
  const std::vector<std::string> names = tick_names(script, "y");
  EXPECT_GE(names.size(), 3u);
  for (const std::string& name : names) EXPECT_LE(name.size(), 11u) << name;
  EXPECT_EQ(names.front(), "0");
  EXPECT_EQ(names.back(), "6·10^{-7}");
}

// A value that is constant up to round-off is a straight line on a scale of its own size.
TEST(LineFigure, DrawsNoRoundOff) {
  const std::string script = script_of({.x_title = "x",
                                        .y_title = "y",
                                        .log_y = false,
                                        .curves = {{"a", "#000000", 0, {{0, -0.5}, {1, -0.5 + 1e-12}}}}});
  const ShownRange shown = range_of(script, "y");
  EXPECT_NEAR(shown.low, -0.55, 1e-3);
  EXPECT_NEAR(shown.high, -0.45, 1e-3);
  EXPECT_NE(script.find("set ylabel 'y'"), std::string::npos);
}

// All tick labels differ, and there is room for the longest.
TEST(LineFigure, TellsItsTicksApart) {
  for (const double range : {0.0, 1e-15, 1e-12, 1e-9, 1e-6, 1e-3, 0.1, 3.0, 1e9}) {
    for (const double from : {0.0, 0.5, -0.1, 123456.0, -0.0001234}) {
      const std::string script = script_of({.x_title = "x",
                                            .y_title = "y",
                                            .log_y = false,
                                            .curves = {{"a", "#000000", 0, {{0, from}, {1, from + range}}}}});
      const ShownRange shown = range_of(script, "y");
      EXPECT_LT(shown.low, shown.high);
      std::vector<std::string> names = tick_names(script, "y");
      EXPECT_GE(names.size(), 2u) << from << " + " << range;
      for (const std::string& name : names) EXPECT_LE(name.size(), 15u) << name;
      std::sort(names.begin(), names.end());
      EXPECT_EQ(std::unique(names.begin(), names.end()), names.end()) << from << " + " << range;
    }
  }
}

TEST(LineFigure, WritesLettersThatFontsMayLackByTheirNumbers) {
  const std::string script =
      script_of({.x_title = "x", .y_title = "Höhe µ [m]", .curves = {growing(1, 2, 3)}}, "橋_\xff");
  EXPECT_NE(script.find("\\\\u6a4b\\_\\\\xff"), std::string::npos) << script;
  EXPECT_NE(script.find("Höhe µ [m]"), std::string::npos);
}

// Ten methods that end at the same level: no labels overlap.
TEST(LineFigure, KeepsLabelsApart) {
  LineFigure figure;
  FigurePanel panel{.x_title = "x", .y_title = "y", .curves = {}};
  for (int k = 0; k < 12; ++k)
    panel.curves.push_back({format("fp_pxpbd:precision=double,k=%d", k), "#000000", 0, {{0, 1}, {10 + k % 3, 1e-9}}});
  figure.panels = {panel, panel};
  const std::string script = figure_script(figure, FigureFormat::svg);
  double width = 0, height = 0;
  std::sscanf(script.c_str() + script.find("size "), "size %lf,%lf", &width, &height);
  struct Line {
    double left, right, y;
  };
  std::vector<Line> lines;
  const std::string begin = "set label '";
  for (size_t at = script.find(begin); at != std::string::npos; at = script.find(begin, at + 1)) {
    const size_t text = at + begin.size(), end = script.find('\'', text);
    double x = 0, y = 0;
    std::sscanf(script.c_str() + end, "' at screen %lf,%lf", &x, &y);
    lines.push_back({x * width, x * width + 7 * static_cast<double>(end - text), y * height});
  }
  EXPECT_GT(lines.size(), 24u);
  for (size_t a = 0; a < lines.size(); ++a) {
    EXPECT_LT(lines[a].right, width);
    for (size_t b = 0; b < a; ++b) {
      const bool apart = lines[a].right < lines[b].left || lines[b].right < lines[a].left;
      EXPECT_TRUE(apart || std::abs(lines[a].y - lines[b].y) > 13) << a << " and " << b;
    }
  }
}

TEST(LineFigure, NamesAPlaceOnAShortAxis) {
  LineFigure figure;
  figure.panels.push_back({.x_title = "time",
                           .y_title = "y",
                           .log_x = true,
                           .curves = {{"a", "#000000", 0, {{0.31, 1}}}, {"b", "#000000", 0, {{0.33, 2}}}}});
  const std::string script = figure_script(figure, FigureFormat::svg);
  const ShownRange shown = range_of(script, "x");
  const size_t ticks = script.find("set xtics (");
  ASSERT_NE(ticks, std::string::npos);
  double first = 0;
  ASSERT_EQ(std::sscanf(script.c_str() + ticks, "set xtics ('%*[^']' %lf", &first), 1) << script.substr(ticks, 60);
  EXPECT_TRUE(first >= shown.low && first <= shown.high) << first;
}

// A line of 1e4 iterations on 330 pixels: the drawn points lie on it and include both ends.
TEST(LineFigure, DrawsWhatCanBeSeenOfALongCurve) {
  LineFigure figure;
  figure.panels.push_back({.x_title = "x", .y_title = "y", .curves = std::vector<FigureCurve>(1)});
  for (int k = 0; k <= 10000; ++k) figure.panels[0].curves[0].points.emplace_back(k, std::pow(0.999, k));
  const std::string script = figure_script(figure, FigureFormat::svg);
  const size_t begin = script.find("$curve_0_0 << END\n") + 18, end = script.find("END", begin);
  std::istringstream data(script.substr(begin, end - begin));
  double x = 0, y = 0, last = -1;
  int count = 0;
  for (; data >> x >> y; ++count) {
    EXPECT_NEAR(y, std::pow(0.999, x), 1e-8 * y);
    if (count == 0) {
      EXPECT_EQ(x, 0);
    }
    last = x;
  }
  EXPECT_EQ(last, 10000);
  EXPECT_LT(count, 10);
}

}  // namespace
}  // namespace sinew
