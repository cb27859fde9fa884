// A parameter table without its type: what parsers, the schema, --help and the reference page need to know about the
// options of a solver or an accelerator, and how values are written into an options struct.
#pragma once

#include <algorithm>
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
#include "sinew/option_value.h"

namespace sinew {

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
  std::string default_text() const;
};
using OptionTable = std::vector<Option>;

// The option of a parameter whose default is this: a number of choices stands for one of them.
Option option_with(const Option& described, std::variant<double, int, bool> value);

// The table of an options struct, with its defaults. The Parameter list must outlive it.
// Not inlined: g++ 12 would warn of members that the struct does not have.
template <class Options>
[[gnu::noinline]] OptionTable option_table(std::span<const Parameter<Options>> parameters,
                                           const Options& defaults = Options{}) {
  OptionTable table;
  for (const Parameter<Options>& p : parameters) {
    const auto value =
        std::visit([&](auto member) { return std::variant<double, int, bool>(defaults.*member); }, p.member);
    table.push_back(option_with({p.name, {}, p.unit, p.range, p.meaning, p.choices, {}, p.zero_beside}, value));
  }
  return table;
}

// "must be above 0 and below 0.5", the violated limit first; empty if the number is in range.
std::string range_fault(double value, const Range& range);

// The error in a value for this option ("= 0 [-]: must be at least 1", remedy); `what` is empty if there is none.
Error option_fault(const Option& option, const OptionScalar& value);

// The option of this name; null if the table has none.
const Option* find_option(const OptionTable& table, std::string_view name);

// The option that a value is for, where name and value are right; null for an unknown name if `skip_unknown`.
Result<const Option*> accepted_option(const OptionTable& table, const std::string& name, const OptionScalar& value,
                                      const std::string& where, bool skip_unknown);

// The number of a choice.
int choice_of(const Option& option, std::string_view word);

// Writes named values (anything with .name and .value, an OptionScalar) into an options struct. Unknown names are an
// error unless `skip_unknown`: the common options and a solver's own come in one list, and each struct takes those it
// has. `where` is the path above the names, e.g. "solver".
template <class Options, class Values>
Status apply_options(std::span<const Parameter<Options>> parameters, const Values& values, Options& options,
                     const std::string& where, bool skip_unknown = false) {
  const OptionTable table = option_table(parameters);
  for (const auto& given : values) {
    const Result<const Option*> accepted = accepted_option(table, given.name, given.value, where, skip_unknown);
    if (!accepted) return accepted.error();
    const Option* option = *accepted;
    if (!option) continue;
    const Parameter<Options>& p = parameters[static_cast<size_t>(option - table.data())];
    if (auto* real = std::get_if<double Options::*>(&p.member)) {
      options.** real = std::get<double>(given.value);
    } else if (auto* toggle = std::get_if<bool Options::*>(&p.member)) {
      options.** toggle = std::get<bool>(given.value);
    } else if (auto* whole = std::get_if<int Options::*>(&p.member)) {
      if (option->kind == Option::Kind::whole) {
        options.** whole = static_cast<int>(std::get<double>(given.value));
      } else {
        options.** whole = choice_of(*option, std::get<std::string>(given.value));
      }
    }
  }
  return {};
}

}  // namespace sinew
