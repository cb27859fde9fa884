// Maps a file's vertex tags, in any order and with gaps, to indices in the file's order.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace sinew {

class TagMap {
 public:
  // The next vertex of the file has this tag.
  void add(int64_t tag) { tags_.push_back(tag); }
  // Makes room for `count` more vertices, whose tags follow in any order; returns the index of the first.
  size_t extend(size_t count) {
    tags_.resize(tags_.size() + count);
    return tags_.size() - count;
  }
  void set(size_t place, int64_t tag) { tags_[place] = tag; }
  // Call once all are added. Returns the index of a vertex with a duplicate tag, if there is one.
  std::optional<size_t> build();
  // -1 if no vertex has the tag.
  int32_t find(int64_t tag) const;

  size_t size() const { return tags_.size(); }
  int64_t tag(size_t place) const { return tags_[place]; }

 private:
  std::vector<int64_t> tags_;
  // Dense tags use a table, others a sorted list: a file may call its only vertex 10^15.
  int64_t lowest_ = 0;
  std::vector<int32_t> table_;
  std::vector<std::pair<int64_t, int32_t>> sorted_;
};

}  // namespace sinew
