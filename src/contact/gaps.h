// How near the two sides of a pair may come to each other under Limits.
#pragma once

#include <algorithm>

namespace sinew {

// The part of a gap that stays between the planes of a pair.
inline constexpr double part_between = .1;

// [m] Pairs nearer than twice this approach no further (Limits::divide). `size`: the largest coordinate [m]; `single`:
// positions are floats. The rounding of positions must be small against it.
inline double least_gap(double radius, double size, bool single) {
  const double half_ulp = single ? 0x1p-24 : 0x1p-53;
  return std::max(1e-3 * radius, 64 * half_ulp * size);
}
// [m] By however many divisions, no gap falls below this; where one starts there it stays.
inline double narrowest_gap(double least_gap) {
  return 2 * part_between * least_gap;
}
// [m] What must stay of a gap until the next division: of wide ones a tenth, of near ones nearly all.
inline double gap_kept(double gap, double least_gap) {
  if (gap > 2 * least_gap) return part_between * gap;
  return gap - std::max(0., std::min(.1 * (gap - narrowest_gap(least_gap)), .02 * gap));
}

}  // namespace sinew
