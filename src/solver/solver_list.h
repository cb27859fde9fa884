// The list of all solvers, and checks of what each supports. A solver is one file (or a pair) and one line in
// solvers.def.
#pragma once

#include <memory>
#include <string_view>

#include "base/option_table.h"
#include "base/result.h"
#include "solver/solver_info.h"

namespace sinew {

struct Model;

const std::vector<SolverInfo>& solver_list();
const SolverInfo* find_solver(std::string_view name);
// The one that comparisons measure errors against.
const SolverInfo& reference_solver();
// What to advise whoever uses `solver` in vain: the first that is recommended and is not that one; `on_grid`: of a
// scene with a grid. `solver` itself if there is no other.
const SolverInfo& recommended_solver(const SolverInfo& solver, bool on_grid);

// The same for contact; keeps_apart: with the guarantee that surfaces never intersect.
Status check_contact_solver(const SolverInfo& solver, bool keeps_apart);
// An error if the solver cannot treat the model; it says why, and which solvers can.
Status check_solver(const SolverInfo& solver, const Model& model, bool quasistatic);

// Both read one list of named values (option_table.h) with the common options and the solver's own; `where` is their
// path, for errors. The solver must exist.
Result<SolveOptions> solve_options(const SolverInfo& solver, std::span<const NamedOption> values,
                                   const std::string& where);
Result<std::unique_ptr<Solver>> make_solver(const SolverInfo& solver, const SolveOptions& common,
                                            std::span<const NamedOption> values, const std::string& where,
                                            LinearSolverFactory make_linear);

}  // namespace sinew
