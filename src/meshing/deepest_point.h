// The depth of a solid: whether it is empty, and which cell size resolves it. Branch and bound over cubes, which omits
// those that a field of slope 1 rules out: if the value at the middle exceeds the distance to the corners, no point is
// inside.
#pragma once

#include "meshing/distance_field.h"

namespace sinew {

// The depth [m] of the deepest of at most `points` samples, a lower bound; samples near the surface or deep in the
// solid come first. 0 if none is inside by more than rounding, 1e-12 x size. With `any`, stops at the first point
// inside. For continuous and bounded fields.
double depth_of(const DistanceField& field, int points, bool any = false);
// The same within a box.
double depth_of(const DistanceField& field, const Bounds& within, int points, bool any = false);

}  // namespace sinew
