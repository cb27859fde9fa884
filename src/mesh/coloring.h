// Greedy colouring of vertices and of elements: items of one colour share nothing and may be updated at once.
// Chen et al. 2023 (PBNG), section 9: each item in turn takes the lowest colour that no neighbour has; or of these the
// colour that fewest items have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "exec/thread_pool.h"
#include "mesh/tet_mesh.h"

namespace sinew {

struct Coloring {
  std::vector<int32_t> color;  // of each item
  int32_t count = 0;           // number of colours
};

enum class ColorChoice { lowest, rarest };

// Gives each item in turn a colour that no neighbour has, in the given order or in natural order if it is empty;
// for_each_neighbour(item, visit) calls visit(other).
template <class Neighbours>
Coloring greedy_coloring(size_t count, const std::vector<int32_t>& visit_order, const Neighbours& for_each_neighbour,
                         ColorChoice choice = ColorChoice::lowest) {
  Coloring result;
  result.color.assign(count, -1);
  // Of each colour: the last item that found it among its neighbours, and how many have it.
  std::vector<int32_t> taken_by, members;
  for (size_t k = 0; k < count; ++k) {
    const int32_t item = visit_order.empty() ? static_cast<int32_t>(k) : visit_order[k];
    for_each_neighbour(item, [&](int32_t other) {
      if (result.color[other] >= 0) taken_by[result.color[other]] = item;
    });
    int32_t best = result.count;
    for (int32_t c = 0; c < result.count; ++c) {
      if (taken_by[c] == item || (best < result.count && members[c] >= members[best])) continue;
      best = c;
      if (choice == ColorChoice::lowest) break;
    }
    if (best == result.count) {
      ++result.count;
      taken_by.push_back(-1);
      members.push_back(0);
    }
    result.color[item] = best;
    ++members[best];
  }
  return result;
}

// The tets at each vertex: those of vertex v are entries[begin[v] .. begin[v+1]), ascending; entry = 4 * tet + corner,
// which fits for up to 2^30 tets.
struct Incidence {
  std::vector<int64_t> begin;
  std::vector<uint32_t> entries;
};
Incidence incidence_of(const std::vector<Tet>& tets, size_t vertex_count, ThreadPool& pool = ThreadPool::caller());

// Vertices that share a tet get different colours. Items are visited in the given order, or in natural order if it is
// empty.
Coloring color_vertices(const std::vector<Tet>& tets, const Incidence& incidence,
                        const std::vector<int32_t>& visit_order);

// Tets that share a vertex get different colours.
Coloring color_tets(const std::vector<Tet>& tets, size_t vertex_count, const std::vector<int32_t>& visit_order);

}  // namespace sinew
