// From a mesh to the first sweep: compile the model, then build the layout. Both are to be linear in the mesh.
#include "register.h"
#include "solver/vbd.h"
#include "solver/xpbd.h"

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
  add(name_of("compile", material, "model", mesh, 1), [=](benchmark::State& state) {
    const TetMesh tets = make_mesh(mesh);
    const ModelInput input = input_for(tets, mesh, material);
    size_t bytes = 0;
    for (auto _ : state) {
      const Model model = compile_model(input).value();
      bytes = model.memory_bytes();
    }
    set_counters(state, static_cast<double>(tets.tets.size()), static_cast<double>(bytes));
  });
  for (const int threads : {1, 2}) {
    prepare("links", mesh, threads, [] { return make_vbd({}, {}); });
    prepare("colors", mesh, threads, [] { return make_xpbd({}, {}); });
  }
}

}  // namespace sinew::bench
