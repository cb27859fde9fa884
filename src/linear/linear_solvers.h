// The sparse direct solvers of this build. Each is deterministic: bit-identical for any number of threads.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "solver/linear_solver.h"

namespace sinew {

// Names of the solvers built in, the fastest first.
std::span<const std::string_view> linear_solver_names();

// A solver by name; "auto" is the first of linear_solver_names(). Null if this build does not have it.
std::unique_ptr<LinearSolver> make_linear_solver(std::string_view name = "auto");

}  // namespace sinew
