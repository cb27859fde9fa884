#include "contact/median_cut.h"

#include <algorithm>

#include "contact/tree_parts.h"
#include "math/bounds.h"

namespace sinew {

void cut_at_medians(std::vector<int32_t>& order, int64_t first, int64_t last, int64_t smallest,
                    const std::vector<Vec3d>& middle) {
  const int64_t count = last - first;
  if (count <= smallest) return;
  int64_t run = smallest;
  while (run * block_size < count) run *= block_size;
  const int64_t half = first + (count + run - 1) / run / 2 * run;
  Bounds bounds;
  for (int64_t k = first; k < last; ++k) bounds.add(middle[static_cast<size_t>(order[static_cast<size_t>(k)])]);
  const Vec3d side = bounds.high - bounds.low;
  const auto cut_along = [&](auto axis) {
    std::nth_element(order.begin() + first, order.begin() + half, order.begin() + last, [&](int32_t a, int32_t b) {
      const double p = middle[static_cast<size_t>(a)].*axis, q = middle[static_cast<size_t>(b)].*axis;
      return p != q ? p < q : a < b;
    });
  };
  if (side.x >= side.y && side.x >= side.z)
    cut_along(&Vec3d::x);
  else if (side.y >= side.z)
    cut_along(&Vec3d::y);
  else
    cut_along(&Vec3d::z);
  cut_at_medians(order, first, half, smallest, middle);
  cut_at_medians(order, half, last, smallest, middle);
}

}  // namespace sinew
