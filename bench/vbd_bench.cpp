// Sweeps of VBD in single precision: Neo-Hookean as link strips and as rest frames, fixed corotated, and the plain
// code.
#include "solver/vbd.h"

#include "plain.h"
#include "register.h"

namespace sinew::bench {
namespace {

void vbd(benchmark::State& state, MaterialKind material, int layout, int cells, int threads) {
  const Scene& s = scene(cells, material);
  ThreadPool& pool = pool_of(threads);
  const auto solver = make_vbd({}, {.layout = layout});
  solver->prepare(s.model, pool);
  solver->begin_step(Objective(s.problem, pool));
  time_sweeps(state, s.tets(), static_cast<double>(solver->memory_bytes()), [&] { solver->iterate(); });
}

void plain(benchmark::State& state, int cells, int threads) {
  const Scene& s = scene(cells, MaterialKind::NeoHookean);
  ThreadPool& pool = pool_of(threads);
  PlainVbd code(s.problem);

  // It is no yardstick if it computes something else: one sweep, in units of the cells.
  code.sweep(pool);
  const auto solver = make_vbd({}, {});
  solver->prepare(s.model, pool);
  solver->begin_step(Objective(s.problem, pool));
  solver->iterate();
  std::vector<Vec3d> x(s.model.rest.size());
  solver->positions(x);
  if (const double d = distance(s, x, code.positions()) * cells; !(d < 1e-4)) {
    state.SkipWithError(("differs from the engine by " + std::to_string(d) + " cells").c_str());
    return;
  }
  time_sweeps(state, s.tets(), static_cast<double>(code.bytes()), [&] { code.sweep(pool); });
}

}  // namespace

void register_vbd() {
  for (const int cells : cells_along) {
    for (const int threads : {1, 2}) {
      add(name_of("vbd", MaterialKind::NeoHookean, "plain", cells, threads),
          [=](benchmark::State& state) { plain(state, cells, threads); });
      for (const int layout : {layout_auto, layout_frames}) {
        add(name_of("vbd", MaterialKind::NeoHookean, layout == layout_auto ? "links" : "frames", cells, threads),
            [=](benchmark::State& state) { vbd(state, MaterialKind::NeoHookean, layout, cells, threads); });
      }
    }
    for (const MaterialKind material : {MaterialKind::StableNeoHookean, MaterialKind::FixedCorotated}) {
      for (const int threads : {1, 2}) {
        add(name_of("vbd", material, "frames", cells, threads),
            [=](benchmark::State& state) { vbd(state, material, layout_frames, cells, threads); });
      }
    }
  }
}

}  // namespace sinew::bench
