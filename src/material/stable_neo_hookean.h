// Stable Neo-Hookean with the log barrier at |F| = 0 (Smith, de Goes & Kim 2018), in d dimensions:
//   psi = ms/2 (|F|^2 - d) + ls/2 (J - alpha)^2 - ms/2 log(|F|^2 + 1),   alpha = 1 + d/(d+1) ms/ls
//   P   = ms (1 - 1/(|F|^2+1)) F + ls (J - alpha) cof F
// ms = (d+1)/d mu and ls = lambda + (1 - 2/(d(d+1))) mu make P(I) = 0 and the tangent at rest linear elasticity with
// (mu, lambda). In two dimensions F = [F2 0; 0 1], whose |F|^2 is |F2|^2 + 1, so that the 1 behind it goes.
#pragma once

#include "material/isotropic_moduli.h"

namespace sinew {

template <class T>
struct StableNeoHookean {
  using Moduli = LameModuli;
  using Forms = IsotropicForms;
  static constexpr const char* name = "stable_neo_hookean";
  static constexpr const char* summary =
      "stable Neo-Hookean with logarithm (Smith et al. 2018); robust at extreme strain";
  static constexpr bool isotropic = true;
  static constexpr bool rotation_invariant = true;
  static constexpr bool zero_at_rest = false;
  static constexpr int constraint_count = 0;

  T mu_s, lambda_s, alpha, shift, lambda;

  static StableNeoHookean from(const LameModuli& lame, int dimension) {
    const double d = dimension;
    const double mu_s = (d + 1) / d * lame.mu, lambda_s = lame.lambda + (1 - 2 / (d * (d + 1))) * lame.mu;
    return {splat<T>(mu_s), splat<T>(lambda_s), splat<T>(1 + d / (d + 1) * mu_s / lambda_s), splat<T>(d - 2),
            splat<T>(lame.lambda)};
  }
  template <class U>
  SINEW_INLINE StableNeoHookean<U> as() const {
    return {splat<U>(mu_s), splat<U>(lambda_s), splat<U>(alpha), splat<U>(shift), splat<U>(lambda)};
  }

  SINEW_INLINE T energy(Mat3<T> f) const {
    const T i = contract(f, f);
    const T dj = determinant(f) - alpha;
    return splat<T>(0.5) * (mu_s * (i - splat<T>(3) - log(i + shift)) + lambda_s * dj * dj);
  }
  SINEW_INLINE Mat3<T> stress(Mat3<T> f) const {
    const Mat3<T> cof = cofactor(f);
    return shear_factor(contract(f, f)) * f + (lambda_s * (dot(f.c0, cof.c0) - alpha)) * cof;
  }
  SINEW_INLINE Mat3<T> stress_differential(Mat3<T> f, Mat3<T> d) const {
    const Mat3<T> cof = cofactor(f);
    const T i = contract(f, f);
    return shear_factor(i) * d + (stretch_factor(i) * contract(f, d)) * f + (lambda_s * contract(cof, d)) * cof +
           (lambda_s * (dot(f.c0, cof.c0) - alpha)) * cofactor_derivative(f, d);
  }

  template <class Gradient>
  SINEW_INLINE VertexResponse<T> vertex(Mat3<T> f, Gradient g) const {
    const auto [j, c] = volume_gradient(f, g);
    const T i = contract(f, f);
    const T shear = shear_factor(i);
    const Vec3<T> fg = f * g;
    VertexResponse<T> r{};
    r.stress_times_gradient = shear * fg + (lambda_s * (j - alpha)) * c;
    add_identity(r.stiffness, shear * norm_squared(g));
    add_outer(r.stiffness, stretch_factor(i), fg);
    add_outer(r.stiffness, lambda_s, c);
    return r;
  }

  // At rest the tangent, where D is symmetric: 2 mu and lambda. As for Neo-Hookean, the volume's second derivative
  // doubles the shear there.
  SINEW_INLINE SurrogateTangent<T> surrogate(Mat3<T> f) const {
    return {splat<T>(2) * shear_factor(contract(f, f)), max(lambda, T{}), cofactor(f)};
  }

  PrincipalTangent<T> principal(Vec3<T> s) const {
    const T i = dot(s, s), m = shear_factor(i);
    PrincipalTangent<T> t{{m, T{}, T{}, m, T{}, m}, {m, m, m}, {m, m, m}};
    add_outer(t.scaling, stretch_factor(i), s);
    add_volume_term(t, s, lambda_s, lambda_s * (s.x * s.y * s.z - alpha));
    return t;
  }

 private:
  SINEW_INLINE T shear_factor(T i) const {
    const T q = i + shift;
    return mu_s * ((q - splat<T>(1)) / q);
  }
  SINEW_INLINE T stretch_factor(T i) const {
    const T q = i + shift;
    return splat<T>(2) * mu_s / (q * q);
  }
};

}  // namespace sinew
