// What a line search weighs beside the energy where damping is not part of that: under the own-block form, with
// r = k_d/h,
//   r/2 sum_i (x_i - x_i_prev)^T K_ii (x_i - x_i_prev),   K_ii frozen at `x_frozen`,
// whose gradient is the damping force as long as K_ii stays. The form has no potential (objective/objective.h).
#pragma once

#include <span>

#include "exec/thread_pool.h"
#include "model/step_problem.h"

namespace sinew {

// [J]; 0 of damping by the rate of strain, which the energy contains
double damping_merit(const StepProblem& problem, std::span<const Vec3d> x, std::span<const Vec3d> x_frozen,
                     ThreadPool& pool);

}  // namespace sinew
