// Values that are given by name: the options of solvers and accelerators.
//
//   scene.solver.options.set("iterations", 20);
//   scene.solver.options.set("precision", "double");
//   scene.solver.options = {{"iterations", 20}, {"tolerance", 1e-3}};
#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

namespace sinew {

// Integers, which std::variant itself does not convert to a double.
template <class T>
concept Integer = std::integral<T> && !std::same_as<T, bool>;

// A switch, a number or a word. Integers are numbers.
struct OptionScalar : std::variant<bool, double, std::string> {
  using std::variant<bool, double, std::string>::variant;
  OptionScalar(Integer auto number) : variant(static_cast<double>(number)) {}
  OptionScalar(std::string_view word) : variant(std::string(word)) {}
};

struct OptionValue {
  std::string name;
  OptionScalar value;

  bool operator==(const OptionValue&) const = default;
};

// In the order in which they were given.
struct OptionValues : std::vector<OptionValue> {
  using std::vector<OptionValue>::vector;
  using std::vector<OptionValue>::operator=;

  // Gives an option its value, in place of an earlier one.
  void set(std::string_view option, const OptionScalar& value) {
    for (OptionValue& given : *this) {
      if (given.name != option) continue;
      given.value = value;
      return;
    }
    push_back({std::string(option), value});
  }
  // Null: not given.
  const OptionScalar* find(std::string_view option) const {
    for (const OptionValue& given : *this)
      if (given.name == option) return &given.value;
    return nullptr;
  }
};

}  // namespace sinew
