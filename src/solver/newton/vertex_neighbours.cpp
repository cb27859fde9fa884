#include "solver/newton/vertex_neighbours.h"

#include <algorithm>

namespace sinew {

void VertexNeighbours::find(const GridEmbedding& embedding, const VertexPattern& pattern) {
  if (!first_.empty()) return;
  const auto rows = static_cast<size_t>(embedding.row_count());
  first_.assign(rows + 1, 0);
  const auto for_each_pair = [&](const auto& visit) {
    for (size_t b = 0; b < pattern.row.size(); ++b) {
      const int32_t high = embedding.row_of(pattern.row[b]), low = embedding.row_of(pattern.column[b]);
      if (high < 0 || low < 0) continue;
      visit(static_cast<size_t>(high), Neighbour{low, static_cast<int32_t>(b), false});
      if (high != low) visit(static_cast<size_t>(low), Neighbour{high, static_cast<int32_t>(b), true});
    }
  };
  for_each_pair([&](size_t row, const Neighbour&) { ++first_[row + 1]; });
  for (size_t r = 0; r < rows; ++r) first_[r + 1] += first_[r];
  neighbours_.resize(first_[rows]);
  std::vector<size_t> next(first_.begin(), first_.end() - 1);
  for_each_pair([&](size_t row, const Neighbour& n) { neighbours_[next[row]++] = n; });

  free_pairs_.clear();
  for (size_t b = 0; b < pattern.row.size(); ++b) {
    const int32_t of_row = embedding.row_of(pattern.row[b]), of_column = embedding.row_of(pattern.column[b]);
    if ((of_row < 0) == (of_column < 0)) continue;
    const auto block = static_cast<int32_t>(b);
    free_pairs_.push_back(of_column < 0 ? FreePair{pattern.column[b], of_row, block, false}
                                        : FreePair{pattern.row[b], of_column, block, true});
  }
  std::sort(free_pairs_.begin(), free_pairs_.end(), [](const FreePair& a, const FreePair& b) {
    return a.slot != b.slot ? a.slot < b.slot : a.block < b.block;
  });
}

}  // namespace sinew
