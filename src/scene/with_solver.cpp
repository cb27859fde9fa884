#include "scene/methods.h"
#include "sinew/scene_file.h"
#include "solver/solver_list.h"

namespace sinew {

// An option that is at the default of one solver is set to the default of the other. Solvers' own options may have the
// same names but different defaults: Newton without the line search that VBD lacks by default is no reference. Nor does
// every solver support every value of a common option: Newton has no single precision.
SolverSettings with_solver(const SolverSettings& settings, std::string_view type) {
  SolverSettings other = settings;
  other.type = type;
  if (type == settings.type) return other;
  const SolverInfo* before = find_solver(settings.type);
  if (!before) return other;
  const MethodEntry* after = find_method(solver_methods(), type);
  std::erase_if(other.options, [&](const OptionValue& o) {
    const Option* common = find_option(before->common_options, o.name);
    const Option* taken = after ? find_option(after->options, o.name) : nullptr;
    return !common || find_option(before->options, o.name) || o.value == common->default_value ||
           (taken && !option_fault(*taken, o.value).what.empty());
  });
  return other;
}

}  // namespace sinew
