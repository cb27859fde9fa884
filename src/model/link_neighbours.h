// The neighbours of one vertex at a time, numbered in the order in which they occur.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "model/clusters.h"
#include "model/link_strip.h"

namespace sinew {

// Whether a neighbour is new cannot be predicted, so the code does not branch on it.
class Neighbours {
 public:
  // Replaces the corners of `faces`, which are slots, by numbers.
  void number(const std::vector<LinkFace>& faces, std::vector<LinkFace>& numbered) {
    start(3 * faces.size());
    numbered.resize(faces.size());
    // Local copies: the compiler must assume that stores to the table change members.
    uint64_t* const table = table_.data();
    int32_t* const slots = slots_.data();
    const uint64_t stamp = stamp_ << 48;
    const size_t last_place = table_.size() - 1;
    uint64_t count = 0;
    const auto number_of = [&](int32_t slot) {
      const uint64_t item = stamp | uint64_t{static_cast<uint32_t>(slot)} << 16;
      size_t place = (static_cast<uint32_t>(slot) * 2654435769u >> 12) & last_place;
      uint64_t difference = table[place] ^ item;
      while (difference - of_slot < of_stamp - of_slot) {  // taken by another neighbour of this vertex
        place = (place + 1) & last_place;
        difference = table[place] ^ item;
      }
      const auto is_new = static_cast<uint64_t>(difference >= of_slot);
      const uint64_t number = difference ^ ((difference ^ count) & (0 - is_new));
      table[place] = item | number;
      slots[count] = slot;
      count += is_new;
      return static_cast<int32_t>(number);
    };
    for (size_t f = 0; f < faces.size(); ++f) {
      const auto [p, q, r] = faces[f];
      numbered[f] = {number_of(p), number_of(q), number_of(r)};
    }
    count_ = static_cast<size_t>(count);
  }
  // The same if the faces are numbered like `numbered`, where neighbour n first occurs as corner number first[n].
  bool number_like(const std::vector<LinkFace>& faces, const std::vector<LinkFace>& numbered,
                   const std::vector<int32_t>& first) {
    if (faces.size() != numbered.size()) return false;
    start(3 * faces.size());
    const int32_t *corner = faces.data()->data(), *number = numbered.data()->data();
    int32_t* const slots = slots_.data();
    count_ = first.size();
    int32_t differs = 0;
    for (size_t n = 0; n < count_; ++n) {
      slots[n] = corner[first[n]];
      last_at_[static_cast<uint32_t>(slots[n]) * 2654435769u >> 20] = static_cast<int32_t>(n);
    }
    for (size_t k = 0; k < 3 * faces.size(); ++k) differs |= slots[number[k]] ^ corner[k];
    // Check that no two neighbours are equal: certain if each is the last with its bits, as most are.
    for (size_t n = 0; n < count_; ++n)
      differs |= last_at_[static_cast<uint32_t>(slots[n]) * 2654435769u >> 20] ^ static_cast<int32_t>(n);
    return differs == 0;
  }
  std::span<const int32_t> slots() const { return {slots_.data(), count_}; }

 private:
  // An entry of the table has the vertex's stamp, the neighbour's slot and its number, from these bits on.
  static constexpr uint64_t of_slot = uint64_t{1} << 16, of_stamp = uint64_t{1} << 48;
  static_assert(largest_cluster <= of_slot, "a vertex's neighbours are as many at most");

  // Starts the next vertex, with at most `most` neighbours.
  void start(size_t most) {
    if (slots_.size() <= most) slots_.resize(most + 1);
    while (table_.size() < 4 * most) table_.resize(2 * table_.size());
    if (++stamp_ < last_stamp) return;
    stamp_ = 1;
    std::fill(table_.begin(), table_.end(), 0);
  }

  static constexpr uint64_t last_stamp = 1 << 16;
  std::vector<uint64_t> table_ = std::vector<uint64_t>(1 << 10);
  std::vector<int32_t> last_at_ = std::vector<int32_t>(1 << 12);  // the last neighbour with these bits
  uint64_t stamp_ = 0;
  size_t count_ = 0;
  std::vector<int32_t> slots_;
};

}  // namespace sinew
