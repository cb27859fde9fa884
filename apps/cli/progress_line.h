// The progress line, fitted to a terminal of any width.
#pragma once

#include <string>
#include <vector>

namespace sinew::cli {

struct ProgressState {
  double share = 0;                  // done, [0, 1]
  std::string counts;                // "138/150"
  std::string when;                  // "12 s left"; empty: unknown yet
  std::vector<std::string> figures;  // the most important first
};

// "12.3 s", "4 min 05 s", "2 h 10 min".
std::string duration_text(double seconds);
// "12.3 s left", "< 1 s left".
std::string left_text(double seconds);

// "138/150  12 s left  FIGURES", whole.
std::string plain_line(const ProgressState& progress);
// The same in at most `width` columns, with a bar if there is room. Drops the least important parts first: the bar, the
// last figures, the counts, the time, the percentage. Keeps the first figure.
std::string fitted_line(const ProgressState& progress, int width);

}  // namespace sinew::cli
