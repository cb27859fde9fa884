// An irregular mesh, like one from a user's file: no two vertices alike, in random order. Cells of six tets, inner
// vertices shaken, then random flips of two tets into three around a new edge and back (2-3 and 3-2: B. Joe,
// Three-dimensional triangulations from local transformations, 1989), which make the number of tets per vertex vary as
// in Delaunay meshes; finally vertices and tets are shuffled. The mesh is the same on every machine.
#pragma once

#include <cstdint>

#include "mesh/tet_mesh.h"

namespace sinew::bench {

struct IrregularMeshOptions {
  int cells = 8;       // along each side of the unit cube
  double shake = 0.2;  // relative to a cell, each coordinate; below 0.204, which could invert a tet
  int rounds = 12;     // flips tried, per tet
  // Minimum quality of the tets from a flip: 12 (3 V)^(2/3) / sum of squared edges, 1 for a regular one, 0.76 for those
  // of the cells.
  double quality = 0.25;
  uint64_t seed = 1;
};

// A unit cube; its surface remains that of the cells. Linear in the number of tets, about 2 us each.
TetMesh make_irregular(const IrregularMeshOptions& options);

}  // namespace sinew::bench
