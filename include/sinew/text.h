// Text in the style of the library's messages, for programs that have options and files of their own.
#pragma once

#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

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

// The word quoted for a POSIX shell: unchanged if it has no special characters, else in single quotes; with control
// characters as $'...', which bash, zsh and POSIX.1-2024 understand.
std::string shell_word(std::string_view word);
// The same for a file or folder, which must not look like an option: "./-x".
std::string shell_path(std::string_view path);

}  // namespace sinew
