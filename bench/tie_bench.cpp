// Vertex sweeps over bodies of springs, bindings (weak constraints of a vertex and three others) or muscle fibres and
// nothing else: point masses on a grid of 32^3 vertices, shaken by a tenth of a cell. ns_per_tie: nanoseconds per tie
// and sweep.
#include <memory>
#include <random>

#include "register.h"
#include "solver/by_vertex/vbd.h"
#include "solver/sweep.h"

namespace sinew::bench {
namespace {

constexpr int cells = 31;

Ties springs(const TetMesh& mesh) {
  Ties ties;
  const auto at = [](int i, int j, int k) { return i + (cells + 1) * (j + (cells + 1) * k); };
  const double spacing = 1.0 / cells;
  for (int k = 0; k <= cells; ++k)
    for (int j = 0; j <= cells; ++j)
      for (int i = 0; i <= cells; ++i) {
        if (i < cells) ties.add_spring(at(i, j, k), at(i + 1, j, k), 1000, spacing);
        if (j < cells) ties.add_spring(at(i, j, k), at(i, j + 1, k), 1000, spacing);
        if (k < cells) ties.add_spring(at(i, j, k), at(i, j, k + 1), 1000, spacing);
      }
  (void)mesh;
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

struct TiedScene {
  Model model;
  StepProblem problem;
};

std::shared_ptr<TiedScene> tied_scene(Ties (*ties)(const TetMesh&)) {
  auto made = std::make_shared<TiedScene>();
  TetMesh mesh = make_mesh({cells, false});
  ModelInput input;
  input.mesh = &mesh;
  input.ties = ties(mesh);
  input.point_mass.assign(mesh.vertices.size(), 0.01);
  input.muscles.emplace_back();
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

}  // namespace

void register_ties() {
  const std::pair<const char*, Ties (*)(const TetMesh&)> kinds[] = {
      {"springs", springs}, {"bindings", bindings}, {"fibres", fibres}};
  for (const auto& [name, ties] : kinds) {
    for (const int lanes : {1, 8, 16}) {
      if (!kernels_with_lanes(lanes)) continue;
      add("ties/" + std::string(name) + "/lanes:" + std::to_string(lanes), [=](benchmark::State& state) {
        const std::shared_ptr<TiedScene> s = tied_scene(ties);
        ThreadPool& pool = pool_of(1);
        const std::unique_ptr<Solver> solver = make_vbd({}, {.lanes = lanes});
        solver->prepare(s->model, pool);
        solver->begin_step(Objective(s->problem, pool));
        solver->iterate();
        for (auto _ : state) solver->iterate();
        using benchmark::Counter;
        const double count = s->model.ties.count();
        state.counters["ties"] = count;
        state.counters["ns_per_tie"] = Counter(1e-9 * count, Counter::kIsIterationInvariantRate | Counter::kInvert);
      });
    }
  }
}

}  // namespace sinew::bench
