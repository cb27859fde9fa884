// Which positions a pass over quadratic tets is about to need. Slots are sorted by colour, an order that hardware does
// not foresee; so the pass asks memory for them itself, each line once, some rows ahead.
#pragma once

#include <cstdint>
#include <vector>

#include "model/model.h"

namespace sinew {

inline constexpr int tets_of_row_ahead = 16;

struct PositionsAhead {
  std::vector<int32_t> row_begin{0};  // by tets_of_row_ahead tets of the block; of slots
  std::vector<int32_t> slots;         // the first in its line

  size_t memory_bytes() const { return (row_begin.size() + slots.size()) * sizeof(int32_t); }
};

// slots_of_line: how many positions a line of memory holds.
PositionsAhead positions_ahead(const Model& model, const ElasticBlock& block, int32_t slots_of_line);

}  // namespace sinew
