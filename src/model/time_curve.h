// A number over time: linear between the given times, constant before the first and after the last.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace sinew {

struct TimeCurve {
  std::vector<double> times{0};   // [s] ascending
  std::vector<double> values{0};  // one per time

  double at(double time) const {
    const auto next = static_cast<size_t>(std::upper_bound(times.begin(), times.end(), time) - times.begin());
    if (next == 0) return values.front();
    if (next == times.size()) return values.back();
    const double share = (time - times[next - 1]) / (times[next] - times[next - 1]);
    return values[next - 1] + share * (values[next] - values[next - 1]);
  }
};

}  // namespace sinew
