// Shared by the solvers that sweep: the iterate in the working precision, and its exchange with the step.
#pragma once

#include <memory>
#include <span>

#include "exec/thread_pool.h"
#include "model/iterate.h"
#include "model/step_problem.h"
#include "solver/options.h"
#include "solver/solver.h"
#include "solver/sweep_order.h"

namespace sinew {

template <template <class> class Method, class Argument>
std::unique_ptr<Solver> make_in_precision(const SolveOptions& common, const Argument& argument) {
  if (common.precision == double_precision) return std::make_unique<Method<double>>(argument);
  return std::make_unique<Method<float>>(argument);
}

// The fewest vertices, tets or ties of a colour that a thread takes at a time: one or two microseconds of work, several
// times the cost of sharing it.
inline constexpr int64_t least_shared = 256;

// Writes x_start and inverse masses (0 if held) into the iterate, followed by `extra` more slots, all held.
template <class Real>
void load_iterate(const StepProblem& problem, int extra, ThreadPool& pool, Iterate<Real>& iterate) {
  const Model& model = *problem.model;
  const auto slots = static_cast<size_t>(model.slot_count());
  iterate.x.resize(slots + static_cast<size_t>(extra));
  pool.for_each(model.slot_count(), [&](size_t s) {
    const Vec3d p = problem.x_start[s];
    const double w = problem.held[s] ? 0 : 1 / model.mass[s];
    iterate.x[s] = {static_cast<Real>(p.x), static_cast<Real>(p.y), static_cast<Real>(p.z), static_cast<Real>(w)};
  });
  for (size_t s = slots; s < iterate.x.size(); ++s) iterate.x[s] = {0, 0, 0, 0};
}

template <class Real>
void store_positions(const Iterate<Real>& iterate, ThreadPool& pool, std::span<Vec3d> x) {
  pool.for_each(static_cast<int64_t>(x.size()), [&](size_t s) {
    x[s] = {iterate.x[s].x, iterate.x[s].y, iterate.x[s].z};
  });
}

// Runs sweep(color, first, last) over the items [begin[c], begin[c+1]) of every colour in turn. All threads work on one
// colour at a time, each on `grain` items or more. Items of one colour share nothing, so the result does not depend on
// the split.
template <class Sweep>
void for_each_color(ThreadPool& pool, std::span<const int32_t> begin, int64_t grain, const Visits& colors,
                    const Sweep& sweep) {
  for (const int32_t c : colors) {
    pool.parallel_for(begin[c + 1] - begin[c], grain,
                      [&](int64_t first, int64_t last) { sweep(c, begin[c] + first, begin[c] + last); });
  }
}
// The same by ascending colours.
template <class Sweep>
void for_each_color(ThreadPool& pool, std::span<const int32_t> begin, int64_t grain, const Sweep& sweep) {
  for_each_color(pool, begin, grain, Visits(static_cast<int32_t>(begin.size()) - 1), sweep);
}

}  // namespace sinew
