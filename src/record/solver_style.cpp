#include "record/solver_style.h"

#include "solver/solver_list.h"

namespace sinew {

std::string_view solver_color(std::string_view solver) {
  const SolverInfo* info = find_solver(solver);
  return info ? info->color : "#777777";
}

}  // namespace sinew
