// Parameter tables: for each options struct one list of (member, name, unit, range, meaning). Scene parsing, the JSON
// schema, --help and the reference page are generated from these lists; defaults are in the structs and nowhere else.
#pragma once

#include <limits>
#include <span>
#include <string_view>
#include <variant>

namespace sinew {

inline constexpr double no_limit = std::numeric_limits<double>::infinity();

// Allowed numbers: an interval, closed unless stated otherwise.
struct Range {
  double low = -no_limit, high = no_limit;
  bool low_open = false, high_open = false;

  bool contains(double v) const { return (low_open ? v > low : v >= low) && (high_open ? v < high : v <= high); }
};
inline constexpr Range positive{0, no_limit, true, true};
inline constexpr Range non_negative{0, no_limit, false, true};

// One parameter of Options. A choice is an int member (or enum stored as int) with the names of its values.
template <class Options>
struct Parameter {
  std::string_view name;
  std::variant<double Options::*, int Options::*, bool Options::*> member;
  std::string_view unit;  // "m", "Pa", "-", ...
  Range range;            // numbers only
  std::string_view meaning;
  std::span<const std::string_view> choices = {};      // an int member that is written as one of these words
  std::span<const std::string_view> zero_beside = {};  // other parameters; if one is given, the default is 0
  // Of materials only.
  std::string_view alias = {};   // a second spelling
  std::string_view remedy = {};  // advice when the value is out of range
  bool required = false;         // the struct's value is no default
};

}  // namespace sinew
