// The two kinds of timed sweeps: a solver of the engine, and the plain code, which must agree with the engine.
#pragma once

#include <cmath>
#include <memory>
#include <string>

#include "flops.h"
#include "register.h"
#include "solver/solver.h"

namespace sinew::bench {

inline Sweep solver_sweep(std::shared_ptr<Solver> solver, MeshKind mesh, MaterialKind material, int threads,
                          double flops_per_tet) {
  const Scene& s = scene(mesh, material);
  ThreadPool& pool = pool_of(threads);
  solver->prepare(s.model, pool);
  solver->begin_step(Objective(s.problem, pool));
  return {[solver] { solver->iterate(); }, s.tets(), static_cast<double>(solver->memory_bytes()), flops_per_tet};
}

// Largest distance of the plain sweep's positions from the engine's [m]; both in slots.
inline double distance(const Scene& s, const std::vector<Vec3d>& engine, const std::vector<Vec3f>& plain) {
  double largest = 0;
  for (int32_t slot = 0; slot < s.model.slot_count(); ++slot) {
    if (s.model.order.is_padding(Slot{slot})) continue;
    const Vec3d d = engine[slot] - Vec3d{plain[slot].x, plain[slot].y, plain[slot].z};
    largest = std::max(largest, std::sqrt(dot(d, d)));
  }
  return largest;
}

// Plain: a plain code over float. It must compute the same: after one sweep of a mesh without clusters it may differ
// from the solver by at most `tolerance` cells, or the benchmark fails.
template <class Plain>
Sweep plain_sweep(Solver& solver, MeshKind mesh, MaterialKind material, int threads, double tolerance,
                  double flops_per_tet) {
  const Scene& s = scene(mesh, material);
  ThreadPool& pool = pool_of(threads);
  const auto code = std::make_shared<Plain>(s.problem);
  Sweep sweep{[code, &pool] { code->sweep(pool); }, s.tets(), static_cast<double>(code->bytes()), flops_per_tet};
  if (s.model.clusters.count() <= 1) {  // else the engine's order differs
    code->sweep(pool);
    solver.prepare(s.model, pool);
    solver.begin_step(Objective(s.problem, pool));
    solver.iterate();
    std::vector<Vec3d> x(s.model.rest.size());
    solver.positions(x);
    if (const double d = distance(s, x, code->positions()) * mesh.cells; !(d < tolerance)) {
      sweep.fault = "differs from the engine by " + std::to_string(d) + " cells";
    }
  }
  return sweep;
}

}  // namespace sinew::bench
