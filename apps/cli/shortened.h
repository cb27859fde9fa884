// Shortens text for messages.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace sinew::cli {

// Cuts the middle out of words of more than 500 bytes (a name of 100 kB) and lines of more than 2000, and states the
// number of bytes left out. UTF-8 characters stay whole.
inline std::string shortened(std::string_view text) {
  constexpr size_t longest_word = 500, longest_line = 2000;
  const auto cut = [](std::string_view whole, size_t most) {
    if (whole.size() <= most) return std::string(whole);
    const auto inside = [&](size_t at) { return (static_cast<unsigned char>(whole[at]) & 0xc0) == 0x80; };
    size_t head = most / 2, tail = whole.size() - most / 4;
    while (head > 0 && inside(head)) --head;
    while (tail < whole.size() && inside(tail)) ++tail;
    return std::string(whole.substr(0, head)) + " ...(" + std::to_string(tail - head) + " bytes)... " +
           std::string(whole.substr(tail));
  };
  std::string all;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    std::string line;
    for (size_t word = begin; word < end;) {
      const size_t next = std::min(text.find(' ', word), end);
      line += cut(text.substr(word, next - word), longest_word);
      if (next < end) line += ' ';
      word = next + 1;
    }
    all += cut(line, longest_line);
    if (end < text.size()) all += '\n';
    begin = end + 1;
  }
  return all;
}

}  // namespace sinew::cli
