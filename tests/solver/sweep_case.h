// Test case for the sweep kernels: a shaken body in a step, and the difference of two iterates.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "objective/objective.h"
#include "solver/options.h"
#include "solver/solver.h"
#include "solver/sweep.h"
#include "support/body.h"

namespace sinew {

using support::Body;
using support::body_of;
using support::box;
using support::problem_of;
using support::Random;
using support::shaken;

// The float widths of the kernels that this machine runs.
inline std::vector<int> lane_counts() {
  std::vector<int> counts;
  for (const int lanes : {1, 4, 8, 16}) {
    if (kernels_with_lanes(lanes)) counts.push_back(lanes);
  }
  return counts;
}

// The positions of a solver after this many iterations.
inline std::vector<Vec3d> iterated(Solver& solver, const StepProblem& problem, ThreadPool& pool, int iterations) {
  solver.prepare(*problem.model, pool);
  const Objective objective(problem, pool);
  solver.begin_step(objective);
  for (int k = 0; k < iterations; ++k) solver.iterate();
  std::vector<Vec3d> x(problem.x_start.size());
  solver.positions(x);
  return x;
}

inline double largest_difference(const Model& model, const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
  double largest = 0;
  for (int32_t s = 0; s < model.slot_count(); ++s) {
    if (model.order.is_padding(Slot{s})) continue;
    const Vec3d d = a[s] - b[s];
    for (const double v : {d.x, d.y, d.z}) largest = std::isfinite(v) ? std::max(largest, std::abs(v)) : 1e300;
  }
  return largest;
}

// Two materials side by side, an isolated tet, a vertex with 64 tets, vertices without tets.
inline TetMesh assorted() {
  TetMesh second = support::fan(4, 8);
  for (Vec3d& v : second.vertices) v += Vec3d{4, 0, 0};
  TetMesh mesh = support::together(support::together(box({4, 3, 2}, {2, 1.5, 1}), second), support::one_tet());
  for (size_t v = mesh.vertices.size() - 4; v < mesh.vertices.size(); ++v) mesh.vertices[v] += Vec3d{0, 4, 0};
  mesh.vertices.push_back({7, 7, 7});
  return mesh;
}
inline Body assorted_body(MaterialKind first, MaterialKind second) {
  Body body = body_of(assorted(), first);
  body.blocks.push_back({.material = elastic_material(second, lame_from(3000, 0.4))});
  body.density.push_back(20);
  for (const Tet& t : body.mesh.tets) body.block_of_tet.push_back(body.mesh.vertices[t[0]].x > 1.2);
  return body;
}

// Cells of half a metre: displaced by up to 0.1 m, tets are strongly deformed and some inverted.
constexpr double shake = 0.1;
constexpr double time_step = 0.02;

struct SweepCase {
  SweepCase(const Body& b, double h, double amount = shake) : body(b), model(b.compile()) {
    Random random(17);
    problem = problem_of(model, shaken(model.rest, amount, random), h);
    problem.x_start = shaken(problem.x_prev, amount, random);
    for (int32_t s = 0; s < model.slot_count(); ++s) {
      if (model.rest[s].x < 1e-9 && !model.order.is_padding(Slot{s})) problem.held[s] = 1;
      if (problem.held[s]) problem.x_start[s] = problem.x_prev[s];
    }
  }
  Body body;
  Model model;
  StepProblem problem;
  ThreadPool pool{1};
};

// Kernels of every width do the same operations in the same order. Compilers contract a b + c to one rounding where the
// processor can, unless the build disables it (SINEW_SAME_BITS): then the bits are equal.
inline double lane_error([[maybe_unused]] int precision, [[maybe_unused]] double scale) {
#if defined(SINEW_SAME_BITS)
  return 0;
#else
  return scale * (precision == double_precision ? 2.3e-16 : 1.2e-7);
#endif
}

}  // namespace sinew
