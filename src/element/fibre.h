// The tension of muscle fibres (Blemker, Pinsky & Delp 2005, in the form of Chen et al. 2024, PXPBD, eqs. 6-8, with
// what these lack): energies per volume and peak stress as functions of the relative length r = |F v| / lambda_ofl,
//   E(r) = E_p(r) + activation E_a(r),   activation in [0, 1].
// E_p is 0 for r <= 1 and then P1/P2 (exp(P2 (r - 1)) - 1) - P1 (r - 1), up to r = 1.4; from there on its force goes on
// linearly. E_a' is the hump 1 - 4 (r - 1)^2 with feet 9 (r - 0.4)^2 and 9 (r - 1.6)^2, and 0 beyond them. E and E' are
// continuous and never negative; E'' jumps, and is negative over most of the hump's far side.
#pragma once

#include <cmath>

#include "math/inline.h"

namespace sinew {

template <class T>
struct FibreCurve {
  T energy{}, force{}, stiffness{};  // E, E', E''
};

inline constexpr double passive_slope = 0.05, passive_rate = 6.6;  // P1, P2
inline constexpr double passive_linear_from = 1.4;

template <class T>
SINEW_INLINE FibreCurve<T> passive_fibre(T r) {
  if (r <= 1) return {};
  const T p1 = T(passive_slope), p2 = T(passive_rate), end = T(passive_linear_from);
  const T bent = r < end ? r : end;
  using std::exp;  // or that of a T of its own
  const T growth = exp(p2 * (bent - 1));
  FibreCurve<T> e{p1 / p2 * (growth - 1) - p1 * (bent - 1), p1 * (growth - 1), p1 * p2 * growth};
  const T beyond = r - bent;
  e.energy += beyond * (e.force + T(0.5) * e.stiffness * beyond);
  e.force += e.stiffness * beyond;
  return e;
}

// 3 d^3 and its derivatives.
template <class T>
SINEW_INLINE FibreCurve<T> foot_of_hump(T d) {
  return {3 * d * d * d, 9 * d * d, 18 * d};
}

template <class T>
SINEW_INLINE FibreCurve<T> active_fibre(T r) {
  // What makes E_a continuous at r = 0.6 and 1.4.
  const T middle = T(-248.0 / 375), end = T(254.0 / 375);
  if (r <= T(0.4)) return {};
  if (r < T(0.6)) return foot_of_hump(r - T(0.4));
  const T d = r - 1;
  if (r <= T(1.4)) return {middle + r - T(4.0 / 3) * d * d * d, 1 - 4 * d * d, -8 * d};
  if (r >= T(1.6)) return {end, 0, 0};
  FibreCurve<T> e = foot_of_hump(r - T(1.6));
  e.energy += end;
  return e;
}

template <class T>
SINEW_INLINE FibreCurve<T> fibre_curve(T r, T activation) {
  const FibreCurve<T> p = passive_fibre(r), a = active_fibre(r);
  return {p.energy + activation * a.energy, p.force + activation * a.force, p.stiffness + activation * a.stiffness};
}

// Neither E'' nor E'/r is larger, at any length and activation: E_p'' at r = 1.4.
inline constexpr double stiffest_fibre = 4.63;

}  // namespace sinew
