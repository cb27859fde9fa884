#include "record/gaps.h"

namespace sinew {

void Gaps::add(int64_t first, int64_t last) {
  if (last < first) return;
  if (!ranges_.empty() && ranges_.back().second + 1 == first)
    ranges_.back().second = last;
  else
    ranges_.emplace_back(first, last);
}

std::string Gaps::text() const {
  constexpr size_t kMostShown = 10;
  std::string text;
  for (size_t k = 0; k < ranges_.size(); ++k) {
    if (k == kMostShown) return text + ", ...";
    const auto [first, last] = ranges_[k];
    text += (text.empty() ? "" : ", ") + std::to_string(first);
    if (last > first) text += " to " + std::to_string(last);
  }
  return text;
}

}  // namespace sinew
