// Sheets: the parts of the solid around a lattice point that has moved onto the surface. Two inner neighbours of it are
// of the same sheet where a chain of lattice edges among its inner neighbours joins them; each tet around the point has
// inner corners of one sheet only. A point of several sheets becomes as many vertices.
#pragma once

#include <array>
#include <cstdint>

#include "meshing/lattice.h"

namespace sinew {

// Of a point's 14 neighbours, by direction: those that each has an edge to, as bits.
inline constexpr std::array<uint16_t, edge_directions> neighbour_edges = [] {
  std::array<uint16_t, edge_directions> edges{};
  for (int d = 0; d < edge_directions; ++d)
    for (int e = 0; e < edge_directions; ++e) {
      const std::array<int, 3> a = direction_step(d), b = direction_step(e);
      const std::array<int, 3> step{a[0] - b[0], a[1] - b[1], a[2] - b[2]};
      for (int f = 0; f < edge_directions; ++f)
        if (direction_step(f) == step) edges[d] = static_cast<uint16_t>(edges[d] | 1u << e);
    }
  return edges;
}();

inline constexpr int most_sheets = 6;

struct Sheets {
  int count = 0;
  std::array<uint16_t, most_sheets> neighbours{};  // of each sheet, the inner neighbours as bits

  int of(int direction) const {
    for (int s = 0; s < count; ++s)
      if (neighbours[s] >> direction & 1) return s;
    return -1;
  }
};

// The parts into which lattice edges join some of a point's neighbours; ordered by their lowest direction.
inline Sheets connected_parts(uint16_t neighbours) {
  Sheets sheets;
  for (unsigned left = neighbours; left != 0;) {
    unsigned part = left & (0u - left), before = 0;
    while (part != before) {
      before = part;
      for (int d = 0; d < edge_directions; ++d)
        if (part >> d & 1) part |= neighbour_edges[d] & left;
    }
    sheets.neighbours[sheets.count++] = static_cast<uint16_t>(part);
    left &= ~part;
  }
  return sheets;
}

}  // namespace sinew
