// Crumbs: fragments of parts of a solid that are thinner than a lattice's cells.
#pragma once

#include <cstdint>

#include "mesh/tet_mesh.h"
#include "meshing/distance_field.h"

namespace sinew {

struct ThinPieces {
  int64_t dropped = 0, kept = 0;  // pieces: tets joined by vertices
  double volume = 0;              // [m^3] of those dropped
};
// Crumbs are held by nothing. Drops each piece in which no vertex lies deeper than `depth` [m] in the solid, except the
// one with the most tets. Keeps the order of the rest.
ThinPieces drop_thin_pieces(TetMesh& mesh, const DistanceField& field, double depth);

}  // namespace sinew
