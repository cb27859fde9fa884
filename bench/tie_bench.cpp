// Vertex sweeps over ties and nothing else (tied_scenes.h). ns_per_tie: nanoseconds per tie and sweep.
#include <memory>

#include "register.h"
#include "solver/by_vertex/vbd.h"
#include "solver/sweep.h"
#include "tied_scenes.h"

namespace sinew::bench {

void register_ties() {
  for (const TiedKind kind : tied_kinds) {
    for (const int lanes : {1, 8, 16}) {
      if (!kernels_with_lanes(lanes)) continue;
      add("ties/" + name_of(kind) + "/lanes:" + std::to_string(lanes), [=](benchmark::State& state) {
        const std::unique_ptr<Scene> s = make_tied_scene(kind, 31);
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
