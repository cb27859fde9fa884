// The benchmarks' scenes: a unit cube, one face held, shaken by a tenth of a cell, in the middle of a backward Euler
// step. The stiffness scales with the cells, E h^2 / (rho cell^2) = 1, so that sweeps do the same work at every size
// and round-off is small enough to compare two codes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "exec/thread_pool.h"
#include "model/model.h"
#include "model/step_problem.h"

namespace sinew::bench {

// n^3 cells of six tets, or the irregular mesh made from them (irregular_mesh.h); or so many bodies, each of its own
// size: from .9 to 1.1 n cells along each edge.
struct MeshKind {
  int cells;
  bool irregular;
  int bodies = 1;
  std::string name() const {
    return (bodies > 1 ? std::to_string(bodies) + " x about " : std::string{}) + (irregular ? "irregular-" : "cube-") +
           std::to_string(cells);
  }
  friend bool operator==(const MeshKind&, const MeshKind&) = default;
};

// 20 thousand, 197 thousand, 1.57 and 1.33 million, 12.6 million tets: in the second-level cache, in the third-level
// cache, and in memory at 2 to 20 x its size.
inline constexpr MeshKind meshes[] = {{15, false}, {32, false}, {64, false}, {58, true}, {128, false}};
inline constexpr int largest_cells = 64;  // above this, only the most important benchmarks

inline constexpr double time_step = 1.0 / 120;  // [s]
inline constexpr double density = 1000;         // [kg/m^3]

struct Scene {
  Model model;
  StepProblem problem;
  double tets() const { return static_cast<double>(model.tets.size()); }
};
// cluster_vertices: as of ModelInput
std::unique_ptr<Scene> make_scene(MeshKind mesh, MaterialKind material, int32_t cluster_vertices = 0);

// Fills in the step, with every vertex that is not held moved by up to `shake` along each axis [m].
void begin_step(Scene& scene, double shake);

// Cached: only the last scene is kept, so register benchmarks of one scene consecutively.
const Scene& scene(MeshKind mesh, MaterialKind material);

TetMesh make_mesh(MeshKind kind);
ModelInput input_for(const TetMesh& mesh, MeshKind kind, MaterialKind material);

ThreadPool& pool_of(int threads);

}  // namespace sinew::bench
