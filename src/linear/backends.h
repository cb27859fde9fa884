// Private to the room: a factory function for each library.
#pragma once

#include <memory>

#include "solver/linear_solver.h"

namespace sinew {

std::unique_ptr<LinearSolver> make_cholmod_solver();
std::unique_ptr<LinearSolver> make_eigen_solver();

}  // namespace sinew
