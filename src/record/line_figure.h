// Figures of curves in panels, drawn by gnuplot for a paper: every curve has a label at its end in its own colour
// instead of a legend.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace sinew {

struct FigureCurve {
  std::string label;
  std::string color;                              // "#rrggbb"
  int dash = 0;                                   // 0: solid
  std::vector<std::pair<double, double>> points;  // values that are not positive are omitted on logarithmic axes
};

struct FigurePanel {
  std::string x_title, y_title;
  bool log_x = false, log_y = true;
  // Whether all curves start at about the same value: curves that rise far above it have diverged and are cut off.
  bool common_start = true;
  std::vector<FigureCurve> curves;
};

struct LineFigure {
  std::string title;
  std::vector<std::string> lines;  // below the title
  int columns = 2;
  std::vector<FigurePanel> panels;
};

enum class FigureFormat { svg, png };

// A script for files/gnuplot.h.
std::string figure_script(const LineFigure& figure, FigureFormat format);

}  // namespace sinew
