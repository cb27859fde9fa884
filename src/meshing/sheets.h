// Sheets: the parts of the solid around a lattice point that has moved onto the surface, each of tets that are joined
// by faces. Each tet there has inner corners of one sheet only. A point gets a vertex for each of its sheets.
#pragma once

#include <array>
#include <cstdint>

#include "meshing/lattice.h"

namespace sinew {

// For each of a point's 14 neighbours, by direction: the neighbours to which it has an edge, as bits.
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
  std::array<uint16_t, most_sheets> neighbours{};  // the inner neighbours of each sheet, as bits

  int of(int direction) const {
    for (int s = 0; s < count; ++s)
      if (neighbours[s] >> direction & 1) return s;
    return -1;
  }
};

// The connected parts of a point's inside neighbours, ordered by their lowest direction. Two neighbours are connected
// by an edge, or across a face whose corners are all on the surface. `surface`: the neighbours on the surface.
inline Sheets connected_parts(uint16_t inside, uint16_t surface) {
  Sheets sheets;
  for (unsigned left = inside; left != 0;) {
    unsigned part = left & (0u - left), before = 0;
    while (part != before) {
      before = part;
      for (int d = 0; d < edge_directions; ++d) {
        if (!(part >> d & 1)) continue;
        part |= neighbour_edges[d] & left;
        for (int u = 0; u < edge_directions; ++u)
          for (int w = 0; w < u; ++w)
            if ((neighbour_edges[d] & surface) >> u & 1 && (neighbour_edges[d] & neighbour_edges[u] & surface) >> w & 1)
              part |= neighbour_edges[u] & neighbour_edges[w] & left;
      }
    }
    sheets.neighbours[sheets.count++] = static_cast<uint16_t>(part);
    left &= ~part;
  }
  return sheets;
}

}  // namespace sinew
