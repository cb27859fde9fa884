// The line that says how far the work is, made to fit a terminal of any width.
#pragma once

#include <string>
#include <vector>

namespace sinew::cli {

struct Progress {
  double share = 0;                  // done, [0, 1]
  std::string counts;                // "138/150"
  std::string when;                  // "12 s left"; empty: not known yet
  std::vector<std::string> figures;  // the most important first
};

// "12.3 s", "4 min 05 s", "2 h 10 min".
std::string duration_text(double seconds);
// "12.3 s left", "< 1 s left".
std::string left_text(double seconds);

// "138/150  12 s left  FIGURES", whole.
std::string plain_line(const Progress& progress);
// The same in at most `width` columns, with a bar where there is room. What matters least goes first: the bar, the last
// figures, the counts, the time, the percentage. The first figure stays.
std::string fitted_line(const Progress& progress, int width);

}  // namespace sinew::cli
