// A muscle fibre in an element (Chen et al. 2024, PXPBD, eqs. 6-8): phi = k E(|C|), C = F v / lambda_ofl, s_j = g_j . v
// / lambda_ofl [1/m], v: the fibre's direction at rest, k = V sigma_max [J], E: fibre_curve.h.
//   phi'' = k [E'' m m^T + E'/|C| (1 - m m^T)],   m = C/|C|,
// indefinite where the force falls as the fibre grows.
#pragma once

#include "element/fibre_curve.h"
#include "element/tie_law.h"

namespace sinew {

struct Fibre {
  static constexpr TieTraits traits = {.name = "fibre", .is_muscle = true, .softens = true};
  static constexpr unsigned uses = uses_stiffness;

  template <class T>
  static SINEW_INLINE T energy(const TieNumbers<T>& n, Vec3<T> c, T activation) {
    return n.stiffness * fibre_curve(direction_of(c).length, activation).energy;
  }
  template <class T>
  static SINEW_INLINE Vec3<T> gradient(const TieNumbers<T>& n, Vec3<T> c, T activation) {
    const Direction<T> m = direction_of(c);
    return (n.stiffness * fibre_curve(m.length, activation).force) * m.along;
  }
  template <class T>
  static SINEW_INLINE TieStiffness<T> stiffness(const TieNumbers<T>& n, Vec3<T> c, T activation) {
    const Direction<T> m = direction_of(c);
    const FibreCurve<T> e = fibre_curve(m.length, activation);
    const auto there = m.length > T{};  // limp where it is so short
    return {m.along, n.stiffness * e.stiffness,
            select(there, n.stiffness * e.force, T{}) / select(there, m.length, splat<T>(1))};
  }
  static double largest_stiffness(const TieNumbers<double>& n) { return stiffest_fibre * n.stiffness; }
  static double energy_scale(const TieNumbers<double>& n) { return n.stiffness; }

  // C = sqrt(2 E), up to what keeps its gradient defined where E = 0: as small as leaves the root distinct.
  template <class T>
  static SINEW_INLINE TieConstraint<T> constraint(const TieNumbers<T>&, Vec3<T> c, T activation) {
    const Direction<T> m = direction_of(c);
    const FibreCurve<T> e = fibre_curve(m.length, activation);
    const T value = sqrt(splat<T>(2) * e.energy + splat<T>(sizeof(ScalarOf<T>) == 4 ? 1e-8 : 1e-12));
    const T slope = e.force / value;
    return {value, slope * m.along, slope * slope};
  }

  static constexpr int example_count = 1;
  static TieNumbers<double> example(int) { return {.stiffness = 3}; }
};

}  // namespace sinew
