#include "base/nearest.h"

#include <cstdlib>

namespace sinew {
namespace {

// Restricted Damerau-Levenshtein distance: the number of typing errors between two words.
size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> before(b.size() + 1), last(b.size() + 1), now(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) now[j] = std::min(now[j], before[j - 2] + 1);
    }
    before.swap(last);
    last.swap(now);
  }
  return last[b.size()];
}

}  // namespace

std::string joined(std::initializer_list<std::string_view> pieces) {
  std::string text;
  for (const std::string_view piece : pieces) text += piece;
  return text;
}

std::string number_text(double value) {
  for (const int digits : {15, 16}) {
    const std::string text = format("%.*g", digits, value);
    if (std::strtod(text.c_str(), nullptr) == value) return text;
  }
  return format("%.17g", value);
}

std::string_view nearest_word(std::string_view written, WordSpan words) {
  std::string_view best;
  if (written.size() > 100) return best;  // too long for a typing error
  size_t distance = std::max<size_t>(2, written.size() / 3) + 1;
  for (std::string_view word : words) {
    size_t d = edit_distance(written, word);
    // One is a prefix of the other: "damp" for "damping".
    if (written.size() > 2 && word.size() > 2 && (word.starts_with(written) || written.starts_with(word)))
      d = std::min<size_t>(d, 1);
    if (d < distance) {
      distance = d;
      best = word;
    }
  }
  return best;
}

std::string word_list(WordSpan words) {
  std::string list;
  for (const std::string_view word : words) list.append(list.empty() ? "" : ", ").append(word);
  return list;
}

std::string did_you_mean(std::string_view written, WordSpan words) {
  const std::string_view near = nearest_word(written, words);
  if (!near.empty()) return "did you mean '" + std::string(near) + "'?";
  const std::string list = word_list(words);
  return list.empty() ? "" : "known: " + list;
}

}  // namespace sinew
