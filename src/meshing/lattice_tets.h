// The tets of the lattice, by which of its points they have.
#pragma once

#include <array>
#include <cstdint>

#include "meshing/lattice.h"

namespace sinew {

// The 12 tets of a cell: around each of the three long edges at its corner, between it and two of the four centres
// around it, counter-clockwise seen from its upper end.
struct LatticeTet {
  struct Corner {
    int sub, i, j, k;
  };
  struct Edge {
    int corner, number;  // the corner of the tet it belongs to, and its number there (CutPoints)
  };
  std::array<Corner, 4> corners{};
  std::array<Edge, 6> edges{};
  std::array<std::array<int8_t, 4>, 4> directions{};  // from corner to corner
  std::array<int, 4> halo{};                          // steps in the halo, from the cell's
  int parity = 0;
};
const std::array<LatticeTet, 12>& lattice_tets();

}  // namespace sinew
