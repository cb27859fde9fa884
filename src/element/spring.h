// A spring between two points: phi = k/2 (|C| - l0)^2, C = x_1 - x_2 (Hooke's law).
//   phi'' = k [m m^T + (1 - l0/|C|)(1 - m m^T)],   m = C/|C|,
// indefinite where the spring is shorter than at rest.
#pragma once

#include "element/tie_law.h"

namespace sinew {

struct Spring {
  static constexpr TieTraits traits = {.name = "spring", .is_edge = true, .has_damping = true};
  static constexpr unsigned uses = uses_stiffness | uses_rest_length | uses_damping;

  template <class T>
  static SINEW_INLINE T energy(const TieNumbers<T>& n, Vec3<T> c, T) {
    const T extension = direction_of(c).length - n.rest_length;
    return splat<T>(0.5) * n.stiffness * extension * extension;
  }
  template <class T>
  static SINEW_INLINE Vec3<T> gradient(const TieNumbers<T>& n, Vec3<T> c, T) {
    const Direction<T> m = direction_of(c);
    return (n.stiffness * (m.length - n.rest_length)) * m.along;
  }
  template <class T>
  static SINEW_INLINE TieStiffness<T> stiffness(const TieNumbers<T>& n, Vec3<T> c, T) {
    const Direction<T> m = direction_of(c);
    const T one = splat<T>(1);
    const auto there = m.length > T{};
    return {m.along, n.stiffness,
            n.stiffness * (one - select(there, n.rest_length, T{}) / select(there, m.length, one))};
  }
  static double largest_stiffness(const TieNumbers<double>& n) { return n.stiffness; }
  static double energy_scale(const TieNumbers<double>& n) { return n.stiffness * n.rest_length * n.rest_length; }

  template <class T>
  static SINEW_INLINE TieConstraint<T> constraint(const TieNumbers<T>& n, Vec3<T> c, T) {
    const Direction<T> m = direction_of(c);
    return {m.length - n.rest_length, m.along, splat<T>(1)};
  }

  static constexpr int example_count = 2;
  static TieNumbers<double> example(int k) { return {.stiffness = 3.0 - k, .rest_length = k == 0 ? 0.7 : 0}; }
};

}  // namespace sinew
