// Neo-Hookean without a logarithm (Macklin & Mueller 2021; Smith et al. 2018 without their log term, up to a constant).
//   psi = mu/2 |F|^2 + lh/2 (J - gamma)^2,   lh = lambda + mu,  gamma = 1 + mu/lh
//   P   = mu F + lh (J - gamma) cof F
// P(I) = 0 and the tangent at rest is linear elasticity with (mu, lambda); psi(I) is not 0. The vertex block
// mu |g|^2 1 + lh c c^T is exact and always positive definite: no projection is ever needed under a vertex sweep.
#pragma once

#include "material/isotropic_moduli.h"

namespace sinew {

template <class T>
struct NeoHookean {
  using Moduli = LameModuli;
  using Forms = IsotropicForms;
  static constexpr const char* name = "neo_hookean";
  static constexpr const char* summary =
      "Neo-Hookean without logarithm; rubber, flesh; the fastest under vertex sweeps";
  static constexpr bool isotropic = true;
  static constexpr bool rotation_invariant = true;
  static constexpr bool zero_at_rest = false;
  static constexpr bool links = true;
  static constexpr int constraint_count = 2;

  T mu, lambda_hat, gamma;

  static NeoHookean from(const LameModuli& lame, int) {
    const T mu = splat<T>(lame.mu), lambda_hat = splat<T>(lame.lambda + lame.mu);
    return {mu, lambda_hat, splat<T>(1) + mu / lambda_hat};
  }
  template <class U>
  SINEW_INLINE NeoHookean<U> as() const {
    return {splat<U>(mu), splat<U>(lambda_hat), splat<U>(gamma)};
  }

  SINEW_INLINE T energy(Mat3<T> f) const {
    const T dj = determinant(f) - gamma;
    return splat<T>(0.5) * (mu * contract(f, f) + lambda_hat * dj * dj);
  }
  SINEW_INLINE Mat3<T> stress(Mat3<T> f) const {
    const Mat3<T> cof = cofactor(f);
    return mu * f + (lambda_hat * (dot(f.c0, cof.c0) - gamma)) * cof;
  }
  SINEW_INLINE Mat3<T> stress_differential(Mat3<T> f, Mat3<T> d) const {
    const Mat3<T> cof = cofactor(f);
    return mu * d + (lambda_hat * contract(cof, d)) * cof +
           (lambda_hat * (dot(f.c0, cof.c0) - gamma)) * cofactor_derivative(f, d);
  }

  template <class Gradient>
  SINEW_INLINE VertexResponse<T> vertex(Mat3<T> f, Gradient g) const {
    const auto [j, c] = volume_gradient(f, g);
    VertexResponse<T> r{};
    r.stress_times_gradient = mu * (f * g) + (lambda_hat * (j - gamma)) * c;
    add_identity(r.stiffness, mu * norm_squared(g));
    add_outer(r.stiffness, lambda_hat, c);
    return r;
  }

  // At rest the tangent, where D is symmetric. There (J - gamma) d2J/dF2 doubles the shear: without it, with mu and lh,
  // one sweep by stresses overshoots, and those of large steps diverge.
  SINEW_INLINE SurrogateTangent<T> surrogate(Mat3<T> f) const {
    return {splat<T>(2) * mu, max(lambda_hat - mu, T{}), cofactor(f)};
  }

  PrincipalTangent<T> principal(Vec3<T> s) const {
    PrincipalTangent<T> t{{mu, T{}, T{}, mu, T{}, mu}, {mu, mu, mu}, {mu, mu, mu}};
    add_volume_term(t, s, lambda_hat, lambda_hat * (s.x * s.y * s.z - gamma));
    return t;
  }

  // C_0 = |F| (deviatoric), C_1 = J - gamma (volume).
  template <int k>
  SINEW_INLINE auto constraint_form(Mat3<T> f) const {
    if constexpr (k == 0) {
      return RootConstraint<T>{contract(f, f), f, mu};
    } else {
      return VolumeConstraint<T>{gamma, lambda_hat};
    }
  }
  template <int k>
  SINEW_INLINE Constraint<T> constraint(Mat3<T> f) const {
    return expanded(constraint_form<k>(f), f);
  }
};

}  // namespace sinew
