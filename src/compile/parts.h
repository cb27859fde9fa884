// The connected parts of a scene: vertices joined by tetrahedra, triangles, springs and bindings.
#pragma once

#include <span>

#include "mesh/disjoint_sets.h"
#include "mesh/tet_mesh.h"
#include "model/model.h"

namespace sinew {

// Sets of the user's vertices; an unused vertex is a set of its own.
inline DisjointSets parts_of(const TetMesh& mesh, const Model& model) {
  DisjointSets parts(mesh.vertices.size());
  for (const Tet& tet : mesh.tets)
    for (size_t k = 1; k < corner_count(tet); ++k) parts.join(tet[k], tet[0]);
  for (size_t e = 0; e < mesh.middles.size(); ++e)
    for (const int32_t v : mesh.middles[e])
      if (v != no_middle) parts.join(v, mesh.tets[e][0]);
  const auto vertex = [&](int32_t slot) { return static_cast<int32_t>(model.order.vertex(Slot{slot})); };
  for (int32_t t = 0; t < model.ties.count(); ++t) {
    const std::span<const int32_t> slots = model.ties.vertices_of(t);
    for (size_t k = 1; k < slots.size(); ++k) parts.join(vertex(slots[k]), vertex(slots[0]));
  }
  return parts;
}

}  // namespace sinew
