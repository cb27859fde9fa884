// Every solver, and what each can treat. A solver is one file (or a pair) and one line in solvers.def.
#pragma once

#include <memory>
#include <string_view>

#include "base/option_table.h"
#include "base/result.h"
#include "solver/solver_info.h"

namespace sinew {

const std::vector<SolverInfo>& solver_list();
const SolverInfo* find_solver(std::string_view name);

// Can the solver treat the model? If not: why, and which solvers can.
Status check_solver(const SolverInfo& solver, const Model& model, bool quasistatic);

// Options common to all, then the solver's own, from one list of named values (option_table.h); `where` is the path
// they are under. The solver must exist.
Result<SolveOptions> solve_options(const SolverInfo& solver, std::span<const NamedOption> values,
                                   const std::string& where);
Result<std::unique_ptr<Solver>> make_solver(const SolverInfo& solver, const SolveOptions& common,
                                            std::span<const NamedOption> values, const std::string& where,
                                            LinearSolverFactory make_linear);

}  // namespace sinew
