#include "dataset/continuation.h"

#include <algorithm>
#include <limits>

namespace sinew {

std::vector<int64_t> parents_of(const DatasetPlan& plan, std::span<const double> table, int64_t first, int64_t last) {
  std::vector<int64_t> parents(static_cast<size_t>(last - first), -1);
  const size_t columns = plan.parameters.size();
  if (plan.start == DatasetStart::rest || columns == 0) return parents;
  std::vector<double> low(columns, std::numeric_limits<double>::infinity()), high(columns, -low[0]);
  for (size_t k = 0; k < table.size(); ++k) {
    low[k % columns] = std::min(low[k % columns], table[k]);
    high[k % columns] = std::max(high[k % columns], table[k]);
  }
  const auto distance = [&](int64_t a, int64_t b) {
    double sum = 0;
    for (size_t p = 0; p < columns; ++p) {
      if (!(high[p] > low[p])) continue;
      const double d = (table[static_cast<size_t>(a) * columns + p] - table[static_cast<size_t>(b) * columns + p]) /
                       (high[p] - low[p]);
      sum += d * d;
    }
    return sum;
  };
  for (int64_t k = first + 1; k < last; ++k) {
    double least = std::numeric_limits<double>::infinity();
    for (int64_t other = first; other < k; ++other) {
      const double d = distance(k, other);
      if (d < least) least = d, parents[static_cast<size_t>(k - first)] = other;
    }
  }
  return parents;
}

}  // namespace sinew
