// Builds text files, with the shortest digits that read back to the same number (base/digits.h).
#pragma once

#include <charconv>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/digits.h"

namespace sinew {

class TextWriter {
 public:
  // Appends the values, separated by blanks, and a line end.
  template <class... Values>
  void line(const Values&... values) {
    (put(values), ...);
    text_.back() = '\n';
  }
  std::string take() { return std::move(text_); }

 private:
  template <class T>
  void put(const T& value) {
    if constexpr (std::is_arithmetic_v<T>) {
      char digits[32];
      if constexpr (std::is_floating_point_v<T>)
        text_.append(digits, write_digits(digits, digits + sizeof digits, value).ptr);
      else
        text_.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
    } else {
      text_ += std::string_view(value);
    }
    text_ += ' ';
  }
  std::string text_;
};

}  // namespace sinew
