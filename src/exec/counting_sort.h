// A parallel stable counting sort; the result does not depend on the number of threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "exec/thread_pool.h"

namespace sinew {

// Sorts the numbers 0 .. count-1, fewer than 2^32, by key(number) in [0, keys), equal keys by number: those of key k
// are items[begin[k] .. begin[k+1]), each as value(number). Calls key() twice per number. Takes 4 bytes per key and
// thread; uses at most 8 threads.
template <class Item, class Key, class Value>
void counting_sort(ThreadPool& pool, int64_t count, size_t keys, const Key& key, std::vector<int64_t>& begin,
                   std::vector<Item>& items, const Value& value) {
  constexpr int64_t least_share = 1 << 14, most_shares = 8;
  const int64_t shares = std::clamp<int64_t>(count / least_share, 1, std::min<int64_t>(pool.size(), most_shares));
  std::vector<uint32_t> place(static_cast<size_t>(shares) * keys, 0);
  const auto for_each_number = [&](const auto& visit) {
    pool.parallel_for(shares, 1, [&](int64_t first, int64_t last) {
      for (int64_t share = first; share < last; ++share) {
        uint32_t* own = place.data() + static_cast<size_t>(share) * keys;
        const int64_t end = count * (share + 1) / shares;
        for (int64_t k = count * share / shares; k < end; ++k) visit(k, own[key(k)]);
      }
    });
  };
  // Count the keys of each share, sum up where they begin, put each number in its place.
  for_each_number([](int64_t, uint32_t& number) { ++number; });
  begin.resize(keys + 1);
  int64_t before = 0;
  for (size_t k = 0; k < keys; ++k) {
    begin[k] = before;
    for (int64_t share = 0; share < shares; ++share) {
      uint32_t& here = place[static_cast<size_t>(share) * keys + k];
      const uint32_t number = here;
      here = static_cast<uint32_t>(before);
      before += number;
    }
  }
  begin[keys] = before;
  items.resize(static_cast<size_t>(count));
  for_each_number([&](int64_t k, uint32_t& next) { items[next++] = value(k); });
}

template <class Item, class Key>
void counting_sort(ThreadPool& pool, int64_t count, size_t keys, const Key& key, std::vector<int64_t>& begin,
                   std::vector<Item>& items) {
  counting_sort(pool, count, keys, key, begin, items, [](int64_t k) { return static_cast<Item>(k); });
}

}  // namespace sinew
