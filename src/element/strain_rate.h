// Damping by the rate of strain: a Kelvin-Voigt material whose viscous stress is that of linear elasticity, with the
// moduli mu and lambda of the material, for k_d times the rate of the Green strain (docs/theory.md, section 6).
//
// With F^t the deformation gradient at the start of the step, the Green strain changes in the step by
//   S = sym(F^tT (F - F^t))
// to first order. With r = k_d/h, per rest volume at a point of an element:
//   D    = r (mu |S|^2 + lambda/2 tr^2 S)                                          its gradient is the damping force
//   P    = r F^t (2 mu S + lambda tr(S) 1)                                         f_i = -V P g_i
//   K_ij = r (mu ((g_i.g_j) F^t F^tT + b a^T) + lambda a b^T),   a = F^t g_i, b = F^t g_j
// D is a quadratic of the positions at the end of the step, and convex as long as 3 lambda >= -2 mu (in two dimensions
// lambda >= -mu). The blocks are constant in a step. The power -2 D/h of the force over the step is never positive.
// D of an element is 0 for translations and for rotations x^t + w x x^t, and for no other motion if F^t has an inverse.
// A turn by a finite angle a in one step is not of these: S is of the order a^2/2.
//
// Of a spring the same in one dimension, along its direction m = C^t/|C^t| at the start of the step:
//   D = r k/2 (m.(C - C^t))^2.
#pragma once

#include "element/tie_law.h"
#include "material/material.h"
#include "math/gradient.h"
#include "math/lane.h"
#include "math/vec.h"

namespace sinew {

// At one point of an element of any kind; a triangle of plane strain has F^t = [F2 0; 0 1].
template <class T>
struct StrainRate {
  Mat3<T> before;  // F^t
  T mu, lambda;    // r mu, r lambda [Pa]

  static SINEW_INLINE StrainRate of(const Lame& lame, T rate, const Mat3<T>& before) {
    return {before, rate * splat<T>(lame.mu), rate * splat<T>(lame.lambda)};
  }

  // S of the motion F - F^t.
  SINEW_INLINE Sym3<T> strain(const Mat3<T>& motion) const {
    const T half = splat<T>(0.5);
    const Mat3<T>&f = before, &m = motion;
    return {dot(f.c0, m.c0), half * (dot(f.c0, m.c1) + dot(f.c1, m.c0)), half * (dot(f.c0, m.c2) + dot(f.c2, m.c0)),
            dot(f.c1, m.c1), half * (dot(f.c1, m.c2) + dot(f.c2, m.c1)), dot(f.c2, m.c2)};
  }
  // D [J/m^3]
  SINEW_INLINE T energy(const Mat3<T>& motion) const {
    const Sym3<T> s = strain(motion);
    const T volume = s.xx + s.yy + s.zz;
    return mu * frobenius_squared(s) + splat<T>(0.5) * lambda * volume * volume;
  }
  // P [Pa]
  SINEW_INLINE Mat3<T> stress(const Mat3<T>& motion) const { return before * viscous(motion); }
  // P g
  template <class Gradient>
  SINEW_INLINE Vec3<T> stress_times_gradient(const Mat3<T>& motion, Gradient g) const {
    return before * times(viscous(motion), g);
  }
  // K_ii
  template <class Gradient>
  SINEW_INLINE Sym3<T> vertex_stiffness(Gradient g) const {
    Sym3<T> k{};
    const T along = mu * norm_squared(g);
    add_outer(k, along, before.c0);
    add_outer(k, along, before.c1);
    add_outer(k, along, before.c2);
    add_outer(k, mu + lambda, before * g);
    return k;
  }
  // K_ij = dP g_i / dx_j
  SINEW_INLINE Mat3<T> pair_stiffness(Vec3<T> g_i, Vec3<T> g_j) const {
    const Vec3<T> a = before * g_i, b = before * g_j;
    return (mu * dot(g_i, g_j)) * (before * transpose(before)) + outer(mu * b, a) + outer(lambda * a, b);
  }

 private:
  // 2 mu S + lambda tr(S) 1, times r
  SINEW_INLINE Sym3<T> viscous(const Mat3<T>& motion) const {
    const Sym3<T> s = strain(motion);
    Sym3<T> stress = (mu + mu) * s;
    add_identity(stress, lambda * (s.xx + s.yy + s.zz));
    return stress;
  }
  static SINEW_INLINE Vec3<T> times(const Sym3<T>& s, Vec3<T> g) { return s * g; }
  static SINEW_INLINE Vec3<T> times(const Sym3<T>& s, AxisGradient<T> g) { return g.z * Vec3<T>{s.xz, s.yz, s.zz}; }
};

// Of a spring: force -s_j gradient(C - C^t) on vertex j, blocks s_i s_j matrix(). A spring whose ends lie in one point
// has no direction, and no damping.
template <class T>
struct StretchRate {
  Vec3<T> along;  // m
  T stiffness;    // r k [N/m]

  static SINEW_INLINE StretchRate of(const TieNumbers<T>& tie, T inverse_h, Vec3<T> before) {
    return {direction_of(before).along, tie.damping * inverse_h * tie.stiffness};
  }
  SINEW_INLINE T energy(Vec3<T> motion) const {
    const T stretch = dot(along, motion);
    return splat<T>(0.5) * stiffness * stretch * stretch;
  }
  SINEW_INLINE Vec3<T> gradient(Vec3<T> motion) const { return (stiffness * dot(along, motion)) * along; }
  SINEW_INLINE Sym3<T> matrix() const {
    Sym3<T> k{};
    add_outer(k, stiffness, along);
    return k;
  }
};

}  // namespace sinew
