// How far inside itself a solid reaches: is there anything of it at all, and which cell would see it? Branch and bound
// over cubes, of which those are left out that a field of slope 1 rules out: where the value at the middle is larger
// than the distance to the corners, no point is inside.
#pragma once

#include "meshing/distance_field.h"

namespace sinew {

// The depth [m] of the deepest of so many points looked at, nearest to the surface or deepest first: a lower bound. 0
// where none is inside by more than 1e-12 of the solid's size, which is rounding. With `any`, the first that is inside
// is enough. For fields that are continuous and bounded.
double depth_of(const DistanceField& field, int points, bool any = false);
// In a part of space only.
double depth_of(const DistanceField& field, const Bounds& within, int points, bool any = false);

}  // namespace sinew
