// What a step does with one vertex before and after its iterations, on the CPU and on devices.
#pragma once

#include <cstdint>

#include "math/bounds.h"
#include "math/inline.h"
#include "math/vec.h"

namespace sinew {

// What a free vertex brings into a step.
struct StepStart {
  Vec3d x, v;      // [m], [m/s]
  double mass;     // [kg] > 0
  Vec3d weight;    // [N]
  Vec3d external;  // [N] weight and loads
};

// y = x + h v + h^2 f_ext / m
SINEW_INLINE Vec3d inertial_target(const StepStart& start, double h) {
  return start.x + h * start.v + (h * h / start.mass) * start.external;
}

// x + h v + share h^2 f / m
SINEW_INLINE Vec3d guess_along(const StepStart& start, double h, double share, Vec3d force) {
  return start.x + h * start.v + (share * h * h) * ((1 / start.mass) * force);
}

// [-] The part of an acceleration along gravity, from 0 to 1.
SINEW_INLINE double share_of_fall(Vec3d acceleration, double mass, Vec3d weight) {
  const Vec3d gravity = (1 / mass) * weight;
  const double square = dot(gravity, gravity);
  if (!(square > 0)) return 0;
  const double share = dot(acceleration, gravity) / square;
  return share < 0 ? 0 : share > 1 ? 1 : share;
}

// What shows whether a step has failed: positions that are not finite, and free vertices that moved apart by more than
// the extent of the whole scene.
struct StepEnd {
  int64_t lost = 0;       // positions that are not finite
  Bounds before, motion;  // of the positions before the step, and of the motions of free vertices in it

  SINEW_INLINE void operator+=(const StepEnd& other) {
    lost += other.lost;
    before.merge(other.before);
    motion.merge(other.motion);
  }
  // target: of a vertex that is held
  SINEW_INLINE void add(Vec3d from, Vec3d to, bool held, Vec3d target) {
    before.add(from);
    if (held) {
      before.add(target);
    } else {
      motion.add(to - from);
    }
  }
  bool torn_apart() const { return motion.diagonal() > before.diagonal(); }
};

}  // namespace sinew
