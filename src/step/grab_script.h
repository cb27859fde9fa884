// Grabs between steps: springs from points of bodies to targets that somebody moves (model/grab.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/grab.h"

namespace sinew {

struct GrabScript {
  std::vector<int32_t> slots;   // one, or the three of a triangle; none: it was removed
  std::vector<double> weights;  // s_j [-] of each, 1 in all
  double stiffness = 0;         // k [N/m]
  double damping = 0;           // k_d [s]
  Vec3d target{}, velocity{};   // a [m], w [m/s]
};

inline bool is_removed(const GrabScript& grab) {
  return grab.slots.empty();
}

// C [m] of positions, or dC/dt [m/s] of velocities.
Vec3d point_of(const GrabScript& grab, std::span<const Vec3d> x);
// What it is in a step of length h [s], 0 in quasistatics, from the positions x.
Grab in_step(const GrabScript& grab, std::span<const Vec3d> x, double h);
// [N] On the body, at positions x and velocities v.
Vec3d force_of(const GrabScript& grab, std::span<const Vec3d> x, std::span<const Vec3d> v);
// [J] Of the spring.
double energy_of(const GrabScript& grab, std::span<const Vec3d> x);

}  // namespace sinew
