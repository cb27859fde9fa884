// A mesh as a user's file has it: no two vertices alike, in no order. Cells of six tets, inner vertices shaken, then
// random flips of two tets into three around a new edge and back (2-3 and 3-2: B. Joe, Three-dimensional
// triangulations from local transformations, 1989), which spread the tets a vertex has as Delaunay's do; at last
// vertices and tets are shuffled. The same mesh from the same numbers on every machine.
#pragma once

#include <cstdint>

#include "mesh/tet_mesh.h"

namespace sinew::bench {

struct IrregularMeshOptions {
  int cells = 8;       // along each side of the unit cube
  double shake = 0.2;  // of a cell, each coordinate; below 0.204, which could turn a tet inside out
  int rounds = 12;     // flips tried, per tet
  // Of the tets a flip makes: 12 (3 V)^(2/3) / sum of squared edges, 1 for a regular one, 0.76 for those of the cells.
  double quality = 0.25;
  uint64_t seed = 1;
};

// A unit cube; its surface stays as the cells have it. Linear in the number of tets, about 2 us each.
TetMesh make_irregular(const IrregularMeshOptions& options);

}  // namespace sinew::bench
