// A tie: an energy phi(C) of one vector C = sum_j s_j x_j of a few vertices, with sum_j s_j = 0.
//   spring            phi = k/2 (|C| - l0)^2,      C = x_1 - x_2
//   weak constraint   phi = 1/2 C^T K C,           K = k_n n n^T + k_t (1 - n n^T)
//                     (Chen et al. 2023, PBNG, eqs. 22-23: two points that barycentric weights give are held together)
// The force on vertex j is -s_j phi'(C), its stiffness block s_j^2 phi''(C), and s_i s_j phi''(C) couples two of them.
// Of a spring, phi'' = k [m m^T + (1 - l0/|C|)(1 - m m^T)], m = C/|C|, is indefinite where the spring is pressed.
#pragma once

#include "math/lane.h"
#include "math/vec.h"

namespace sinew {

enum class TieKind { spring, weak_constraint };

template <class T>
struct TieLaw {
  TieKind kind = TieKind::spring;
  T stiffness{};     // k of a spring, k_n of a weak constraint [N/m]
  T tangential{};    // k_t [N/m]
  T rest_length{};   // l0 [m]
  Vec3<T> normal{};  // n, of length 1; or 0 where k_n = k_t

  template <class U>
  TieLaw<U> as() const {
    return {kind,
            static_cast<U>(stiffness),
            static_cast<U>(tangential),
            static_cast<U>(rest_length),
            {static_cast<U>(normal.x), static_cast<U>(normal.y), static_cast<U>(normal.z)}};
  }
};

inline TieLaw<double> spring_law(double stiffness, double rest_length) {
  return {.kind = TieKind::spring, .stiffness = stiffness, .rest_length = rest_length};
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

// phi(C) [J]
template <class T>
SINEW_INLINE T tie_energy(const TieLaw<T>& law, Vec3<T> c) {
  if (law.kind == TieKind::spring) {
    const T extension = direction_of(c).length - law.rest_length;
    return T(0.5) * law.stiffness * extension * extension;
  }
  const T along = dot(law.normal, c);
  return T(0.5) * (law.tangential * dot(c, c) + (law.stiffness - law.tangential) * (along * along));
}

// phi'(C) [N]
template <class T>
SINEW_INLINE Vec3<T> tie_gradient(const TieLaw<T>& law, Vec3<T> c) {
  if (law.kind == TieKind::spring) {
    const Direction<T> m = direction_of(c);
    return (law.stiffness * (m.length - law.rest_length)) * m.along;
  }
  return law.tangential * c + ((law.stiffness - law.tangential) * dot(law.normal, c)) * law.normal;
}

// phi''(C) [N/m]; `projected`: of a spring that is pressed without what is negative across it.
template <class T>
SINEW_INLINE Sym3<T> tie_stiffness(const TieLaw<T>& law, Vec3<T> c, bool projected) {
  Vec3<T> axis = law.normal;
  T across = law.tangential;
  if (law.kind == TieKind::spring) {
    const Direction<T> m = direction_of(c);
    axis = m.along;
    across = m.length > 0 ? law.stiffness * (1 - law.rest_length / m.length) : law.stiffness;
    if (projected && across < 0) across = 0;
  }
  Sym3<T> k{};
  add_identity(k, across);
  add_outer(k, law.stiffness - across, axis);
  return k;
}

}  // namespace sinew
