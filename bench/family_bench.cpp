// Sweeps of the relatives of VBD and XPBD, in single precision: PBNG, which on link strips should cost as much as VBD,
// B-PXPBD and FP-PXPBD, which should cost 1.3 and 2 times as much as XPBD; and the same kernels one number at a time.
#include "solver/by_constraint/b_pxpbd.h"
#include "solver/by_constraint/fp_pxpbd.h"
#include "solver/by_vertex/pbng.h"
#include "sweeps.h"

namespace sinew::bench {
namespace {

template <class Make>
void rows(const char* method, const char* layout, MeshKind mesh, MaterialKind material, const Make& make) {
  for (const int threads : {1, 2}) {
    for (const int lanes : {1, 0}) {
      add_sweep(name_of(method, material, lanes == 1 ? "scalar" : layout, mesh, threads),
                [=] { return solver_sweep(make(lanes), mesh, material, threads, 0); });
    }
  }
}

}  // namespace

void register_family(MeshKind mesh, MaterialKind material) {
  const bool neo_hookean = material == MaterialKind::NeoHookean;
  if (neo_hookean || material == MaterialKind::FixedCorotated) {
    rows("pbng", neo_hookean ? "strips" : "frames", mesh, material,
         [](int lanes) { return make_pbng({}, {.lanes = lanes}); });
  }
  if (traits_of(material).constraint_count > 0) {
    rows("b_pxpbd", "lanes", mesh, material, [](int lanes) { return make_b_pxpbd({}, {.lanes = lanes}); });
  }
  rows("fp_pxpbd", "lanes", mesh, material, [](int lanes) { return make_fp_pxpbd({}, {.lanes = lanes}); });
}

}  // namespace sinew::bench
