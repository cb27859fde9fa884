#include "mesh/coloring.h"

#include <algorithm>

#include "exec/counting_sort.h"

namespace sinew {
namespace {

// Visits 0 .. count-1, in the given order if not empty.
template <class Visit>
void visit_all(size_t count, const std::vector<int32_t>& order, Visit&& visit) {
  for (size_t k = 0; k < count; ++k) visit(order.empty() ? static_cast<int32_t>(k) : order[k]);
}

}  // namespace

Incidence incidence_of(const std::vector<Tet>& tets, size_t vertex_count, ThreadPool& pool) {
  Incidence incidence;
  // The corner that a triangle does not have is sorted behind all vertices, and left out.
  const auto vertex = [&](int64_t entry) {
    return std::min(static_cast<uint32_t>(tets[static_cast<size_t>(entry >> 2)][entry & 3]),
                    static_cast<uint32_t>(vertex_count));
  };
  counting_sort(pool, static_cast<int64_t>(4 * tets.size()), vertex_count + 1, vertex, incidence.begin,
                incidence.entries);
  incidence.begin.pop_back();
  incidence.entries.resize(static_cast<size_t>(incidence.begin.back()));
  return incidence;
}

Coloring color_vertices(const std::vector<Tet>& tets, const Incidence& incidence,
                        const std::vector<int32_t>& visit_order) {
  return greedy_coloring(incidence.begin.size() - 1, visit_order, [&](int32_t v, const auto& visit) {
    for (int64_t k = incidence.begin[v]; k < incidence.begin[v + 1]; ++k) {
      for (const int32_t other : corners_of(tets[incidence.entries[k] >> 2])) visit(other);
    }
  });
}

Coloring color_tets(const std::vector<Tet>& tets, size_t vertex_count, const std::vector<int32_t>& visit_order) {
  // The colours used at a vertex, as bits; many incident tets may need more words.
  size_t words = 2;
  std::vector<uint64_t> used(vertex_count * words, 0);
  Coloring result;
  result.color.assign(tets.size(), -1);
  visit_all(tets.size(), visit_order, [&](int32_t e) {
    int32_t c = -1;
    for (size_t w = 0; c < 0; ++w) {
      if (w == words) {  // widen every vertex's set
        std::vector<uint64_t> wider(vertex_count * words * 2, 0);
        for (size_t v = 0; v < vertex_count; ++v) {
          std::copy_n(used.begin() + v * words, words, wider.begin() + v * words * 2);
        }
        used.swap(wider);
        words *= 2;
      }
      uint64_t taken = 0;
      for (const int32_t v : corners_of(tets[e])) taken |= used[v * words + w];
      if (~taken) c = static_cast<int32_t>(64 * w) + __builtin_ctzll(~taken);
    }
    for (const int32_t v : corners_of(tets[e])) used[v * words + c / 64] |= uint64_t{1} << (c % 64);
    result.color[e] = c;
    result.count = std::max(result.count, c + 1);
  });
  return result;
}

}  // namespace sinew
