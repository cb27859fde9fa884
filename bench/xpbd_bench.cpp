// Sweeps of XPBD in single precision, two constraints a tet, and the plain code.
#include "solver/xpbd.h"

#include "plain.h"
#include "register.h"

namespace sinew::bench {
void register_xpbd() {
  for (const int cells : cells_along) {
    for (const int threads : {1, 2}) {
      add(name_of("xpbd", MaterialKind::NeoHookean, "plain", cells, threads),
          [=](benchmark::State& state) { time_plain<PlainXpbd>(state, *make_xpbd({}, {}), 1e-3, cells, threads); });
      add(name_of("xpbd", MaterialKind::NeoHookean, "lanes", cells, threads), [=](benchmark::State& state) {
        time_solver(state, *make_xpbd({}, {}), MaterialKind::NeoHookean, cells, threads);
      });
    }
  }
}

}  // namespace sinew::bench
