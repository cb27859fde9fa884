// A parameter table without its type: what parsers, the schema, --help and the reference page need to know about the
// options of a solver or an accelerator, and how values are written into an options struct.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "base/format.h"
#include "base/nearest.h"
#include "base/parameters.h"
#include "base/result.h"

namespace sinew {

// A value as the user writes it: a switch, a number or a word.
using OptionScalar = std::variant<bool, double, std::string>;

// An option given by name.
struct NamedOption {
  std::string name;
  OptionScalar value;
};

struct Option {
  enum class Kind { number, whole, toggle, choice };

  std::string_view name;
  Kind kind = Kind::number;
  std::string_view unit;
  Range range;
  std::string_view meaning;
  std::span<const std::string_view> choices;  // of a choice
  OptionScalar default_value;
  std::span<const std::string_view> zero_beside;  // the default is 0 if one of these options is given

  // The default value; given(name) returns whether that option is given.
  template <class Given>
  OptionScalar default_beside(const Given& given) const {
    return std::any_of(zero_beside.begin(), zero_beside.end(), given) ? OptionScalar(0.0) : default_value;
  }
  std::string default_text() const {
    if (const bool* b = std::get_if<bool>(&default_value)) return *b ? "true" : "false";
    if (const double* d = std::get_if<double>(&default_value)) return number_text(*d);
    return *std::get_if<std::string>(&default_value);
  }
};
using OptionTable = std::vector<Option>;

// The table of an options struct, with its defaults. The Parameter list must outlive it.
// Not inlined: g++ 12 would warn of members that the struct does not have.
template <class Options>
[[gnu::noinline]] OptionTable option_table(std::span<const Parameter<Options>> parameters,
                                           const Options& defaults = Options{}) {
  OptionTable table;
  for (const Parameter<Options>& p : parameters) {
    Option option{p.name, Option::Kind::number, p.unit, p.range, p.meaning, p.choices, 0.0, p.zero_beside};
    if (auto* real = std::get_if<double Options::*>(&p.member)) {
      option.default_value = defaults.**real;
    } else if (auto* toggle = std::get_if<bool Options::*>(&p.member)) {
      option.kind = Option::Kind::toggle;
      option.default_value = defaults.**toggle;
    } else if (auto* whole = std::get_if<int Options::*>(&p.member)) {
      const int value = defaults.**whole;
      if (p.choices.empty()) {
        option.kind = Option::Kind::whole;
        option.default_value = static_cast<double>(value);
      } else {
        option.kind = Option::Kind::choice;
        option.default_value = std::string(p.choices[static_cast<size_t>(value)]);
      }
    }
    table.push_back(option);
  }
  return table;
}

// "must be above 0 and below 0.5", the violated limit first; empty if the number is in range.
inline std::string range_fault(double value, const Range& range) {
  const std::string low =
      range.low == -no_limit ? "" : (range.low_open ? "above " : "at least ") + number_text(range.low);
  const std::string high =
      range.high == no_limit ? "" : (range.high_open ? "below " : "at most ") + number_text(range.high);
  if (!std::isfinite(value)) return "must be a finite number";
  if (range.contains(value)) return {};
  if (range.low == range.high) return "must be " + number_text(range.low);
  if (low.empty() || high.empty()) return "must be " + low + high;
  const bool too_low = range.low_open ? value <= range.low : value < range.low;
  return too_low ? "must be " + low + " and " + high : "must be " + high + " and " + low;
}

// The error in a value for this option ("= 0 [-]: must be at least 1", remedy); `what` is empty if there is none.
inline Error option_fault(const Option& option, const OptionScalar& value) {
  const auto shown = [&] {
    Option copy = option;
    copy.default_value = value;
    const std::string text = copy.default_text();
    return std::holds_alternative<std::string>(value) ? '"' + text + '"' : text;
  };
  const auto fault = [&](const std::string& what, const std::string& remedy = "") {
    const bool has_unit = !option.unit.empty() && std::holds_alternative<double>(value);
    return Error{std::string(option.name),
                 "= " + shown() + (has_unit ? " [" + std::string(option.unit) + "]" : "") + ": " + what, remedy};
  };
  switch (option.kind) {
    case Option::Kind::toggle:
      if (!std::holds_alternative<bool>(value)) return fault("must be true or false");
      return {};
    case Option::Kind::choice: {
      const std::string* word = std::get_if<std::string>(&value);
      if (word && std::find(option.choices.begin(), option.choices.end(), *word) != option.choices.end()) return {};
      return fault("must be one of " + word_list(option.choices), word ? did_you_mean(*word, option.choices) : "");
    }
    case Option::Kind::number:
    case Option::Kind::whole: {
      const double* number = std::get_if<double>(&value);
      if (!number) return fault("must be a number");
      if (option.kind == Option::Kind::whole && *number != std::floor(*number)) return fault("must be a whole number");
      Range range = option.range;
      if (option.kind == Option::Kind::whole) {
        range.low = std::max(range.low, -2147483648.0);
        range.high = std::min(range.high, 2147483647.0);
      }
      if (const std::string what = range_fault(*number, range); !what.empty()) return fault(what);
      return {};
    }
  }
  return {};
}

// The option of this name; null if the table has none.
inline const Option* find_option(const OptionTable& table, std::string_view name) {
  const auto at = std::find_if(table.begin(), table.end(), [&](const Option& o) { return o.name == name; });
  return at == table.end() ? nullptr : &*at;
}

// Writes named values (anything with .name and .value, an OptionScalar) into an options struct. Unknown names are an
// error unless `skip_unknown`: the common options and a solver's own come in one list, and each struct takes those it
// has. `where` is the path above the names, e.g. "solver".
template <class Options, class Values>
Status apply_options(std::span<const Parameter<Options>> parameters, const Values& values, Options& options,
                     const std::string& where, bool skip_unknown = false) {
  const OptionTable table = option_table(parameters);
  for (const auto& given : values) {
    const Option* option = find_option(table, given.name);
    if (!option) {
      if (skip_unknown) continue;
      std::vector<std::string_view> names;
      for (const Option& o : table) names.push_back(o.name);
      return Error{where + "." + given.name, "unknown option", did_you_mean(given.name, names)};
    }
    if (Error fault = option_fault(*option, given.value); !fault.what.empty()) {
      fault.where = where + "." + given.name;
      return fault;
    }
    const Parameter<Options>& p = parameters[static_cast<size_t>(option - table.data())];
    if (auto* real = std::get_if<double Options::*>(&p.member)) {
      options.** real = std::get<double>(given.value);
    } else if (auto* toggle = std::get_if<bool Options::*>(&p.member)) {
      options.** toggle = std::get<bool>(given.value);
    } else if (auto* whole = std::get_if<int Options::*>(&p.member)) {
      if (option->kind == Option::Kind::whole) {
        options.** whole = static_cast<int>(std::get<double>(given.value));
      } else {
        const auto& word = std::get<std::string>(given.value);
        options.** whole = static_cast<int>(std::find(p.choices.begin(), p.choices.end(), word) - p.choices.begin());
      }
    }
  }
  return {};
}

}  // namespace sinew
