// The crumbs that parts of a solid thinner than a lattice's cells break into.
#pragma once

#include <cstdint>

#include "mesh/tet_mesh.h"
#include "meshing/distance_field.h"

namespace sinew {

struct ThinPieces {
  int64_t dropped = 0, kept = 0;  // pieces: tets joined by vertices
  double volume = 0;              // [m^3] of those dropped
};
// Nothing holds them. Drops each piece in which no vertex lies deeper
// than `depth` [m] in the solid, but not the one with the most tets. What remains keeps its order.
ThinPieces drop_thin_pieces(TetMesh& mesh, const DistanceField& field, double depth);

}  // namespace sinew
