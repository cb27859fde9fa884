// Solvers and accelerators as a scene names them, with their options.
#pragma once

#include <string_view>
#include <vector>

#include "base/option_table.h"
#include "base/result.h"
#include "sinew/scene.h"

namespace sinew {

struct MethodEntry {
  std::string_view name;
  std::string_view summary;
  OptionTable options;      // common options first
  bool accelerates = true;  // a solver that takes accelerators
};
using MethodList = std::vector<MethodEntry>;

const MethodList& solver_methods();
const MethodList& accelerator_methods();

// The options as makers take them.
std::vector<NamedOption> named_options(const std::vector<OptionValue>& values);

// Can the accelerator work on the solver? If not: why. Fine where one of them does not exist or its options are wrong.
Status check_pair(const SolverSettings& settings);

// What a solver that takes accelerators refuses of them: a word for one of their options.
struct RefusedWord {
  std::string_view accelerator, option, word;
};
std::vector<RefusedWord> refused_words(std::string_view solver);

// Null if the list has none of this name.
inline const MethodEntry* find_method(const MethodList& list, std::string_view name) {
  for (const MethodEntry& entry : list)
    if (entry.name == name) return &entry;
  return nullptr;
}
inline std::vector<std::string_view> method_names(const MethodList& list) {
  std::vector<std::string_view> names;
  for (const MethodEntry& entry : list) names.push_back(entry.name);
  return names;
}

}  // namespace sinew
