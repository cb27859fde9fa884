#include "io/tag_map.h"

#include <algorithm>

namespace sinew {

std::optional<size_t> TagMap::build() {
  if (tags_.empty()) return {};
  const auto [low, high] = std::minmax_element(tags_.begin(), tags_.end());
  lowest_ = *low;
  const uint64_t span = static_cast<uint64_t>(*high) - static_cast<uint64_t>(lowest_);
  if (span < 4 * tags_.size() + 1024) {
    table_.assign(span + 1, -1);
    for (size_t v = 0; v < tags_.size(); ++v) {
      int32_t& place = table_[static_cast<size_t>(tags_[v] - lowest_)];
      if (place >= 0) return v;
      place = static_cast<int32_t>(v);
    }
    return {};
  }
  sorted_.reserve(tags_.size());
  for (size_t v = 0; v < tags_.size(); ++v) sorted_.emplace_back(tags_[v], static_cast<int32_t>(v));
  std::sort(sorted_.begin(), sorted_.end());
  for (size_t k = 1; k < sorted_.size(); ++k)
    if (sorted_[k].first == sorted_[k - 1].first) return static_cast<size_t>(sorted_[k].second);
  return {};
}

int32_t TagMap::find(int64_t tag) const {
  if (!table_.empty()) {
    const uint64_t at = static_cast<uint64_t>(tag) - static_cast<uint64_t>(lowest_);
    return at < table_.size() ? table_[at] : -1;
  }
  const auto found = std::lower_bound(sorted_.begin(), sorted_.end(), std::pair<int64_t, int32_t>(tag, -1));
  return found != sorted_.end() && found->first == tag ? found->second : -1;
}

}  // namespace sinew
