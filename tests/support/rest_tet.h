// A tet of a model by the definitions, in double precision: the reference for the kernels' layouts.
#pragma once

#include <vector>

#include "model/model.h"

namespace sinew::support {

// A tet of the model, from the rest positions and its stiffness factor only.
struct RestTet {
  RestTet(const Model& model, size_t e) : slots(model.tets[e]) {
    const Mat3d edges = edges_of(model.rest);
    volume = determinant(edges) / 6;
    if (!model.stiffness_factor.empty()) volume *= model.stiffness_factor[e];
    inverse = (1 / determinant(edges)) * transpose(cofactor(edges));
    g[1] = {inverse.c0.x, inverse.c1.x, inverse.c2.x};  // the rows of the inverse
    g[2] = {inverse.c0.y, inverse.c1.y, inverse.c2.y};
    g[3] = {inverse.c0.z, inverse.c1.z, inverse.c2.z};
    g[0] = -(g[1] + g[2] + g[3]);
  }
  Mat3d edges_of(const std::vector<Vec3d>& x) const {
    return {x[slots[1]] - x[slots[0]], x[slots[2]] - x[slots[0]], x[slots[3]] - x[slots[0]]};
  }
  Mat3d deformation_gradient(const std::vector<Vec3d>& x) const { return edges_of(x) * inverse; }

  Tet slots;
  Mat3d inverse;
  Vec3d g[4];
  double volume;  // times the stiffness factor: the weight of the energy density
};

}  // namespace sinew::support
