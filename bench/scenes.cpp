#include "scenes.h"

#include <map>
#include <random>

#include "irregular_mesh.h"
#include "mesh/generators.h"

namespace sinew::bench {

namespace {
TetMesh make_bodies(MeshKind kind) {
  TetMesh all;
  std::mt19937 engine(1);
  std::uniform_int_distribution<int> cells(kind.cells * 9 / 10, kind.cells * 11 / 10);
  for (int body = 0; body < kind.bodies; ++body) {
    const int a = cells(engine), b = cells(engine), c = cells(engine);
    const double edge = 1.0 / kind.cells;
    const TetMesh mesh =
        make_box({.cells = {a, b, c}, .size = {a * edge, b * edge, c * edge}, .split = TetSplit::six}).value();
    const auto first = static_cast<int32_t>(all.vertices.size());
    for (const Vec3d& v : mesh.vertices) all.vertices.push_back(v + Vec3d{0, 2.0 * body, 0});
    for (const auto& tet : mesh.tets)
      all.tets.push_back({tet[0] + first, tet[1] + first, tet[2] + first, tet[3] + first});
  }
  return all;
}
}  // namespace

TetMesh make_mesh(MeshKind kind) {
  const int n = kind.cells;
  if (kind.bodies > 1) return make_bodies(kind);
  if (kind.irregular) return make_irregular({.cells = n});
  return make_box({.cells = {n, n, n}, .size = {1, 1, 1}, .split = TetSplit::six}).value();
}

ModelInput input_for(const TetMesh& mesh, MeshKind kind, MaterialKind material) {
  ModelInput input;
  input.mesh = &mesh;
  input.block_of_tet.assign(mesh.tets.size(), 0);
  const double youngs_modulus = density / (kind.cells * kind.cells * time_step * time_step);
  input.blocks = {{.material = elastic_material(material, lame_from(youngs_modulus, 0.4))}};
  input.density_of_block = {density};
  input.gravity = {0, -9.81, 0};
  return input;
}

void begin_step(Scene& s, double shake) {
  StepProblem& p = s.problem;
  p.model = &s.model;
  p.h = time_step;
  p.x_prev = s.model.rest;
  std::mt19937 engine(1);
  std::uniform_real_distribution<double> shift(-shake, shake);
  for (int32_t slot = 0; slot < s.model.slot_count(); ++slot) {
    p.held.push_back(s.model.mass[slot] == 0 || s.model.rest[slot].x < 1e-9);
    if (!p.held[slot]) p.x_prev[slot] += Vec3d{shift(engine), shift(engine), shift(engine)};
  }
  p.x_start = p.x_target = p.x_prev;
  for (size_t slot = 0; slot < p.held.size(); ++slot) {
    if (!p.held[slot]) p.x_target[slot] += (p.h * p.h / s.model.mass[slot]) * s.model.external_force(slot);
  }
}

std::unique_ptr<Scene> make_scene(MeshKind kind, MaterialKind material, int32_t cluster_vertices) {
  auto made = std::make_unique<Scene>();
  Scene& s = *made;
  {
    const TetMesh mesh = make_mesh(kind);
    ModelInput input = input_for(mesh, kind, material);
    input.cluster_vertices = cluster_vertices;
    s.model = compile_model(input, pool_of(0)).value();
  }
  begin_step(s, 0.1 / kind.cells);
  return made;
}

const Scene& scene(MeshKind mesh, MaterialKind material) {
  static std::unique_ptr<Scene> last;
  static MeshKind last_mesh;
  static MaterialKind last_material;
  if (last && last_mesh == mesh && last_material == material) return *last;
  last.reset();  // two of the largest may not fit into memory
  last = make_scene(mesh, material);
  last_mesh = mesh;
  last_material = material;
  return *last;
}

ThreadPool& pool_of(int threads) {
  static std::map<int, std::unique_ptr<ThreadPool>> pools;
  std::unique_ptr<ThreadPool>& pool = pools[threads];
  if (!pool) pool = std::make_unique<ThreadPool>(threads);
  return *pool;
}

}  // namespace sinew::bench
