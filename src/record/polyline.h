// Line simplification.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace sinew {

// The indices, ascending, of the points to keep so that the others are within `tolerance` of the line through these (U.
// Ramer 1972; D. Douglas, T. Peucker 1973); always the first and the last.
std::vector<size_t> simplified(const std::vector<std::array<double, 2>>& line, double tolerance);

}  // namespace sinew
