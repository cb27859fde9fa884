// Operations per tet and sweep of the engine's kernels and of the plain code, counted (counted.h) on a mesh of the same
// kind with few cells: they depend on the number of tets per vertex, and hardly on the size of the mesh.
#pragma once

#include "model/vertex_stream.h"
#include "plain.h"
#include "scenes.h"

namespace sinew::bench {

// The size of the scene on which operations are counted.
inline constexpr int counted_cells = 24;

double vbd_flops(MeshKind mesh, MaterialKind material, VertexLayout layout);
double xpbd_flops(MeshKind mesh, MaterialKind material);

// Plain: a plain code over Counted.
template <class Plain>
double plain_flops(MeshKind mesh, MaterialKind material) {
  const auto s = make_scene({counted_cells, mesh.irregular}, material);
  Plain code(s->problem);
  Counted::operations = 0;
  code.sweep(pool_of(1));
  return static_cast<double>(Counted::operations) / s->tets();
}

}  // namespace sinew::bench
