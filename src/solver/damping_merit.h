// A function whose gradient is the damping force, so that a line search can weigh it against the energy; r = k_d/h.
//   element form    r V (P(F):(F - F_prev) - psi(F)),  with the gradient r V (H:(F - F_prev)) g_i, exactly: up to a
//                   constant it is the Bregman divergence of psi from F_prev to F, and not negative where psi is convex
//   own-block form  r/2 (x_i - x_i_prev)^T K_ii (x_i - x_i_prev) with K_ii frozen at `x_frozen`; it has no potential
#pragma once

#include <span>

#include "exec/thread_pool.h"
#include "model/step_problem.h"

namespace sinew {

bool is_damped(const StepProblem& problem);

// [J], relative to x_prev
double damping_merit(const StepProblem& problem, std::span<const Vec3d> x, std::span<const Vec3d> x_frozen,
                     ThreadPool& pool);

}  // namespace sinew
