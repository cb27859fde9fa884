// The problem of a step (model/step_problem.h) in a device's memory.
#pragma once

#include <cstdint>

#include "math/lane.h"
#include "math/vec.h"

namespace sinew {

// Arrays are by slot, in double precision.
struct DeviceStep {
  int64_t number = 0;  // of the step
  int32_t slots = 0;
  bool quasistatic = false;
  double h = 0;                     // [s]; 0 if quasistatic
  const double* mass = nullptr;     // [kg]
  const uint8_t* held = nullptr;    // padding and massless vertices are held
  const Vec3d* x_prev = nullptr;    // [m] positions at the start of the step
  const Vec3d* x_start = nullptr;   // [m] initial guess; held vertices are at their targets
  const Vec3d* x_target = nullptr;  // [m] of held vertices; for free ones the inertial target (backward Euler)
  const Vec3d* force = nullptr;     // [N] in quasistatics: weight and loads; else null

  SINEW_INLINE double inverse_h2() const { return quasistatic ? 0 : 1 / (h * h); }
};

template <class Real>
SINEW_INLINE Vec4<Real> narrowed(Vec3d p, double w) {
  return {static_cast<Real>(p.x), static_cast<Real>(p.y), static_cast<Real>(p.z), static_cast<Real>(w)};
}

// x_start and the inverse masses, 0 where held.
template <class Real>
struct LoadIterate {
  DeviceStep step;
  Vec4<Real>* x;
  SINEW_INLINE void operator()(int64_t s) const {
    x[s] = narrowed<Real>(step.x_start[s], step.held[s] ? 0 : 1 / step.mass[s]);
  }
};
// (y, m/h^2), or (f_ext, 0) in quasistatics.
template <class Real>
struct LoadTarget {
  DeviceStep step;
  Vec4<Real>* target;
  SINEW_INLINE void operator()(int64_t s) const {
    target[s] = narrowed<Real>(step.quasistatic ? step.force[s] : step.x_target[s], step.mass[s] * step.inverse_h2());
  }
};
template <class Real>
struct LoadPrevious {
  DeviceStep step;
  Vec4<Real>* x_prev;
  SINEW_INLINE void operator()(int64_t s) const { x_prev[s] = narrowed<Real>(step.x_prev[s], 0); }
};
// The iterate in double precision.
template <class Real>
struct WidenIterate {
  const Vec4<Real>* x;
  Vec3d* wide;
  SINEW_INLINE void operator()(int64_t s) const {
    wide[s] = {static_cast<double>(x[s].x), static_cast<double>(x[s].y), static_cast<double>(x[s].z)};
  }
};

}  // namespace sinew
