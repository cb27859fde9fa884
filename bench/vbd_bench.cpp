// Sweeps of VBD in single precision: Neo-Hookean in every layout, also with the 8 lanes of AVX2; the other materials as
// rest frames; and the plain code.
#include "solver/by_vertex/vbd.h"

#include "solver/sweep.h"
#include "sweeps.h"

namespace sinew::bench {
namespace {

void engine(MeshKind mesh, MaterialKind material, int layout, int lanes, int threads) {
  const std::string label = std::string(vertex_layout_names[layout]) + (lanes > 0 ? "-" + std::to_string(lanes) : "");
  add_sweep(name_of("vbd", material, label, mesh, threads), [=] {
    const VertexLayout counted = layout == layout_packed  ? VertexLayout::packed
                                 : layout == layout_links ? VertexLayout::links
                                                          : VertexLayout::frames;
    return solver_sweep(make_vbd({}, {.layout = layout, .lanes = lanes}), mesh, material, threads,
                        vbd_flops(mesh, material, counted));
  });
}

template <template <class> class Material>
void plain(MeshKind mesh, MaterialKind material, int threads, double tolerance) {
  add_sweep(name_of("vbd", material, "plain", mesh, threads), [=] {
    return plain_sweep<PlainVbd<float, Material>>(*make_vbd({}, {}), mesh, material, threads, tolerance,
                                                  plain_flops<PlainVbd<Counted, Material>>(mesh, material));
  });
}

}  // namespace

void register_vbd(MeshKind mesh, MaterialKind material) {
  for (const int threads : {1, 2}) {
    if (material == MaterialKind::FixedCorotated) plain<PlainFixedCorotated>(mesh, material, threads, 1e-4);
    if (material != MaterialKind::NeoHookean) {
      engine(mesh, material, layout_frames, 0, threads);
      continue;
    }
    plain<PlainNeoHookean>(mesh, material, threads, 1e-4);
    if (mesh.cells <= largest_cells) engine(mesh, material, layout_frames, 0, threads);
    engine(mesh, material, layout_links, 0, threads);
    engine(mesh, material, layout_packed, 0, threads);
    if (kernels_with_lanes(8)) engine(mesh, material, layout_packed, 8, threads);
  }
}

}  // namespace sinew::bench
