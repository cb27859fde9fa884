// Cuts points at medians, into runs that are near each other.
#pragma once

#include <cstdint>
#include <vector>

#include "math/vec.h"

namespace sinew {

// Cuts order[first .. last) at medians across the longest side of the middles' box, into runs that begin at multiples
// of `smallest` times powers of 16, down to `smallest`. middle: of each number in `order`.
void cut_at_medians(std::vector<int32_t>& order, int64_t first, int64_t last, int64_t smallest,
                    const std::vector<Vec3d>& middle);

}  // namespace sinew
