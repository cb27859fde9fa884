// From a mesh to the first sweep: compile the model, then build the layout. Both are to be linear in the mesh.
#include "register.h"
#include "solver/vbd.h"
#include "solver/xpbd.h"

namespace sinew::bench {
namespace {

void compile(benchmark::State& state, int cells) {
  const TetMesh mesh = cube(cells);
  const ModelInput input = input_for(mesh, cells, MaterialKind::NeoHookean);
  size_t bytes = 0;
  for (auto _ : state) {
    const Model model = compile_model(input).value();
    bytes = model.memory_bytes();
  }
  set_counters(state, static_cast<double>(mesh.tets.size()), static_cast<double>(bytes));
}

template <class Make>
void prepare(benchmark::State& state, const Make& make, int cells, int threads) {
  const Scene& s = scene(cells, MaterialKind::NeoHookean);
  size_t bytes = 0;
  for (auto _ : state) {
    const auto solver = make();
    solver->prepare(s.model, pool_of(threads));
    bytes = solver->memory_bytes();
  }
  set_counters(state, s.tets(), static_cast<double>(bytes));
}

}  // namespace

void register_setup() {
  for (const int cells : cells_along) {
    add(name_of("compile", MaterialKind::NeoHookean, "model", cells, 1),
        [=](benchmark::State& state) { compile(state, cells); });
    for (const int threads : {1, 2}) {
      add(name_of("prepare", MaterialKind::NeoHookean, "links", cells, threads), [=](benchmark::State& state) {
        prepare(
            state, [] { return make_vbd({}, {}); }, cells, threads);
      });
      add(name_of("prepare", MaterialKind::NeoHookean, "colors", cells, threads), [=](benchmark::State& state) {
        prepare(
            state, [] { return make_xpbd({}, {}); }, cells, threads);
      });
    }
  }
}

}  // namespace sinew::bench
