// A body of linear and quadratic tets.
#pragma once

#include "mesh/middles.h"
#include "support/body.h"

namespace sinew {

// Two quadratic materials, the second near incompressible, and a linear tet.
inline support::Body mixed_body(MaterialKind first, MaterialKind second) {
  TetMesh mesh = support::together(support::box({3, 2, 2}, {1.5, 1, 1}), support::one_tet());
  for (size_t v = mesh.vertices.size() - 4; v < mesh.vertices.size(); ++v) mesh.vertices[v] += Vec3d{0, 4, 0};
  const auto linear = static_cast<int32_t>(mesh.tets.size()) - 1;
  add_middles(mesh);
  mesh.middles[static_cast<size_t>(linear)].fill(no_middle);
  support::Body body = support::body_of(std::move(mesh), first);
  body.blocks.push_back({.material = elastic_material(second, lame_from(3000, 0.49))});
  body.blocks.push_back({.material = elastic_material(first, lame_from(1000, 0.3))});
  body.density = {10, 20, 10};
  for (const Tet& t : body.mesh.tets) body.block_of_tet.push_back(body.mesh.vertices[t[0]].x > 0.7);
  body.block_of_tet.back() = 2;
  return body;
}

}  // namespace sinew
