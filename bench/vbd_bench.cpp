// Sweeps of VBD in single precision: Neo-Hookean in every layout, also with the 8 lanes of AVX2, and as the plain code;
// the other materials as rest frames.
#include "solver/vbd.h"

#include "plain.h"
#include "register.h"
#include "solver/sweep.h"

namespace sinew::bench {
void register_vbd() {
  const auto engine = [](MaterialKind material, int layout, int lanes, int cells, int threads) {
    const std::string label = std::string(vbd_layout_names[layout]) + (lanes > 0 ? "-" + std::to_string(lanes) : "");
    add(name_of("vbd", material, label, cells, threads), [=](benchmark::State& state) {
      time_solver(state, *make_vbd({}, {.layout = layout, .lanes = lanes}), material, cells, threads);
    });
  };
  for (const int cells : cells_along) {
    for (const int threads : {1, 2}) {
      add(name_of("vbd", MaterialKind::NeoHookean, "plain", cells, threads),
          [=](benchmark::State& state) { time_plain<PlainVbd>(state, *make_vbd({}, {}), 1e-4, cells, threads); });
      for (const int layout : {layout_frames, layout_links, layout_packed}) {
        engine(MaterialKind::NeoHookean, layout, 0, cells, threads);
      }
      if (kernels_with_lanes(8)) engine(MaterialKind::NeoHookean, layout_packed, 8, cells, threads);
    }
    for (int k = 0; k < material_count; ++k) {
      if (MaterialKind(k) == MaterialKind::NeoHookean) continue;
      for (const int threads : {1, 2}) engine(MaterialKind(k), layout_frames, 0, cells, threads);
    }
  }
}

}  // namespace sinew::bench
