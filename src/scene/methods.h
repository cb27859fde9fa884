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
  bool accelerates = true;  // whether a solver takes accelerators
};
using MethodList = std::vector<MethodEntry>;

const MethodList& solver_methods();
const MethodList& accelerator_methods();

// The options in the form that makers take.
std::vector<NamedOption> named_options(const std::vector<OptionValue>& values);

// An error that says why the accelerator cannot work on the solver. None if one of them does not exist or has wrong
// options.
Status check_pair(const SolverSettings& settings);

// A value of an accelerator's option that a solver does not support, though it takes accelerators.
struct RefusedWord {
  std::string_view accelerator, option, word;
};
std::vector<RefusedWord> refused_words(std::string_view solver);

// Null if the list has no method of this name.
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
