// Parts of a solid that are too thin for a lattice: its points lie all beside them, or were moved onto their surface.
#pragma once

#include <vector>

#include "math/vec.h"
#include "meshing/distance_field.h"
#include "meshing/lattice.h"

namespace sinew {

// A point [m] near each part of the solid that is a block or more away from all points inside, as they are after points
// have moved. A part is what lies in blocks beside each other. By a search of so many points for each: a thread may not
// be found.
std::vector<Vec3d> missed_parts(const DistanceField& field, const PointLattice& lattice);

}  // namespace sinew
