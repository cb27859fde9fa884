// The tension of muscle fibres (Blemker, Pinsky & Delp 2005, in the form of Chen et al. 2024, PXPBD, eqs. 6-8, with
// what these lack): energies per volume and peak stress as functions of the relative length r = |F v| / lambda_ofl,
//   E(r) = E_p(r) + activation E_a(r),   activation in [0, 1].
// E_p is 0 for r <= 1 and then P1/P2 (exp(P2 (r - 1)) - 1) - P1 (r - 1), up to r = 1.4; from there on its force goes on
// linearly. E_a' is the hump 1 - 4 (r - 1)^2 with feet 9 (r - 0.4)^2 and 9 (r - 1.6)^2, and 0 beyond them. E and E' are
// continuous and never negative; E'' jumps, and is negative over most of the hump's far side.
#pragma once

#include "math/exp.h"
#include "math/lane.h"

namespace sinew {

template <class T>
struct FibreCurve {
  T energy{}, force{}, stiffness{};  // E, E', E''
};

inline constexpr double passive_slope = 0.05, passive_rate = 6.6;  // P1, P2
inline constexpr double passive_linear_from = 1.4;

template <class T>
SINEW_INLINE FibreCurve<T> select(MaskOf<T> mask, const FibreCurve<T>& a, const FibreCurve<T>& b) {
  return {select(mask, a.energy, b.energy), select(mask, a.force, b.force), select(mask, a.stiffness, b.stiffness)};
}

template <class T>
SINEW_INLINE FibreCurve<T> passive_fibre(T r) {
  const T p1 = splat<T>(passive_slope), p2 = splat<T>(passive_rate), one = splat<T>(1);
  const T bent = max(one, min(r, splat<T>(passive_linear_from))), beyond = max(r - bent, T{});
  const T growth = exp(p2 * (bent - one));
  FibreCurve<T> e{p1 / p2 * (growth - one) - p1 * (bent - one), p1 * (growth - one), p1 * p2 * growth};
  e.energy += beyond * (e.force + splat<T>(0.5) * e.stiffness * beyond);
  e.force += e.stiffness * beyond;
  return select(r > one, e, FibreCurve<T>{});
}

// 3 d^3 and its derivatives.
template <class T>
SINEW_INLINE FibreCurve<T> foot_of_hump(T d) {
  return {splat<T>(3) * d * d * d, splat<T>(9) * d * d, splat<T>(18) * d};
}

template <class T>
SINEW_INLINE FibreCurve<T> active_fibre(T r) {
  // Constants that make E_a continuous at r = 0.6, 1.4 and 1.6.
  const T middle = splat<T>(-248.0 / 375), end = splat<T>(254.0 / 375), one = splat<T>(1), d = r - one;
  const FibreCurve<T> rising = foot_of_hump(r - splat<T>(0.4)), falling = foot_of_hump(r - splat<T>(1.6));
  const FibreCurve<T> hump{middle + r - splat<T>(4.0 / 3) * d * d * d, one - splat<T>(4) * d * d, splat<T>(-8) * d};
  FibreCurve<T> e = select(r < splat<T>(0.6), rising, hump);
  e = select(r > splat<T>(1.4), FibreCurve<T>{end + falling.energy, falling.force, falling.stiffness}, e);
  e = select(r >= splat<T>(1.6), FibreCurve<T>{end, T{}, T{}}, e);
  return select(r > splat<T>(0.4), e, FibreCurve<T>{});
}

template <class T>
SINEW_INLINE FibreCurve<T> fibre_curve(T r, T activation) {
  const FibreCurve<T> p = passive_fibre(r), a = active_fibre(r);
  return {p.energy + activation * a.energy, p.force + activation * a.force, p.stiffness + activation * a.stiffness};
}

// Neither E'' nor E'/r is larger, at any length and activation: E_p'' at r = 1.4.
inline constexpr double stiffest_fibre = 4.63;

}  // namespace sinew
