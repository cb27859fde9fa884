#include "record/polyline.h"

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

double distance(std::array<double, 2> p, std::array<double, 2> a, std::array<double, 2> b) {
  const double x = b[0] - a[0], y = b[1] - a[1], square = x * x + y * y;
  const double along = square > 0 ? ((p[0] - a[0]) * x + (p[1] - a[1]) * y) / square : 0;
  const double t = std::clamp(along, 0.0, 1.0);
  return std::hypot(p[0] - a[0] - t * x, p[1] - a[1] - t * y);
}

}  // namespace

std::vector<size_t> simplified(const std::vector<std::array<double, 2>>& line, double tolerance) {
  if (line.empty()) return {};
  std::vector<char> kept(line.size(), 0);
  kept.front() = kept.back() = 1;
  std::vector<std::array<size_t, 2>> open{{0, line.size() - 1}};
  while (!open.empty()) {
    const auto [first, last] = open.back();
    open.pop_back();
    double farthest = tolerance;
    size_t split = first;
    for (size_t k = first + 1; k < last; ++k) {
      const double d = distance(line[k], line[first], line[last]);
      if (d > farthest) {
        farthest = d;
        split = k;
      }
    }
    if (split == first) continue;
    kept[split] = 1;
    open.push_back({first, split});
    open.push_back({split, last});
  }
  std::vector<size_t> numbers;
  for (size_t k = 0; k < line.size(); ++k)
    if (kept[k]) numbers.push_back(k);
  return numbers;
}

}  // namespace sinew
