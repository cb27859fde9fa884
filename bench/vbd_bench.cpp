// Sweeps of VBD in single precision: Neo-Hookean as link strips and as rest frames, fixed corotated, and the plain
// code.
#include "solver/vbd.h"

#include "plain.h"
#include "register.h"

namespace sinew::bench {
void register_vbd() {
  for (const int cells : cells_along) {
    for (const int threads : {1, 2}) {
      add(name_of("vbd", MaterialKind::NeoHookean, "plain", cells, threads),
          [=](benchmark::State& state) { time_plain<PlainVbd>(state, *make_vbd({}, {}), 1e-4, cells, threads); });
      for (const int layout : {layout_auto, layout_frames}) {
        add(name_of("vbd", MaterialKind::NeoHookean, layout == layout_auto ? "links" : "frames", cells, threads),
            [=](benchmark::State& state) {
              time_solver(state, *make_vbd({}, {.layout = layout}), MaterialKind::NeoHookean, cells, threads);
            });
      }
    }
    for (const MaterialKind material : {MaterialKind::StableNeoHookean, MaterialKind::FixedCorotated}) {
      for (const int threads : {1, 2}) {
        add(name_of("vbd", material, "frames", cells, threads), [=](benchmark::State& state) {
          time_solver(state, *make_vbd({}, {.layout = layout_frames}), material, cells, threads);
        });
      }
    }
  }
}

}  // namespace sinew::bench
