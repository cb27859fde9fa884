// What the benchmarks sweep: a cube of n^3 cells, six tets each, one face held, shaken by a tenth of a cell, in the
// middle of a backward Euler step. The stiffness goes with the cells, E h^2 / (rho cell^2) = 1, so that sweeps do the
// same at every size and round-off stays small enough to compare two codes.
#pragma once

#include "exec/thread_pool.h"
#include "model/model.h"
#include "model/step_problem.h"

namespace sinew::bench {

// 20 thousand, 197 thousand and 1.57 million tets: in the second level cache, in the third, in memory.
inline constexpr int cells_along[] = {15, 32, 64};
inline constexpr double time_step = 1.0 / 120;  // [s]
inline constexpr double density = 1000;         // [kg/m^3]

struct Scene {
  Model model;
  StepProblem problem;
  double tets() const { return static_cast<double>(model.tets.size()); }
};

// Built once; the last one is kept, so register benchmarks of one scene side by side.
const Scene& scene(int cells, MaterialKind material);

TetMesh cube(int cells);
ModelInput input_for(const TetMesh& mesh, int cells, MaterialKind material);

ThreadPool& pool_of(int threads);

}  // namespace sinew::bench
