// Each file registers its benchmarks; main.cpp calls these functions in the order of the table. Names are
// method/material/layout/mesh/threads; every benchmark reports
//   tets
//   ns_per_tet     nanoseconds per tet and sweep, wall-clock time
//   bytes_per_tet  size of the data that a sweep reads and writes
//   flop_per_tet   operations per tet and sweep (counted.h)
// except those of the machine, which report GB/s or GFLOP/s.
#pragma once

#include <benchmark/benchmark.h>

#include <functional>
#include <string>

#include "scenes.h"

namespace sinew::bench {

void register_contact_find();
void register_limits();
void register_live();
void register_quadratic();
void register_ties();
void register_vbd(MeshKind mesh, MaterialKind material);
void register_xpbd(MeshKind mesh, MaterialKind material);
void register_family(MeshKind mesh, MaterialKind material);
void register_setup(MeshKind mesh);

std::string name_of(const std::string& method, MaterialKind material, const std::string& layout, MeshKind mesh,
                    int threads);

void add(const std::string& name, const std::function<void(benchmark::State&)>& body);
void set_counters(benchmark::State& state, double tets, double bytes);

// A sweep ready to be timed, with everything it needs except the scene.
struct Sweep {
  std::function<void()> run;
  double tets = 0;
  double bytes = 0;
  double flops_per_tet = 0;
  std::string fault{};  // why it cannot be run, or empty
};

// Times the sweep only. It is prepared once, whatever the number of repetitions, and released before the next one is
// prepared.
void add_sweep(const std::string& name, const std::function<Sweep()>& prepare);

}  // namespace sinew::bench
