// The bodies of a model: connected sets of vertices, joined by tets, springs and fibres but not by bindings. And how
// stiff a body is for sweeps by vertex: the step of a vertex is determined by its own mass and stiffness, and
// information travels one edge per sweep, so that about sqrt(kappa) sweeps are needed. kappa is the stiffness of a
// vertex over its inertia,
//   kappa = (2 mu + lambda) h^2 / (rho l^2),   l the mean distance of vertices,
// for springs k h^2 / m. Damping by the rate of strain multiplies it by 1 + k_d/h. Of quadratic tets lambda is that of
// the sweeps (by_vertex/quadratic_tets.h).
#pragma once

#include <cstdint>
#include <vector>

#include "model/model.h"

namespace sinew {

struct BodySize {
  int32_t vertices = 0;  // those with mass
  double mass = 0;       // [kg]
  double distance =
      0;  // [m] l: (volume / vertices)^(1/3), for triangles (area / vertices)^(1/2), for springs their length
  double stiffness = 0;  // [N/m] the largest of a vertex
  double viscosity = 0;  // [N s/m] the same times k_d

  // kappa [-] for a step h [s].
  double stiffness_over_inertia(double h) const {
    return mass > 0 ? (stiffness * h + viscosity) * h * vertices / mass : 0;
  }
};

struct Bodies {
  std::vector<int32_t> of_slot;  // -1: no mass
  std::vector<BodySize> sizes;
  int32_t count() const { return static_cast<int32_t>(sizes.size()); }
};

// Bodies are numbered in the order of their first slots. `multipliers`: of quadratic tets.
Bodies bodies_of(const Model& model, bool multipliers = true);

}  // namespace sinew
