// What hangs together: the bodies of a model, joined by tets, springs and fibres; bindings join none. And how stiff a
// body is for sweeps by vertices: a vertex's step goes as far as its own mass and stiffness say, and news travels an
// edge a sweep, so that they need about sqrt(kappa) sweeps, kappa the stiffness of a vertex over its inertia,
//   kappa = (2 mu + lambda) h^2 / (rho l^2),   l the mean distance of vertices,
// and with springs k h^2 / m. Damping by the rate of strain makes it 1 + k_d/h times as much.
#pragma once

#include <cstdint>
#include <vector>

#include "model/model.h"

namespace sinew {

struct BodySize {
  int32_t vertices = 0;  // that have mass
  double mass = 0;       // [kg]
  double distance =
      0;  // [m] l: (volume / vertices)^(1/3), of triangles (area / vertices)^(1/2), of springs their length
  double stiffness = 0;  // [N/m] largest of a vertex
  double viscosity = 0;  // [N s/m] the same times k_d

  // kappa [-], for a step h [s].
  double stiffness_over_inertia(double h) const {
    return mass > 0 ? (stiffness * h + viscosity) * h * vertices / mass : 0;
  }
};

struct Bodies {
  std::vector<int32_t> of_slot;  // -1: without mass
  std::vector<BodySize> sizes;
  int32_t count() const { return static_cast<int32_t>(sizes.size()); }
};

// Numbered by their first slots.
Bodies bodies_of(const Model& model);

}  // namespace sinew
