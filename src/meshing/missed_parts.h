// Parts of a solid that are too thin for a lattice: all lattice points miss them or were moved onto their surface.
#pragma once

#include <vector>

#include "math/vec.h"
#include "meshing/distance_field.h"
#include "meshing/lattice.h"

namespace sinew {

// A point [m] near each part of the solid that is a block or more away from all inside points, after points have moved.
// A part consists of adjacent blocks. The search has a limited number of samples per part: a thread may be missed.
std::vector<Vec3d> missed_parts(const DistanceField& field, const PointLattice& lattice);

}  // namespace sinew
