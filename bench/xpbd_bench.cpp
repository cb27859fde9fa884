// Sweeps of XPBD in single precision, for the materials with constraints, two per tet; and the plain code.
#include "exec/instruction_set.h"
#include "solver/by_constraint/xpbd.h"

#include "sweeps.h"

namespace sinew::bench {

void register_xpbd(MeshKind mesh, MaterialKind material) {
  if (traits_of(material).constraint_count == 0) return;
  for (const int threads : {1, 2}) {
    if (material == MaterialKind::NeoHookean) {
      add_sweep(name_of("xpbd", material, "plain", mesh, threads), [=] {
        return plain_sweep<PlainXpbd<float>>(*make_xpbd({}, {}), mesh, material, threads, 1e-3,
                                             plain_flops<PlainXpbd<Counted>>(mesh, material));
      });
    }
    add_sweep(name_of("xpbd", material, "lanes", mesh, threads),
              [=] { return solver_sweep(make_xpbd({}, {}), mesh, material, threads, xpbd_flops(mesh, material)); });
    if (has_float_lanes(8)) {
      add_sweep(name_of("xpbd", material, "lanes-8", mesh, threads), [=] {
        return solver_sweep(make_xpbd({}, XpbdOptions{.lanes = 8}), mesh, material, threads,
                            xpbd_flops(mesh, material));
      });
    }
  }
}

}  // namespace sinew::bench
