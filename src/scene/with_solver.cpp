#include "sinew/scene_file.h"
#include "solver/solver_list.h"

namespace sinew {

// What was left at the default of the one solver is left at that of the other. Solvers' own options may have the same
// names and other defaults: Newton without the line search that VBD does without is no reference.
SolverSettings with_solver(const SolverSettings& settings, std::string_view type) {
  SolverSettings other = settings;
  other.type = type;
  if (type == settings.type) return other;
  const SolverInfo* before = find_solver(settings.type);
  if (!before) return other;
  std::erase_if(other.options, [&](const OptionValue& o) {
    const Option* common = find_option(before->common_options, o.name);
    return !common || find_option(before->options, o.name) || o.value == common->default_value;
  });
  return other;
}

}  // namespace sinew
