#include "tied_scenes.h"

#include <cmath>
#include <random>

namespace sinew::bench {
namespace {

Ties springs(int cells) {
  Ties ties;
  const auto at = [&](int i, int j, int k) { return i + (cells + 1) * (j + (cells + 1) * k); };
  const double spacing = 1.0 / cells;
  for (int k = 0; k <= cells; ++k)
    for (int j = 0; j <= cells; ++j)
      for (int i = 0; i <= cells; ++i) {
        if (i < cells) ties.add_spring(at(i, j, k), at(i + 1, j, k), 1000, spacing);
        if (j < cells) ties.add_spring(at(i, j, k), at(i, j + 1, k), 1000, spacing);
        if (k < cells) ties.add_spring(at(i, j, k), at(i, j, k + 1), 1000, spacing);
      }
  return ties;
}
Ties bindings(const TetMesh& mesh) {
  Ties ties;
  const double weights[] = {1, -0.5, -0.3, -0.2};
  for (size_t t = 0; t < mesh.tets.size(); t += 5) ties.add(weak_constraint_law(1000), mesh.tets[t], weights);
  return ties;
}
Ties fibres(const TetMesh& mesh) {
  Ties ties;
  for (size_t t = 0; t < mesh.tets.size(); t += 2) {
    const double c = 1 / std::sqrt(3.0);
    ties.add_fibre(mesh.tets[t], mesh.vertices, {c, c, c}, 3e5, 1, 0);
  }
  return ties;
}
Ties ties_of(TiedKind kind, const TetMesh& mesh, int cells) {
  if (kind == TiedKind::springs) return springs(cells);
  return kind == TiedKind::bindings ? bindings(mesh) : fibres(mesh);
}

}  // namespace

std::string name_of(TiedKind kind) {
  if (kind == TiedKind::springs) return "springs";
  return kind == TiedKind::bindings ? "bindings" : "fibres";
}

std::unique_ptr<Scene> make_tied_scene(TiedKind kind, int cells, int32_t cluster_vertices) {
  auto made = std::make_unique<Scene>();
  TetMesh mesh = make_mesh({cells, false});
  ModelInput input;
  input.mesh = &mesh;
  input.ties = ties_of(kind, mesh, cells);
  input.point_mass.assign(mesh.vertices.size(), 0.01);
  input.muscles.emplace_back();
  input.cluster_vertices = cluster_vertices;
  mesh.tets.clear();
  made->model = compile_model(input).value();
  StepProblem& p = made->problem;
  p.model = &made->model;
  p.h = time_step;
  std::mt19937 engine(1);
  std::uniform_real_distribution<double> shift(-0.1 / cells, 0.1 / cells);
  for (int32_t slot = 0; slot < made->model.slot_count(); ++slot) {
    p.held.push_back(made->model.mass[slot] == 0);
    // Stretched, so that fibres have their passive force too.
    p.x_prev.push_back(1.1 * made->model.rest[slot] + Vec3d{shift(engine), shift(engine), shift(engine)});
  }
  p.x_start = p.x_target = p.x_prev;
  p.activation.assign(made->model.muscles.size(), 0.5);
  return made;
}

}  // namespace sinew::bench
