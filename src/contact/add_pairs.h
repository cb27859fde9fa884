// Sorted lists of pairs, one of which takes in another.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace sinew {

// Adds to a sorted list what it does not have of another.
template <class Pair>
void add_pairs(std::vector<Pair>& list, const std::vector<Pair>& more) {
  std::vector<Pair> fresh;
  auto at = list.begin();
  for (const Pair& pair : more) {
    // What is sought is seldom far ahead.
    std::ptrdiff_t ahead = 8;
    while (ahead < list.end() - at && at[ahead] < pair) ahead *= 2;
    at = std::lower_bound(at, at + std::min(ahead, list.end() - at), pair);
    if (at == list.end() || *at != pair) fresh.push_back(pair);
  }
  // From behind, in place.
  auto read = static_cast<std::ptrdiff_t>(list.size()) - 1;
  list.resize(list.size() + fresh.size());
  for (auto write = list.rbegin(); !fresh.empty(); ++write) {
    if (read >= 0 && fresh.back() < list[static_cast<size_t>(read)]) {
      *write = list[static_cast<size_t>(read--)];
    } else {
      *write = fresh.back();
      fresh.pop_back();
    }
  }
}

}  // namespace sinew
