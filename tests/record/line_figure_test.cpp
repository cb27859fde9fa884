// Source: what record/line_figure.h says of its axes.
#include "record/line_figure.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <string>

namespace sinew {
namespace {

struct Range {
  double low = 0, high = 0;
};
Range range_of(const std::string& script, const std::string& axis) {
  Range r;
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

Range values_shown(bool common_start, std::vector<FigureCurve> curves) {
  LineFigure figure;
  figure.panels.push_back({.x_title = "x", .y_title = "y", .common_start = common_start, .curves = std::move(curves)});
  return range_of(figure_script(figure, FigureFormat::svg), "y");
}

TEST(LineFigure, CutsOffWhatDiverges) {
  const Range shown = values_shown(true, {growing(1, 0.5, 20), growing(1, 100, 20)});
  EXPECT_NEAR(shown.high, 1e3, 1);
  EXPECT_NEAR(shown.low, 1e-6, 1e-9);
}

// A body that begins at rest has next to no residual in its first step: nothing of what follows has diverged.
TEST(LineFigure, ShowsAllOfWhatGrowsInTime) {
  FigureCurve rising{"rising", "#000000", 0, {{0, 1e-9}, {1, 1}, {2, 30}, {3, 10}, {4, 80}}};
  const Range shown = values_shown(false, {rising});
  EXPECT_GT(shown.high, 99);
  EXPECT_LT(shown.low, 1.01e-9);
}

// ... but a method among others that blows up has.
TEST(LineFigure, CutsOffOneThatBlowsUpInTime) {
  const Range shown = values_shown(false, {growing(1, 1.1, 9), growing(2, 1.1, 9), growing(1, 1e6, 9)});
  EXPECT_LT(shown.high, 1e5);
}

// Signed values: what is inverted lies below 0, and one that blew up does not flatten the others.
TEST(LineFigure, HasLinearAxes) {
  LineFigure figure;
  figure.panels.push_back({.x_title = "x",
                           .y_title = "y",
                           .log_y = false,
                           .curves = {{"a", "#000000", 0, {{0, 1}, {1, 0.5}, {2, -0.7}}},
                                      {"b", "#000000", 0, {{0, 1}, {1, 0.9}, {2, 0.8}}},
                                      {"c", "#000000", 0, {{0, 1}, {1, -3e5}, {2, 8e9}}}}});
  const std::string script = figure_script(figure, FigureFormat::svg);
  const Range shown = range_of(script, "y");
  EXPECT_LT(shown.low, -0.7);
  EXPECT_GT(shown.low, -1);
  EXPECT_GT(shown.high, 1);
  EXPECT_LT(shown.high, 1.3);
  EXPECT_NE(script.find("2 -0.7\n"), std::string::npos) << "values below 0 are drawn";
}

// Of values that differ in their sixth digit only, the ticks' names do too.
TEST(LineFigure, NamesTicksByDigitsEnough) {
  LineFigure figure;
  figure.panels.push_back({.x_title = "x",
                           .y_title = "y",
                           .log_y = false,
                           .curves = {{"a", "#000000", 0, {{0, 0.1234561}, {1, 0.1234565}, {2, 0.1234569}}}}});
  const std::string script = figure_script(figure, FigureFormat::svg);
  EXPECT_NE(script.find("set format y '%.7g'"), std::string::npos) << script;
  EXPECT_NE(script.find("set format x '%.4g'"), std::string::npos);
}

TEST(LineFigure, NamesAPlaceOnAShortAxis) {
  LineFigure figure;
  figure.panels.push_back({.x_title = "time",
                           .y_title = "y",
                           .log_x = true,
                           .curves = {{"a", "#000000", 0, {{0.31, 1}}}, {"b", "#000000", 0, {{0.33, 2}}}}});
  const std::string script = figure_script(figure, FigureFormat::svg);
  const Range shown = range_of(script, "x");
  const size_t ticks = script.find("set xtics (");
  ASSERT_NE(ticks, std::string::npos);
  double first = 0;
  ASSERT_EQ(std::sscanf(script.c_str() + ticks, "set xtics ('%*[^']' %lf", &first), 1) << script.substr(ticks, 60);
  EXPECT_TRUE(first >= shown.low && first <= shown.high) << first;
}

}  // namespace
}  // namespace sinew
