// St. Venant-Kirchhoff: linear elasticity in the Green strain.
//   E = (F^T F - 1)/2,  S = 2 mu E + lambda tr(E) 1,  psi = mu E:E + lambda/2 tr(E)^2,  P = F S
// Softens under compression (uniaxial limit at stretch 0.577) and inverted states can be free of stress: not for large
// compression.
#pragma once

#include "material/isotropic_moduli.h"

namespace sinew {

template <class T>
struct Stvk {
  using Moduli = LameModuli;
  using Forms = IsotropicForms;
  static constexpr const char* name = "stvk";
  static constexpr const char* summary = "St. Venant-Kirchhoff; moderate strain, weak in compression";
  static constexpr bool isotropic = true;
  static constexpr bool rotation_invariant = true;
  static constexpr bool zero_at_rest = true;
  static constexpr int constraint_count = 0;
  static constexpr bool surrogate_bounds_tangent = true;
  static constexpr bool softens = true;

  T mu, lambda;

  static Stvk from(const LameModuli& lame, int) { return {splat<T>(lame.mu), splat<T>(lame.lambda)}; }
  template <class U>
  SINEW_INLINE Stvk<U> as() const {
    return {splat<U>(mu), splat<U>(lambda)};
  }

  SINEW_INLINE T energy(Mat3<T> f) const {
    const Mat3<T> e = green_strain(f);
    const T tr = trace(e);
    return mu * contract(e, e) + splat<T>(0.5) * lambda * tr * tr;
  }
  SINEW_INLINE Mat3<T> stress(Mat3<T> f) const { return f * second_piola_kirchhoff(green_strain(f)); }
  SINEW_INLINE Mat3<T> stress_differential(Mat3<T> f, Mat3<T> d) const {
    const Mat3<T> dtf = transpose(d) * f;
    const Mat3<T> de = splat<T>(0.5) * (dtf + transpose(dtf));
    return d * second_piola_kirchhoff(green_strain(f)) + f * second_piola_kirchhoff(de);
  }

  // Block: (g^T S g) 1 + mu |g|^2 F F^T + (mu + lambda) (F g)(F g)^T.
  template <class Gradient>
  SINEW_INLINE VertexResponse<T> vertex(Mat3<T> f, Gradient g) const {
    const Vec3<T> fg = f * g;
    const T g2 = norm_squared(g);
    const T tr = splat<T>(0.5) * (contract(f, f) - splat<T>(3));
    // F S g = mu (F F^T F g - F g) + lambda tr F g
    const Vec3<T> fft_fg = f * Vec3<T>{dot(f.c0, fg), dot(f.c1, fg), dot(f.c2, fg)};
    const T k = lambda * tr - mu;
    VertexResponse<T> r{};
    r.stress_times_gradient = mu * fft_fg + k * fg;
    add_identity(r.stiffness, mu * dot(fg, fg) + k * g2);
    add_outer(r.stiffness, mu * g2, f.c0);
    add_outer(r.stiffness, mu * g2, f.c1);
    add_outer(r.stiffness, mu * g2, f.c2);
    add_outer(r.stiffness, mu + lambda, fg);
    return r;
  }

  // No less than the tangent D S + F (2 mu dE + lambda (F : D) 1): |dE|^2 is at most b |D|^2 and S at most its largest
  // eigenvalue, which follows from b, a bound of the largest eigenvalue of F^T F: mean and deviation of the three.
  SINEW_INLINE SurrogateTangent<T> surrogate(Mat3<T> f) const {
    const T one = splat<T>(1), two = splat<T>(2), third = splat<T>(1.0 / 3);
    const Mat3<T> c = transpose(f) * f;
    const T tr = trace(c), mean = third * tr;
    const T deviation2 = max(third * contract(c, c) - mean * mean, T{});
    const T b = mean + splat<T>(1.4142136) * sqrt(deviation2);
    const T stress = mu * (b - one) + splat<T>(0.5) * lambda * (tr - splat<T>(3));
    return {two * mu * b + max(stress, T{}), max(lambda, T{}), f};
  }

  SINEW_INLINE StrainCompliance<T> strain_compliance() const {
    return {mu, lambda / (splat<T>(3) * lambda + splat<T>(2) * mu)};
  }

  PrincipalTangent<T> principal(Vec3<T> s) const {
    const T one = splat<T>(1), half = splat<T>(0.5);
    const T volumetric = half * lambda * (dot(s, s) - splat<T>(3));
    const auto own = [&](T a) { return mu * (splat<T>(3) * a * a - one) + volumetric; };
    const auto twist = [&](T a, T b) { return mu * (a * a - a * b + b * b - one) + volumetric; };
    const auto flip = [&](T a, T b) { return mu * (a * a + a * b + b * b - one) + volumetric; };
    PrincipalTangent<T> t{{own(s.x), T{}, T{}, own(s.y), T{}, own(s.z)},
                          {twist(s.y, s.z), twist(s.x, s.z), twist(s.x, s.y)},
                          {flip(s.y, s.z), flip(s.x, s.z), flip(s.x, s.y)}};
    add_outer(t.scaling, lambda, s);
    return t;
  }

 private:
  SINEW_INLINE Mat3<T> green_strain(Mat3<T> f) const {
    const T half = splat<T>(0.5), one = splat<T>(1);
    return half * (transpose(f) * f - diagonal(one, one, one));
  }
  SINEW_INLINE Mat3<T> second_piola_kirchhoff(Mat3<T> e) const {
    const T tr = lambda * trace(e);
    return (splat<T>(2) * mu) * e + diagonal(tr, tr, tr);
  }
};

}  // namespace sinew
