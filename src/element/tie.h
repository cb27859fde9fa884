// A tie: an energy phi(C) of one vector C = sum_j s_j x_j of a few vertices, with sum_j s_j = 0.
//   spring            phi = k/2 (|C| - l0)^2,      C = x_1 - x_2
//   weak constraint   phi = 1/2 C^T K C,           K = k_n n n^T + k_t (1 - n n^T)
//                     (Chen et al. 2023, PBNG, eqs. 22-23: two points that barycentric weights give are held together)
//   fibre             phi = k E(|C|),              C = F v / lambda_ofl of a tet, s_j = g_j . v / lambda_ofl [1/m],
//                     k = V sigma_max [J] (Chen et al. 2024, PXPBD, eqs. 6-8; fibre.h); v: along the fibre at rest
// The force on vertex j is -s_j phi'(C), its stiffness block s_j^2 phi''(C), and s_i s_j phi''(C) couples two of them.
// Of a spring, phi'' = k [m m^T + (1 - l0/|C|)(1 - m m^T)], m = C/|C|, is indefinite where the spring is pressed; of a
// fibre, phi'' = k [E'' m m^T + E'/|C| (1 - m m^T)], where its force falls with its length.
#pragma once

#include <algorithm>
#include <cstdint>

#include "element/fibre.h"
#include "math/lane.h"
#include "math/vec.h"

namespace sinew {

enum class TieKind { spring, weak_constraint, fibre };

template <class T>
struct TieLaw {
  TieKind kind = TieKind::spring;
  T stiffness{};       // k of a spring, k_n of a weak constraint [N/m]; k of a fibre [J]
  T tangential{};      // k_t [N/m]
  T rest_length{};     // l0 [m]
  Vec3<T> normal{};    // n, of length 1; or 0 where k_n = k_t
  int32_t muscle = 0;  // of a fibre: whose activation it has
  T damping{};         // k_d of a spring [s] (strain_rate.h); others have none

  template <class U>
  TieLaw<U> as() const {
    return {kind,
            static_cast<U>(stiffness),
            static_cast<U>(tangential),
            static_cast<U>(rest_length),
            {static_cast<U>(normal.x), static_cast<U>(normal.y), static_cast<U>(normal.z)},
            muscle,
            static_cast<U>(damping)};
  }
  // [-] Of all muscles' that of this one; of what is no fibre 0.
  SINEW_INLINE T activation(const T* of_muscles) const { return kind == TieKind::fibre ? of_muscles[muscle] : T{}; }
};

inline TieLaw<double> spring_law(double stiffness, double rest_length, double damping = 0) {
  return {.kind = TieKind::spring, .stiffness = stiffness, .rest_length = rest_length, .damping = damping};
}
inline TieLaw<double> weak_constraint_law(double stiffness) {
  return {.kind = TieKind::weak_constraint, .stiffness = stiffness, .tangential = stiffness};
}
inline TieLaw<double> weak_constraint_law(double normal_stiffness, double tangential_stiffness, Vec3d normal) {
  return {.kind = TieKind::weak_constraint,
          .stiffness = normal_stiffness,
          .tangential = tangential_stiffness,
          .normal = normal};
}
// `energy`: k = V sigma_max [J]
inline TieLaw<double> fibre_law(double energy, int32_t muscle) {
  return {.kind = TieKind::fibre, .stiffness = energy, .muscle = muscle};
}

// C in its length and direction; a vector of length 0 has the direction 0.
template <class T>
struct Direction {
  T length;
  Vec3<T> along;
};
template <class T>
SINEW_INLINE Direction<T> direction_of(Vec3<T> c) {
  const T length = sqrt(dot(c, c));
  return {length, (length > 0 ? 1 / length : 0) * c};
}

// phi(C) [J]. `activation` [-] is that of a fibre; other ties have none.
template <class T>
SINEW_INLINE T tie_energy(const TieLaw<T>& law, Vec3<T> c, T activation) {
  if (law.kind == TieKind::fibre) return law.stiffness * fibre_curve(direction_of(c).length, activation).energy;
  if (law.kind == TieKind::spring) {
    const T extension = direction_of(c).length - law.rest_length;
    return T(0.5) * law.stiffness * extension * extension;
  }
  const T along = dot(law.normal, c);
  return T(0.5) * (law.tangential * dot(c, c) + (law.stiffness - law.tangential) * (along * along));
}

// phi'(C) [N]; of a fibre [J]
template <class T>
SINEW_INLINE Vec3<T> tie_gradient(const TieLaw<T>& law, Vec3<T> c, T activation) {
  if (law.kind == TieKind::weak_constraint)
    return law.tangential * c + ((law.stiffness - law.tangential) * dot(law.normal, c)) * law.normal;
  const Direction<T> m = direction_of(c);
  const T pull = law.kind == TieKind::fibre ? fibre_curve(m.length, activation).force : m.length - law.rest_length;
  return (law.stiffness * pull) * m.along;
}

// phi''(C) = along a a^T + across (1 - a a^T) [N/m], of a fibre [J]; |a| = 1, or 0 where both are the same.
template <class T>
struct TieStiffness {
  Vec3<T> axis;
  T along, across;

  SINEW_INLINE Sym3<T> matrix() const {
    Sym3<T> k{};
    add_identity(k, across);
    add_outer(k, along - across, axis);
    return k;
  }
  // (1 + t phi'')^-1 r
  SINEW_INLINE Vec3<T> damped(T t, Vec3<T> r) const {
    const T less = 1 / (1 + t * across);
    return less * r + ((1 / (1 + t * along) - less) * dot(axis, r)) * axis;
  }
};

// `projected`: without what is negative, of springs that are pressed and of fibres.
template <class T>
SINEW_INLINE TieStiffness<T> tie_stiffness(const TieLaw<T>& law, Vec3<T> c, T activation, bool projected) {
  if (law.kind == TieKind::weak_constraint) return {law.normal, law.stiffness, law.tangential};
  const Direction<T> m = direction_of(c);
  TieStiffness<T> k{m.along, law.stiffness, law.stiffness};
  if (law.kind == TieKind::fibre) {
    const FibreCurve<T> curve = fibre_curve(m.length, activation);
    k.along = law.stiffness * curve.stiffness;
    k.across = m.length > 0 ? law.stiffness * curve.force / m.length : 0;  // limp where it is that short
  } else if (m.length > 0) {
    k.across = law.stiffness * (1 - law.rest_length / m.length);
  }
  if (projected) return {k.axis, k.along > 0 ? k.along : 0, k.across > 0 ? k.across : 0};
  return k;
}

// No eigenvalue of phi'' is larger, whatever C is.
inline double largest_stiffness(const TieLaw<double>& law) {
  if (law.kind == TieKind::fibre) return stiffest_fibre * law.stiffness;
  return std::max(law.stiffness, law.tangential);
}

}  // namespace sinew
