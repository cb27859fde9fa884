#include "base/option_table.h"

#include <cmath>

namespace sinew {

std::string Option::default_text() const {
  if (const bool* b = std::get_if<bool>(&default_value)) return *b ? "true" : "false";
  if (const double* d = std::get_if<double>(&default_value)) return number_text(*d);
  return *std::get_if<std::string>(&default_value);
}

Option option_with(const Option& described, std::variant<double, int, bool> value) {
  Option option = described;
  if (const double* real = std::get_if<double>(&value)) {
    option.kind = Option::Kind::number;
    option.default_value = *real;
  } else if (const bool* toggle = std::get_if<bool>(&value)) {
    option.kind = Option::Kind::toggle;
    option.default_value = *toggle;
  } else if (const int whole = std::get<int>(value); option.choices.empty()) {
    option.kind = Option::Kind::whole;
    option.default_value = static_cast<double>(whole);
  } else {
    option.kind = Option::Kind::choice;
    option.default_value = std::string(option.choices[static_cast<size_t>(whole)]);
  }
  return option;
}

std::string range_fault(double value, const Range& range) {
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

Error option_fault(const Option& option, const OptionScalar& value) {
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

const Option* find_option(const OptionTable& table, std::string_view name) {
  const auto at = std::find_if(table.begin(), table.end(), [&](const Option& o) { return o.name == name; });
  return at == table.end() ? nullptr : &*at;
}

Result<const Option*> accepted_option(const OptionTable& table, const std::string& name, const OptionScalar& value,
                                      const std::string& where, bool skip_unknown) {
  const Option* option = find_option(table, name);
  if (!option) {
    if (skip_unknown) return nullptr;
    std::vector<std::string_view> names;
    for (const Option& o : table) names.push_back(o.name);
    return Error{where + "." + name, "unknown option", did_you_mean(name, WordSpan(names))};
  }
  if (Error fault = option_fault(*option, value); !fault.what.empty()) {
    fault.where = where + "." + name;
    return fault;
  }
  return option;
}

int choice_of(const Option& option, std::string_view word) {
  return static_cast<int>(std::find(option.choices.begin(), option.choices.end(), word) - option.choices.begin());
}

}  // namespace sinew
