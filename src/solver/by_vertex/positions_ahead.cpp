#include "solver/by_vertex/positions_ahead.h"

#include <algorithm>

namespace sinew {
namespace {

constexpr int32_t rows_ahead = 8;
constexpr int32_t rows_kept = 1000;  // after these a line may have left the core's own cache

}  // namespace

PositionsAhead positions_ahead(const Model& model, const ElasticBlock& block, int32_t slots_of_line) {
  const int32_t tets = block.last_tet - block.first_tet;
  const int32_t rows = (tets + tets_of_row_ahead - 1) / tets_of_row_ahead;
  std::vector<int32_t> last_met(static_cast<size_t>(model.slot_count() / slots_of_line) + 1, -rows_kept);
  PositionsAhead ahead;
  for (int32_t row = 0; row < rows; ++row) {
    const int32_t begin = block.first_tet + row * tets_of_row_ahead;
    for (int32_t e = begin; e < std::min(begin + tets_of_row_ahead, block.last_tet); ++e) {
      const auto meet = [&](int32_t slot) {
        int32_t& last = last_met[static_cast<size_t>(slot / slots_of_line)];
        if (row - last >= rows_kept) ahead.slots.push_back(slot / slots_of_line * slots_of_line);
        last = row;
      };
      for (const int32_t slot : model.tets[static_cast<size_t>(e)]) meet(slot);
      for (const int32_t slot : model.middles[static_cast<size_t>(e)]) meet(slot);
    }
    if (row >= rows_ahead) ahead.row_begin.push_back(static_cast<int32_t>(ahead.slots.size()));
  }
  ahead.row_begin.resize(static_cast<size_t>(rows) + 1, static_cast<int32_t>(ahead.slots.size()));
  return ahead;
}

}  // namespace sinew
