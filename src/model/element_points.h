// The points of an element at which its material acts: one, or the four of a quadratic tetrahedron.
#pragma once

#include <span>

#include "element/quadratic_tetrahedron.h"
#include "model/model.h"
#include "model/rest_shape.h"

namespace sinew {

// visit(nodes, gradients of the nodes [1/m], volume [m^3] times the stiffness factor)
template <class Visit>
void for_each_point(const Model& model, const ElasticBlock& block, int32_t e, const Visit& visit) {
  const ElementShape shape(model.tets[e], model.rest, model.stiffness_factor_of(e));
  const ElementNodes nodes = model.nodes_of(e);
  if (!block.quadratic()) {
    visit(nodes, std::span<const Vec3d>(shape.gradient, nodes.size()), shape.volume);
    return;
  }
  for (int q = 0; q < QuadraticTetrahedron::points; ++q) {
    Vec3d g[most_nodes];
    node_gradients(shape.gradient, q, g);
    visit(nodes, std::span<const Vec3d>(g), shape.volume / QuadraticTetrahedron::points);
  }
}

// The means of a quadratic tetrahedron's gradients over its points; those of its corners are 0. `corner` [1/m]: of the
// barycentric coordinates.
inline void mean_node_gradients(const Vec3d* corner, Vec3d* g) {
  for (int a = 0; a < 4; ++a) g[a] = {};
  for (int k = 0; k < 6; ++k)
    g[4 + k] = corner[QuadraticTetrahedron::end(k, 0)] + corner[QuadraticTetrahedron::end(k, 1)];
}

}  // namespace sinew
