// How methods in pseudo-time start (pseudo_time.h, fp_pxpbd.h): the length of their pseudo-steps and the size of their
// first stresses, to suit the model.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>

#include "exec/thread_pool.h"
#include "math/lane.h"
#include "model/model.h"

namespace sinew {

// Means over the tets; over the ties if the model has no tets, with their stiffness in place of modulus and volume; 0
// if it has neither.
struct ModelScales {
  double frequency_square = 0;  // [1/s^2] stiffness over mass of a tet whose neighbours are fixed
  double compliance = 0;        // [m^2/(Pa s)^2] V / (stiffness mass)
  double length = 0;            // [m] edge of a cube, or square, of the size of a tet or triangle; of ties at rest
};
ModelScales scales_of(const Model& model, ThreadPool& pool);

// [s] 3 over the mean angular frequency of a tet whose neighbours are fixed: about 1.5 edge sqrt(density/E). Longer
// pseudo-steps need fewer iterations for bars that sag from rest, but overshoot if forces are far out of balance.
double pseudo_step_for(const ModelScales& scales);
inline constexpr std::string_view pseudo_step_meaning =
    "quasistatics: length of a pseudo-step; the result does not depend on it. 0: from the model, 3 over the mean "
    "angular frequency of a tet between fixed neighbours";

// [-] A solve in pseudo-time may start with the stresses of its guess. But if pins have distorted only one layer of
// elements, a pseudo-step with these stresses would throw vertices through the elements behind, into states that are
// equilibria too for some materials (StVK). This share of the stresses, at most 1, moves no vertex by more than the
// length of an element; moves [m]: the displacements by all of the stresses, by slot. Any share is valid: sweeps build
// up the rest.
template <class Real>
double share_to_start_with(std::span<const Vec4<Real>> moves, const ModelScales& scales, ThreadPool& pool) {
  struct Largest {
    double square = 0;
    void operator+=(Largest o) { square = std::max(square, o.square); }
  };
  const double square = ordered_sum<Largest>(pool, static_cast<int64_t>(moves.size()), [&](int64_t s) {
                          const Vec4<Real>& d = moves[static_cast<size_t>(s)];
                          const double x = d.x, y = d.y, z = d.z;
                          return Largest{x * x + y * y + z * z};
                        }).square;
  return square > scales.length * scales.length ? scales.length / std::sqrt(square) : 1;
}

}  // namespace sinew
