#include "sinew/scene_file.h"
#include "solver/solver_list.h"

namespace sinew {

// Solvers' own options may have the same names and other defaults: Newton without the line search that VBD does without
// is no reference.
SolverSettings with_solver(const SolverSettings& settings, std::string_view type) {
  SolverSettings other = settings;
  other.type = type;
  if (type == settings.type) return other;
  const SolverInfo* before = find_solver(settings.type);
  const OptionTable common = option_table<SolveOptions>(solve_parameters);
  std::erase_if(other.options, [&](const OptionValue& o) {
    return !find_option(common, o.name) || (before && find_option(before->options, o.name));
  });
  return other;
}

}  // namespace sinew
