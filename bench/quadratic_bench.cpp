// Sweeps of VBD and XPBD over quadratic tets, in single precision: five tets a cell, beside linear tets of equal
// vertices, which have cells half as large. Besides ns_per_tet they report
//   bytes_per_tet  size of the data that a sweep reads and writes
//   colors         the largest of all clusters
//   full           share of the lanes with a tet
#include <memory>

#include "mesh/generators.h"
#include "mesh/middles.h"
#include "model/quadratic_stream.h"
#include "register.h"
#include "solver/by_constraint/xpbd.h"
#include "solver/by_vertex/vbd.h"
#include "solver/sweep.h"

namespace sinew::bench {
namespace {

struct QuadraticKind {
  MaterialKind material = MaterialKind::NeoHookean;
  double nu = 0.3;
  int cells = 0;
  bool quadratic = true, multipliers = true;
  TetSplit split = TetSplit::five;
  bool xpbd = false;

  std::string name() const {
    const char* const layout = !quadratic ? "linear-" : multipliers ? "quadratic-" : "no-multipliers-";
    return std::string(xpbd ? "quadratic_xpbd/" : "quadratic/") + traits_of(material).name + "/" + layout +
           std::to_string(nu).substr(0, 4) + (split == TetSplit::six ? "/six-" : "/five-") + std::to_string(cells);
  }
};

std::unique_ptr<Scene> make_quadratic_scene(const QuadraticKind& kind) {
  auto made = std::make_unique<Scene>();
  const int n = kind.quadratic ? kind.cells : 2 * kind.cells;
  TetMesh mesh = make_box({.cells = {n, n, n}, .size = {1, 1, 1}, .split = kind.split}).value();
  if (kind.quadratic) add_middles(mesh);
  ModelInput input;
  input.mesh = &mesh;
  input.block_of_tet.assign(mesh.tets.size(), 0);
  const double youngs_modulus = density / (4 * kind.cells * kind.cells * time_step * time_step);
  input.blocks = {{.material = elastic_material(kind.material, lame_from(youngs_modulus, kind.nu))}};
  input.density_of_block = {density};
  input.gravity = {0, -9.81, 0};
  made->model = compile_model(input, pool_of(0)).value();
  begin_step(*made, 0.02 / kind.cells);
  return made;
}

double filled_share(const Scene& s) {
  const ElasticBlock& block = s.model.blocks.front();
  const auto stream = build_quadratic_stream<float>(s.model, block, VertexLayout::links,
                                                    kernels_with_lanes(0)->lanes<float>(), pool_of(0));
  return most_nodes * s.tets() / (static_cast<double>(stream.row_begin.back()) * stream.lanes);
}

void add_quadratic(const QuadraticKind& kind, int threads) {
  const auto name = kind.name() + "/threads:" + std::to_string(threads);
  add(name, [=](benchmark::State& state) {
    static std::string prepared;
    static std::unique_ptr<Scene> scene;
    static std::unique_ptr<Solver> solver;
    if (prepared != name) {
      prepared = name;
      scene = make_quadratic_scene(kind);
      solver = kind.xpbd ? make_xpbd({}, {}) : make_vbd({}, {.multipliers = kind.multipliers});
      solver->prepare(scene->model, pool_of(threads));
      solver->begin_step(Objective(scene->problem, pool_of(threads)));
      solver->iterate();
    }
    for (auto _ : state) solver->iterate();
    set_counters(state, scene->tets(), static_cast<double>(solver->memory_bytes()));
    state.counters["colors"] = scene->model.color_count;
    if (kind.quadratic) state.counters["full"] = filled_share(*scene);
  });
}

}  // namespace

void register_quadratic() {
  for (const int cells : {11, 22, 44, 66}) {
    for (const int threads : {1, 2}) {
      add_quadratic({.cells = cells, .quadratic = false}, threads);
      for (const double nu : {0.3, 0.49}) add_quadratic({.nu = nu, .cells = cells}, threads);
      add_quadratic({.nu = 0.49, .cells = cells, .multipliers = false}, threads);
    }
  }
  for (int k = 0; k < material_count; ++k)
    if (MaterialKind(k) != MaterialKind::NeoHookean)
      for (const int cells : {11, 22}) add_quadratic({.material = MaterialKind(k), .cells = cells}, 1);
  add_quadratic({.cells = 22, .split = TetSplit::six}, 1);
  for (const int cells : {11, 22, 44})
    for (const int threads : {1, 2}) add_quadratic({.cells = cells, .xpbd = true}, threads);
}

}  // namespace sinew::bench
