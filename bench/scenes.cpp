#include "scenes.h"

#include <map>
#include <memory>
#include <random>

#include "mesh/generators.h"

namespace sinew::bench {

TetMesh cube(int cells) {
  return make_box({.cells = {cells, cells, cells}, .size = {1, 1, 1}, .split = TetSplit::six}).value();
}

ModelInput input_for(const TetMesh& mesh, int cells, MaterialKind material) {
  ModelInput input;
  input.mesh = &mesh;
  input.block_of_tet.assign(mesh.tets.size(), 0);
  const double youngs_modulus = density / (cells * cells * time_step * time_step);
  input.blocks = {{.material = material, .lame = lame_from(youngs_modulus, 0.4)}};
  input.density_of_block = {density};
  input.gravity = {0, -9.81, 0};
  return input;
}

const Scene& scene(int cells, MaterialKind material) {
  static std::unique_ptr<Scene> last;
  static int last_cells = 0;
  static MaterialKind last_material{};
  if (last && last_cells == cells && last_material == material) return *last;
  last.reset();  // two of the largest need not fit
  last = std::make_unique<Scene>();
  last_cells = cells;
  last_material = material;

  const TetMesh mesh = cube(cells);
  Scene& s = *last;
  s.model = compile_model(input_for(mesh, cells, material)).value();
  StepProblem& p = s.problem;
  p.model = &s.model;
  p.h = time_step;
  p.x_prev = s.model.rest;
  std::mt19937 engine(1);
  std::uniform_real_distribution<double> shift(-0.1 / cells, 0.1 / cells);
  for (int32_t slot = 0; slot < s.model.slot_count(); ++slot) {
    p.held.push_back(s.model.mass[slot] == 0 || s.model.rest[slot].x < 1e-9);
    if (!p.held[slot]) p.x_prev[slot] += Vec3d{shift(engine), shift(engine), shift(engine)};
  }
  p.x_start = p.x_target = p.x_prev;
  for (size_t slot = 0; slot < p.held.size(); ++slot) {
    if (!p.held[slot]) p.x_target[slot] += (p.h * p.h / s.model.mass[slot]) * s.model.external_force(slot);
  }
  return s;
}

ThreadPool& pool_of(int threads) {
  static std::map<int, std::unique_ptr<ThreadPool>> pools;
  std::unique_ptr<ThreadPool>& pool = pools[threads];
  if (!pool) pool = std::make_unique<ThreadPool>(threads);
  return *pool;
}

}  // namespace sinew::bench
