#include "io/suffix.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace sinew {

namespace {

// Levenshtein distance: the number of letters to insert, delete or replace.
size_t edits(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = std::exchange(row[0], i);
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t change = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, change}));
    }
  }
  return row.back();
}

}  // namespace

std::string suffix_of(const std::filesystem::path& path) {
  std::string suffix = path.extension().string();
  for (char& c : suffix)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return suffix;
}

std::string_view nearest_suffix(std::string_view word, std::span<const std::string_view> candidates) {
  std::string_view best;
  size_t fewest = std::max<size_t>(1, word.size() / 2) + 1;
  if (word.size() > 32) return best;
  for (const std::string_view candidate : candidates)
    if (const size_t distance = edits(word, candidate); distance < fewest) {
      fewest = distance;
      best = candidate;
    }
  return best;
}

}  // namespace sinew
