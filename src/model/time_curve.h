// A number over time: linear between times, as at the first before it and as at the last after it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace sinew {

struct TimeCurve {
  std::vector<double> times{0};   // [s] ascending
  std::vector<double> values{0};  // as many

  double at(double time) const {
    const auto next = static_cast<size_t>(std::upper_bound(times.begin(), times.end(), time) - times.begin());
    if (next == 0) return values.front();
    if (next == times.size()) return values.back();
    const double share = (time - times[next - 1]) / (times[next] - times[next - 1]);
    return values[next - 1] + share * (values[next] - values[next - 1]);
  }
};

}  // namespace sinew
