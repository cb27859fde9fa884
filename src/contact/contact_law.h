// The energy of a contact as a function of its distance d, over any lane type:
//
//   offset   the two-stage law of Chen et al. 2025 (Offset Geometric Contact), with tau = r/2:
//              d >= r: 0     tau <= d < r: k/2 (r - d)^2     d < tau: k r^2/8 + (k r^2/4) ln(r/(2 d))
//            Its slope and curvature are continuous at tau. From `floor` down it goes on as the parabola with its
//            slope and curvature there, so that what has crossed is pushed back by a finite force.
//   penalty  k/2 max(0, r - d)^2: that of VBD and PBNG, whose r is 0. It is the offset law with a floor of r/2.
#pragma once

#include "math/lane.h"

namespace sinew {

template <class T>
struct LawNumbers {
  T radius;     // r [m]
  T stiffness;  // k [N/m]
  T floor;      // [m] > 0, or r/2 for the penalty
};

// phi(d) [J]
template <class T>
SINEW_INLINE T law_energy(const LawNumbers<T>& law, T d) {
  const T half = splat<T>(0.5), tau = half * law.radius, gap = max(law.radius - d, T{});
  const T at = max(d, law.floor), scale = splat<T>(0.25) * law.stiffness * law.radius * law.radius;
  const auto logarithmic = at < tau;
  const T safe = select(logarithmic, at, splat<T>(1));
  const T below = min(d - at, T{}), slope = -scale / safe, curvature = scale / (safe * safe);
  const T inner = half * scale + scale * log(select(logarithmic, tau / safe, splat<T>(1))) +
                  below * (slope + half * curvature * below);
  return select(logarithmic, inner, half * law.stiffness * gap * gap);
}

// phi'(d) <= 0 [N] and phi''(d) >= 0 [N/m]
template <class T>
struct LawSlope {
  T slope, curvature;
};
template <class T>
SINEW_INLINE LawSlope<T> law_slope(const LawNumbers<T>& law, T d) {
  const T zero{}, tau = splat<T>(0.5) * law.radius, gap = law.radius - d;
  const T at = max(d, law.floor), scale = splat<T>(0.25) * law.stiffness * law.radius * law.radius;
  const auto logarithmic = at<tau, touches = gap> zero;
  const T one = splat<T>(1), inverse = one / select(logarithmic, at, one);
  const T steepness = scale * inverse, curvature = steepness * inverse;
  return {select(logarithmic, curvature * min(d - at, zero) - steepness, select(touches, -law.stiffness * gap, zero)),
          select(logarithmic, curvature, select(touches, law.stiffness, zero))};
}

}  // namespace sinew
