// The tets of the lattice, by their points.
#pragma once

#include <array>
#include <cstdint>

#include "meshing/lattice.h"

namespace sinew {

// The 12 tets of a cell: for each of the three long edges at its corner, four between the edge and two successive of
// the four centres around it, counter-clockwise seen from its upper end.
struct LatticeTet {
  struct Corner {
    int sub, i, j, k;
  };
  struct Edge {
    int corner, number;  // the corner of the tet that owns it, and its number there (CutPoints)
  };
  std::array<Corner, 4> corners{};
  std::array<Edge, 6> edges{};
  std::array<std::array<int8_t, 4>, 4> directions{};  // from corner to corner
  std::array<int, 4> halo{};                          // steps in the halo, from the cell's
  int parity = 0;
};
const std::array<LatticeTet, 12>& lattice_tets();

}  // namespace sinew
