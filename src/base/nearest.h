// Text for error messages: the word a user may have meant, lists of words, numbers.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/format.h"

namespace sinew {

// Concatenates the pieces.
std::string joined(std::initializer_list<std::string_view> pieces);

// The shortest text of 15 to 17 digits that reads back as the same number. (Emscripten's library lacks to_chars for
// doubles.)
std::string number_text(double value);

using WordSpan = std::span<const std::string_view>;

// The word nearest to `written`, or "" if none is near enough to be a typing error.
std::string_view nearest_word(std::string_view written, WordSpan words);

// "a, b, c"
std::string word_list(WordSpan words);

// "did you mean 'iterations'?", or the whole list if no word is near.
std::string did_you_mean(std::string_view written, WordSpan words);

// The same of words of any type.
template <class Words>
std::string_view nearest_word(std::string_view written, const Words& words) {
  return nearest_word(written, WordSpan(std::vector<std::string_view>(std::begin(words), std::end(words))));
}
template <class Words>
std::string word_list(const Words& words) {
  return word_list(WordSpan(std::vector<std::string_view>(std::begin(words), std::end(words))));
}
template <class Words>
std::string did_you_mean(std::string_view written, const Words& words) {
  return did_you_mean(written, WordSpan(std::vector<std::string_view>(std::begin(words), std::end(words))));
}

}  // namespace sinew
