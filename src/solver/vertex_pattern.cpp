#include "solver/vertex_pattern.h"

#include <algorithm>

namespace sinew {

VertexPattern vertex_pattern(const Model& model, std::span<const SlotPair> more) {
  const int32_t slots = model.slot_count();
  // The edges of tets and ties by their lower slot, with repetitions, which are then sorted and made unique column by
  // column.
  std::vector<int64_t> begin(static_cast<size_t>(slots) + 1);
  const auto for_each_edge = [&](auto&& visit) {
    for (int32_t e = 0; e < static_cast<int32_t>(model.tets.size()); ++e) {
      const ElementNodes t = model.nodes_of(e);
      for (size_t i = 0; i < t.size(); ++i) {
        for (size_t j = 0; j < i; ++j) visit(std::min(t[i], t[j]), std::max(t[i], t[j]));
      }
    }
    for_each_tie_pair(model.ties, [&](int32_t a, int32_t b) {
      if (a != b) visit(std::min(a, b), std::max(a, b));
    });
    for (const SlotPair& pair : more) visit(pair[0], pair[1]);
  };
  for_each_edge([&](int32_t low, int32_t) { ++begin[low + 1]; });
  for (int32_t s = 0; s < slots; ++s) begin[s + 1] += begin[s];
  std::vector<int32_t> neighbour(static_cast<size_t>(begin[slots]));
  std::vector<int64_t> next(begin.begin(), begin.end() - 1);
  for_each_edge([&](int32_t low, int32_t high) { neighbour[next[low]++] = high; });

  VertexPattern pattern{{0}, {}, {}};
  for (int32_t s = 0; s < slots; ++s) {
    const auto first = neighbour.begin() + begin[s], last = neighbour.begin() + begin[s + 1];
    std::sort(first, last);
    pattern.row.push_back(s);
    pattern.row.insert(pattern.row.end(), first, std::unique(first, last));
    pattern.begin.push_back(static_cast<int32_t>(pattern.row.size()));
    pattern.column.resize(pattern.row.size(), s);
  }
  return pattern;
}

}  // namespace sinew
