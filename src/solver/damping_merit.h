// What a line search adds to the energy for damping that the energy does not contain, that by own blocks: with r =
// k_d/h,
//   r/2 sum_i (x_i - x_i_prev)^T K_ii (x_i - x_i_prev),   K_ii frozen at `x_frozen`.
// Its gradient is the damping force as long as K_ii does not change. The force itself has no potential
// (objective/objective.h).
#pragma once

#include <span>

#include "exec/thread_pool.h"
#include "model/step_problem.h"

namespace sinew {

// [J]; 0 for damping by the rate of strain, which the energy contains.
double damping_merit(const StepProblem& problem, std::span<const Vec3d> x, std::span<const Vec3d> x_frozen,
                     ThreadPool& pool);

}  // namespace sinew
