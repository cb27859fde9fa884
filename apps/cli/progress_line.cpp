#include "progress_line.h"

#include <algorithm>

#include "text.h"

namespace sinew::cli {
namespace {

constexpr int shortest_bar = 8, longest_bar = 40;  // [columns] between its brackets

std::string spaced(const std::vector<std::string>& pieces) {
  std::string line;
  for (const std::string& piece : pieces)
    if (!piece.empty()) line += (line.empty() ? "" : "  ") + piece;
  return line;
}

std::vector<std::string> pieces_of(const ProgressState& p) {
  std::vector<std::string> pieces{format("%3.0f %%", 100 * p.share), p.counts, p.when};
  pieces.insert(pieces.end(), p.figures.begin(), p.figures.end());
  return pieces;
}

}  // namespace

std::string duration_text(double seconds) {
  if (seconds < 60) return format("%.1f s", seconds);
  const auto whole = static_cast<long>(seconds + 0.5);
  if (whole < 3600) return format("%ld min %02ld s", whole / 60, whole % 60);
  return format("%ld h %02ld min", whole / 3600, whole / 60 % 60);
}

std::string left_text(double seconds) {
  return (seconds < 1 ? "< 1 s" : duration_text(seconds)) + " left";
}

std::string plain_line(const ProgressState& progress) {
  return spaced(pieces_of(progress));
}

std::string fitted_line(const ProgressState& progress, int width) {
  const auto room = static_cast<size_t>(std::max(width, 0));
  std::vector<std::string> pieces = pieces_of(progress);
  constexpr size_t percentage = 0, counts = 1, when = 2, first_figure = 3;
  std::vector<size_t> order;  // in which they go
  for (size_t k = pieces.size(); k-- > first_figure + 1;) order.push_back(k);
  order.insert(order.end(), {counts, when, percentage});
  std::string line = spaced(pieces);
  for (const size_t k : order) {
    if (line.size() <= room) break;
    pieces[k].clear();
    line = spaced(pieces);
  }
  if (line.size() > room) return line.substr(0, room);

  const int bar = std::min(static_cast<int>(room - line.size()) - 3, longest_bar);
  if (bar < shortest_bar) return line;
  const auto full = static_cast<size_t>(std::clamp(progress.share, 0.0, 1.0) * bar + 0.5);
  return "[" + std::string(full, '=') + std::string(static_cast<size_t>(bar) - full, ' ') + "] " + line;
}

}  // namespace sinew::cli
