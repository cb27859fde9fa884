// Greedy colouring of vertices and of elements: what has one colour shares nothing, and may be updated at once.
// Chen et al. 2023 (PBNG), section 9: item by item, the least colour that no neighbour has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "mesh/tet_mesh.h"

namespace sinew {

struct Coloring {
  std::vector<int32_t> color;  // of each item
  int32_t count = 0;           // number of colours
};

// The tets at each vertex: those of vertex v are entries[begin[v] .. begin[v+1]), ascending; entry = 4 * tet + corner,
// which fits for up to 2^30 tets.
struct Incidence {
  std::vector<int64_t> begin;
  std::vector<uint32_t> entries;
};
Incidence incidence_of(const std::vector<Tet>& tets, size_t vertex_count);

// Vertices that share a tet get different colours. Items are visited in the given order, or naturally if it is empty.
Coloring color_vertices(const std::vector<Tet>& tets, const Incidence& incidence,
                        const std::vector<int32_t>& visit_order);

// Tets that share a vertex get different colours.
Coloring color_tets(const std::vector<Tet>& tets, size_t vertex_count, const std::vector<int32_t>& visit_order);

}  // namespace sinew
