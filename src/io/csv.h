// Tables as text: comma-separated values (RFC 4180, Shafranovich 2005). Records end with CR LF; a field with a comma, a
// quote or a line end is quoted, its own quotes doubled. Numbers have the shortest digits that read back to the same
// value, in any locale.
#pragma once

#include <charconv>
#include <cmath>
#include <concepts>
#include <string>
#include <string_view>
#include <vector>

#include "base/digits.h"

namespace sinew {

// Builds records field by field.
class CsvWriter {
 public:
  void field(std::string_view text);
  template <std::integral T>
  void field(T value) {
    number(value);
  }
  // NaN and infinity become an empty field, since most programs read them as text.
  template <std::floating_point T>
  void field(T value) {
    if (std::isfinite(value))
      number(value);
    else
      field(std::string_view());
  }
  void end_record();

  const std::string& text() const { return text_; }
  std::string take();

 private:
  template <class T>
  void number(T value) {
    char digits[32];
    char* end;
    if constexpr (std::is_floating_point_v<T>)
      end = write_digits(digits, digits + sizeof digits, value).ptr;
    else
      end = std::to_chars(digits, digits + sizeof digits, value).ptr;
    field(std::string_view(digits, static_cast<size_t>(end - digits)));
  }
  std::string text_;
  bool first_ = true;
};

// The records of a table. A last record without a line end is omitted: it may be cut off. Also accepts LF. `ends`, if
// given, receives the offset after each record.
std::vector<std::vector<std::string>> parse_csv(std::string_view text, std::vector<size_t>* ends = nullptr);

}  // namespace sinew
