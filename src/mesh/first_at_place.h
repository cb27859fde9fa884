// Vertices at the same place: files repeat them along seams, and sheets of a solid touch.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <tuple>
#include <vector>

#include "math/vec.h"

namespace sinew {

// For each point, the first point with exactly the same coordinates; points that are not finite equal only themselves.
inline std::vector<int32_t> first_at_place(std::span<const Vec3d> x) {
  std::vector<int32_t> first(x.size()), order;
  std::iota(first.begin(), first.end(), 0);
  order.reserve(x.size());
  for (size_t v = 0; v < x.size(); ++v)
    if (std::isfinite(x[v].x + x[v].y + x[v].z)) order.push_back(static_cast<int32_t>(v));
  const auto place = [&](int32_t v) { return std::tie(x[v].x, x[v].y, x[v].z); };
  std::sort(order.begin(), order.end(),
            [&](int32_t a, int32_t b) { return place(a) != place(b) ? place(a) < place(b) : a < b; });
  for (size_t k = 1; k < order.size(); ++k)
    if (place(order[k]) == place(order[k - 1])) first[order[k]] = first[order[k - 1]];
  return first;
}

}  // namespace sinew
