// A grab: a point of a body, C = sum_j s_j x_j with sum_j s_j = 1, held by a damped spring to a target a that moves
// with velocity w. It exerts
//   f = k (a - C) + k k_d (w - dC/dt)
// on C, and s_j f on each vertex. In a step dC/dt = (C - C^t) / h, so that both parts are one spring,
//   k'/2 |C - b|^2 + const,   k' = k (1 + r),   b = (a + r (C^t + h w)) / (1 + r),   r = k_d / h,
// in quasistatics without damping: r = 0.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "math/inline.h"
#include "math/vec.h"

namespace sinew {

// As one step sees it.
struct Grab {
  int32_t count = 0;                  // of vertices: one, or the three of a triangle, which share an element
  std::array<int32_t, 3> vertices{};  // slots
  std::array<double, 3> weights{};    // s_j [-]
  double stiffness = 0;               // k' [N/m]
  Vec3d anchor{};                     // b [m]

  std::span<const int32_t> slots() const { return {vertices.data(), static_cast<size_t>(count)}; }
  // C - b [m]. at(j): the position of vertex j. Of differences, so that it is as exact far from the origin.
  template <class At>
  SINEW_INLINE Vec3d stretch_by(const At& at) const {
    const Vec3d first = at(0);
    Vec3d d = first - anchor;
    for (int32_t j = 1; j < count; ++j) d += weights[static_cast<size_t>(j)] * (at(j) - first);
    return d;
  }
  Vec3d stretch(std::span<const Vec3d> x) const {
    return stretch_by([&](int32_t j) { return x[static_cast<size_t>(vertices[static_cast<size_t>(j)])]; });
  }
};

}  // namespace sinew
