// Each file registers its benchmarks; main.cpp calls these in the order of the table. Names are
// method/material/layout/tets/threads; every benchmark reports
//   ns_per_tet     nanoseconds per tet and sweep, by the clock on the wall
//   bytes_per_tet  size of what a sweep reads and writes
//   GB/s           the same per time: how near to the memory's speed
#pragma once

#include <benchmark/benchmark.h>

#include <cmath>
#include <functional>
#include <string>

#include "scenes.h"
#include "solver/solver.h"

namespace sinew::bench {

void register_limits();
void register_vbd();
void register_xpbd();
void register_setup();

inline std::string name_of(const std::string& method, MaterialKind material, const std::string& layout, int cells,
                           int threads) {
  return method + "/" + traits_of(material).name + "/" + layout + "/" + std::to_string(6 * cells * cells * cells) +
         "/threads:" + std::to_string(threads);
}

inline void set_counters(benchmark::State& state, double tets, double bytes) {
  using benchmark::Counter;
  state.counters["ns_per_tet"] = Counter(1e-9 * tets, Counter::kIsIterationInvariantRate | Counter::kInvert);
  state.counters["bytes_per_tet"] = bytes / tets;
  state.counters["GB/s"] = Counter(1e-9 * bytes, Counter::kIsIterationInvariantRate);
}

// The clock runs over sweep() only.
inline void time_sweeps(benchmark::State& state, double tets, double bytes, const std::function<void()>& sweep) {
  sweep();  // pages touched, caches filled
  for (auto _ : state) sweep();
  set_counters(state, tets, bytes);
}

inline void add(const std::string& name, const std::function<void(benchmark::State&)>& body) {
  benchmark::RegisterBenchmark(name.c_str(), [body](benchmark::State& state) { body(state); })
      ->UseRealTime()
      ->Unit(benchmark::kMillisecond);
}

// The engine's sweeps.
inline void time_solver(benchmark::State& state, Solver& solver, MaterialKind material, int cells, int threads) {
  const Scene& s = scene(cells, material);
  ThreadPool& pool = pool_of(threads);
  solver.prepare(s.model, pool);
  solver.begin_step(Objective(s.problem, pool));
  time_sweeps(state, s.tets(), static_cast<double>(solver.memory_bytes()), [&] { solver.iterate(); });
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

// The sweeps of a plain code, with Neo-Hookean. It is no yardstick if it computes something else: after one sweep of a
// mesh that is not cut into clusters it may differ from the solver by `tolerance` cells, or the benchmark ends with an
// error.
template <class Plain>
void time_plain(benchmark::State& state, Solver& solver, double tolerance, int cells, int threads) {
  const Scene& s = scene(cells, MaterialKind::NeoHookean);
  ThreadPool& pool = pool_of(threads);
  Plain code(s.problem);
  if (s.model.clusters.count() <= 1) {  // else the engine has another order
    code.sweep(pool);
    solver.prepare(s.model, pool);
    solver.begin_step(Objective(s.problem, pool));
    solver.iterate();
    std::vector<Vec3d> x(s.model.rest.size());
    solver.positions(x);
    if (const double d = distance(s, x, code.positions()) * cells; !(d < tolerance)) {
      state.SkipWithError(("differs from the engine by " + std::to_string(d) + " cells").c_str());
      return;
    }
  }
  time_sweeps(state, s.tets(), static_cast<double>(code.bytes()), [&] { code.sweep(pool); });
}

}  // namespace sinew::bench
