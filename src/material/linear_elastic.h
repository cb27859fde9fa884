// Linear elasticity in the small strain: psi = mu e:e + lambda/2 tr(e)^2,  e = (F + F^T)/2 - 1.
// Not invariant under rotations: for small deflections and as a limit to check against.
#pragma once

#include "material/isotropic_moduli.h"

namespace sinew {

template <class T>
struct LinearElastic {
  using Moduli = LameModuli;
  using Forms = IsotropicForms;
  static constexpr const char* name = "linear";
  static constexpr const char* summary = "linear elasticity; small deflections only, swells when it rotates";
  static constexpr bool isotropic = false;
  static constexpr bool rotation_invariant = false;
  static constexpr bool zero_at_rest = true;
  static constexpr int constraint_count = 0;
  static constexpr bool surrogate_bounds_tangent = true;

  T mu, lambda;

  static LinearElastic from(const LameModuli& lame, int) { return {splat<T>(lame.mu), splat<T>(lame.lambda)}; }
  template <class U>
  SINEW_INLINE LinearElastic<U> as() const {
    return {splat<U>(mu), splat<U>(lambda)};
  }

  SINEW_INLINE T energy(Mat3<T> f) const {
    const Mat3<T> e = strain(f);
    const T tr = trace(e);
    return mu * contract(e, e) + splat<T>(0.5) * lambda * tr * tr;
  }
  SINEW_INLINE Mat3<T> stress(Mat3<T> f) const {
    const Mat3<T> e = strain(f);
    const T tr = lambda * trace(e);
    return (splat<T>(2) * mu) * e + diagonal(tr, tr, tr);
  }
  SINEW_INLINE Mat3<T> stress_differential(Mat3<T>, Mat3<T> d) const {
    const T tr = lambda * trace(d);
    return mu * (d + transpose(d)) + diagonal(tr, tr, tr);
  }

  SINEW_INLINE VertexResponse<T> vertex(Mat3<T> f, Vec3<T> g) const {
    VertexResponse<T> r{};
    r.stress_times_gradient = stress(f) * g;
    add_identity(r.stiffness, mu * dot(g, g));
    add_outer(r.stiffness, mu + lambda, g);
    return r;
  }

  // No less than the tangent, and equal to it where D is symmetric.
  SINEW_INLINE SurrogateTangent<T> surrogate(Mat3<T>) const {
    const T one = splat<T>(1);
    return {splat<T>(2) * mu, max(lambda, T{}), diagonal(one, one, one)};
  }

 private:
  SINEW_INLINE Mat3<T> strain(Mat3<T> f) const {
    const T half = splat<T>(0.5), one = splat<T>(1);
    return half * (f + transpose(f)) - diagonal(one, one, one);
  }
};

}  // namespace sinew
