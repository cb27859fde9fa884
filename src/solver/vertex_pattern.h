// The pairs of vertices that share a tet, a tie or a contact: the pattern of every matrix of an elastic energy.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "model/model.h"

namespace sinew {

// The lower triangle by columns. The entries of slot s are [begin[s], begin[s + 1]), rows ascending, the diagonal
// first.
struct VertexPattern {
  std::vector<int32_t> begin;        // slots + 1
  std::vector<int32_t> row, column;  // of each entry
};

// Calls visit(slot of i, slot of j) for all pairs of ends i >= j of each tie.
template <class Visit>
void for_each_tie_pair(const Ties& ties, const Visit& visit) {
  for (int32_t t = 0; t < ties.count(); ++t) {
    const std::span<const int32_t> slots = ties.vertices_of(t);
    for (size_t i = 0; i < slots.size(); ++i)
      for (size_t j = 0; j <= i; ++j) visit(slots[i], slots[j]);
  }
}

// Two slots, the lower one first.
using SlotPair = std::array<int32_t, 2>;

// Takes time linear in the size of the mesh. `more`: pairs that share neither tet nor tie.
VertexPattern vertex_pattern(const Model& model, std::span<const SlotPair> more = {});

}  // namespace sinew
