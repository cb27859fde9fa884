#include "scene/methods.h"

#include <algorithm>

#include "accel/accelerator_list.h"
#include "base/format.h"
#include "solver/solver_list.h"

namespace sinew {

const MethodList& solver_methods() {
  static const MethodList list = [] {
    MethodList methods;
    for (const SolverInfo& solver : solver_list()) {
      MethodEntry entry{solver.name, solver.summary, {}, solver.traits.accelerates};
      // A solver's own option replaces the common one of the same name.
      for (const Option& option : solver.common_options)
        if (!find_option(solver.options, option.name)) entry.options.push_back(option);
      entry.options.insert(entry.options.end(), solver.options.begin(), solver.options.end());
      if (!solver.traits.single_precision) {
        Option& precision = *std::find_if(entry.options.begin(), entry.options.end(),
                                          [](const Option& option) { return option.name == "precision"; });
        precision.choices = std::span(precision_names).subspan(double_precision, 1);
      }
      methods.push_back(std::move(entry));
    }
    return methods;
  }();
  return list;
}

const MethodList& accelerator_methods() {
  static const MethodList list = [] {
    MethodList methods;
    for (const AcceleratorInfo& accelerator : accelerator_list())
      methods.push_back({accelerator.name, accelerator.summary, accelerator.options});
    return methods;
  }();
  return list;
}

std::vector<NamedOption> named_options(const std::vector<OptionValue>& values) {
  std::vector<NamedOption> result;
  for (const OptionValue& v : values) result.push_back({v.name, v.value});
  return result;
}

Status check_pair(const SolverSettings& settings) {
  const SolverInfo* solver = find_solver(settings.type);
  const auto accelerator =
      make_accelerator(settings.accelerator, named_options(settings.accelerator_options), "solver.accelerator");
  if (!solver || !accelerator || !*accelerator) return {};
  if (!solver->traits.accelerates) {
    std::string others;
    for (const SolverInfo& other : solver_list()) {
      if (other.traits.accelerates) others += (others.empty() ? "" : ", ") + std::string(other.name);
    }
    return Error{"solver.accelerator",
                 joined({"= \"", settings.accelerator, "\": solver \"", solver->name,
                         "\" takes no accelerator, for it is no fixed-point iteration or has one of its own"}),
                 "use \"none\", or for solver.type one of " + others};
  }
  const bool alone = (*accelerator)->moves_multipliers_alone() || (*accelerator)->moves_positions_alone();
  if (alone && solver->traits.whole_iterate) {
    return Error{
        "solver.accelerator.on",
        joined({"= \"", (*accelerator)->moves_positions_alone() ? "positions" : "multipliers", "\": solver \"",
                solver->name, "\" keeps forces in balance, for which positions and stresses must move together"}),
        "use \"both\""};
  }
  if ((*accelerator)->moves_multipliers_alone() && !solver->traits.multipliers) {
    return Error{"solver.accelerator.on",
                 joined({"= \"multipliers\": solver \"", solver->name, "\" has none of constraints"}),
                 "use \"both\", which for it is the positions"};
  }
  return {};
}

std::vector<RefusedWord> refused_words(std::string_view solver) {
  std::vector<RefusedWord> refused;
  const SolverInfo* info = find_solver(solver);
  if (!info || !info->traits.accelerates) return refused;
  SolverSettings settings;
  settings.type = solver;
  for (const AcceleratorInfo& accelerator : accelerator_list())
    for (const Option& option : accelerator.options)
      for (const std::string_view word : option.choices) {
        settings.accelerator = accelerator.name;
        settings.accelerator_options = {{std::string(option.name), std::string(word)}};
        if (!check_pair(settings)) refused.push_back({accelerator.name, option.name, word});
      }
  return refused;
}

}  // namespace sinew
