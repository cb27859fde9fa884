#include "scene/methods.h"
#include "sinew/scene_file.h"
#include "solver/solver_list.h"

namespace sinew {

// Solvers' own options may have the same names and other defaults: Newton without the line search that VBD does without
// is no reference. Nor can every solver take every value of a common option: Newton knows no single precision.
SolverSettings with_solver(const SolverSettings& settings, std::string_view type) {
  SolverSettings other = settings;
  other.type = type;
  if (type == settings.type) return other;
  const SolverInfo* before = find_solver(settings.type);
  const MethodEntry* after = find_method(solver_methods(), type);
  const OptionTable common = option_table<SolveOptions>(solve_parameters);
  std::erase_if(other.options, [&](const OptionValue& o) {
    const Option* taken = after ? find_option(after->options, o.name) : nullptr;
    return !find_option(common, o.name) || (before && find_option(before->options, o.name)) ||
           (taken && !option_fault(*taken, o.value).what.empty());
  });
  return other;
}

}  // namespace sinew
