// Sweeps of XPBD in single precision, two constraints a tet, and the plain code.
#include "solver/xpbd.h"

#include "plain.h"
#include "register.h"

namespace sinew::bench {
namespace {

void xpbd(benchmark::State& state, MaterialKind material, int cells, int threads) {
  const Scene& s = scene(cells, material);
  ThreadPool& pool = pool_of(threads);
  const auto solver = make_xpbd({}, {});
  solver->prepare(s.model, pool);
  solver->begin_step(Objective(s.problem, pool));
  time_sweeps(state, s.tets(), static_cast<double>(solver->memory_bytes()), [&] { solver->iterate(); });
}

void plain(benchmark::State& state, int cells, int threads) {
  const Scene& s = scene(cells, MaterialKind::NeoHookean);
  ThreadPool& pool = pool_of(threads);
  PlainXpbd code(s.problem);

  code.sweep(pool);
  const auto solver = make_xpbd({}, {});
  solver->prepare(s.model, pool);
  solver->begin_step(Objective(s.problem, pool));
  solver->iterate();
  std::vector<Vec3d> x(s.model.rest.size());
  solver->positions(x);
  if (const double d = distance(s, x, code.positions()) * cells; !(d < 1e-3)) {
    state.SkipWithError(("differs from the engine by " + std::to_string(d) + " cells").c_str());
    return;
  }
  time_sweeps(state, s.tets(), static_cast<double>(code.bytes()), [&] { code.sweep(pool); });
}

}  // namespace

void register_xpbd() {
  for (const int cells : cells_along) {
    for (const int threads : {1, 2}) {
      add(name_of("xpbd", MaterialKind::NeoHookean, "plain", cells, threads),
          [=](benchmark::State& state) { plain(state, cells, threads); });
      add(name_of("xpbd", MaterialKind::NeoHookean, "lanes", cells, threads),
          [=](benchmark::State& state) { xpbd(state, MaterialKind::NeoHookean, cells, threads); });
    }
  }
}

}  // namespace sinew::bench
