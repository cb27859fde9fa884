// How a cube of a lattice lies in the coarse cube, twice its size, of which it is an octant.
#pragma once

#include "solver/multilevel/lattice_cells.h"

namespace sinew {

// Weight of the coarse cube's corner q at corner a of its child in octant o: a product of 0, 1/2 or 1 per axis.
constexpr double child_weight(int o, int a, int q) {
  double w = 1;
  for (int axis = 0; axis < 3; ++axis) {
    const double at = 0.5 * ((o >> axis & 1) + (a >> axis & 1));
    w *= (q >> axis & 1) ? at : 1 - at;
  }
  return w;
}
inline int octant(const LatticeCube& c) {
  return (c.i & 1) | (c.j & 1) << 1 | (c.k & 1) << 2;
}

}  // namespace sinew
