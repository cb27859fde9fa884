// Some of the items of a list, numbered anew in the same order.
#pragma once

#include <cstdint>
#include <vector>

namespace sinew {

class Subset {
 public:
  // Of a list of so many items: none yet.
  void begin(size_t count) {
    marks_.resize(count, 0);
    numbers_.resize(count);
    items_.clear();
  }
  void add(int32_t item) { marks_[static_cast<size_t>(item)] = 1; }
  bool has(int32_t item) const { return marks_[static_cast<size_t>(item)] != 0; }
  // All are added: numbers them.
  void number() {
    for (size_t k = 0; k < marks_.size(); ++k) {
      if (!marks_[k]) continue;
      numbers_[k] = static_cast<int32_t>(items_.size());
      items_.push_back(static_cast<int32_t>(k));
    }
  }
  // Makes ready for the next time.
  void end() {
    for (const int32_t item : items_) marks_[static_cast<size_t>(item)] = 0;
  }

  // By number, ascending.
  const std::vector<int32_t>& items() const { return items_; }
  // Of an item that is in it.
  int32_t number_of(int32_t item) const { return numbers_[static_cast<size_t>(item)]; }
  size_t memory_bytes() const {
    return marks_.capacity() + (numbers_.capacity() + items_.capacity()) * sizeof(int32_t);
  }

 private:
  std::vector<uint8_t> marks_;  // all 0 before `begin`
  std::vector<int32_t> numbers_, items_;
};

}  // namespace sinew
