// From a mesh to the first sweep: find its surface, compile the model, then build the layout. All should be linear in
// the mesh, and parallel.
#include "mesh/topology.h"
#include "register.h"
#include "solver/by_constraint/xpbd.h"
#include "solver/by_vertex/vbd.h"

namespace sinew::bench {
namespace {

constexpr MaterialKind material = MaterialKind::NeoHookean;

template <class Make>
void prepare(const std::string& layout, MeshKind mesh, int threads, const Make& make) {
  add(name_of("prepare", material, layout, mesh, threads), [=](benchmark::State& state) {
    const Scene& s = scene(mesh, material);
    size_t bytes = 0;
    for (auto _ : state) {
      const auto solver = make();
      solver->prepare(s.model, pool_of(threads));
      bytes = solver->memory_bytes();
    }
    set_counters(state, s.tets(), static_cast<double>(bytes));
  });
}

}  // namespace

void register_setup(MeshKind mesh) {
  for (const int threads : {1, 2}) {
    add(name_of("surface", material, "mesh", mesh, threads), [=](benchmark::State& state) {
      const TetMesh tets = make_mesh(mesh);
      for (auto _ : state) benchmark::DoNotOptimize(extract_boundary(tets, pool_of(threads)));
      set_counters(state, static_cast<double>(tets.tets.size()), 0);
    });
    add(name_of("compile", material, "model", mesh, threads), [=](benchmark::State& state) {
      const TetMesh tets = make_mesh(mesh);
      const ModelInput input = input_for(tets, mesh, material);
      size_t bytes = 0;
      for (auto _ : state) {
        const Model model = compile_model(input, pool_of(threads)).value();
        bytes = model.memory_bytes();
      }
      set_counters(state, static_cast<double>(tets.tets.size()), static_cast<double>(bytes));
    });
    prepare("links", mesh, threads, [] { return make_vbd({}, {}); });
    prepare("colors", mesh, threads, [] { return make_xpbd({}, {}); });
  }
}

}  // namespace sinew::bench
