// Finds equal vertex sets: faces shared by tets, edges shared by triangles. Sorted, not hashed, so that the order of
// results depends on the mesh only; linear in the number of items (a counting sort by the smallest vertex, then a short
// sort within each bucket).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

// A vertex set in ascending order, and the item it comes from.
template <size_t K>
struct Keyed {
  std::array<int32_t, K> key;
  int32_t item;
};

template <size_t K>
std::array<int32_t, K> rising(std::array<int32_t, K> vertices) {
  std::sort(vertices.begin(), vertices.end());
  return vertices;
}

// By key, then by item.
template <class Iterator>
void sort_by_key(Iterator first, Iterator last) {
  std::sort(first, last, [](const auto& a, const auto& b) { return a.key != b.key ? a.key < b.key : a.item < b.item; });
}

// By key, then by item. All vertices are in [0, vertex_count).
template <size_t K>
std::vector<Keyed<K>> sort_by_vertices(const std::vector<Keyed<K>>& items, size_t vertex_count) {
  std::vector<size_t> start(vertex_count + 1, 0);
  for (const Keyed<K>& item : items) ++start[static_cast<size_t>(item.key[0]) + 1];
  for (size_t v = 0; v < vertex_count; ++v) start[v + 1] += start[v];
  std::vector<Keyed<K>> sorted(items.size());
  std::vector<size_t> next(start.begin(), start.end() - 1);
  for (const Keyed<K>& item : items) sorted[next[static_cast<size_t>(item.key[0])]++] = item;
  for (size_t v = 0; v < vertex_count; ++v)
    sort_by_key(sorted.begin() + static_cast<long>(start[v]), sorted.begin() + static_cast<long>(start[v + 1]));
  return sorted;
}

// Calls use(group) for every run of equal keys.
template <size_t K, class Use>
void for_each_group(const std::vector<Keyed<K>>& sorted, Use use) {
  for (size_t first = 0; first < sorted.size();) {
    size_t last = first + 1;
    while (last < sorted.size() && sorted[last].key == sorted[first].key) ++last;
    use(std::span<const Keyed<K>>(sorted).subspan(first, last - first));
    first = last;
  }
}

}  // namespace sinew
