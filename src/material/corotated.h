// The corotated formula with a term of the volume: fixed corotated (Stomakhin et al. 2012) and ARAP with volume.
//   psi = mu |F - R|^2 + lambda/2 (J - 1)^2,   F = R S the polar decomposition with R a proper rotation
//   P   = 2 mu (F - R) + lambda (J - 1) cof F
// With dR[D] = R [w]x, w = (tr(S) 1 - S)^-1 axial(R^T D), the exact vertex block is
//   2 mu |g|^2 1 + lambda c c^T - 2 mu M (tr(S) 1 - S)^-1 M^T,   M = R [e_x x g, e_y x g, e_z x g];
// it may be indefinite in crushed or inverted elements.
#pragma once

#include "material/material.h"
#include "math/polar.h"

namespace sinew {

template <class T>
struct Corotated {
  static constexpr bool isotropic = true;
  static constexpr bool rotation_invariant = true;
  static constexpr bool zero_at_rest = true;
  static constexpr int constraint_count = 2;
  static constexpr bool by_stretch = true;

  T mu, lambda;

  template <class U>
  SINEW_INLINE Corotated<U> as() const {
    return {splat<U>(mu), splat<U>(lambda)};
  }

  SINEW_INLINE T energy(Mat3<T> f) const {
    const Mat3<T> d = f - polar_decomposition(f).rotation;
    const T dj = determinant(f) - splat<T>(1);
    return mu * contract(d, d) + splat<T>(0.5) * lambda * dj * dj;
  }
  SINEW_INLINE Mat3<T> stress(Mat3<T> f) const {
    const Mat3<T> cof = cofactor(f);
    return (splat<T>(2) * mu) * (f - polar_decomposition(f).rotation) +
           (lambda * (dot(f.c0, cof.c0) - splat<T>(1))) * cof;
  }
  SINEW_INLINE Mat3<T> stress_differential(Mat3<T> f, Mat3<T> d) const {
    const Mat3<T> cof = cofactor(f);
    const auto [r, compliance] = polar_decomposition(f);
    const Mat3<T> a = transpose(r) * d;
    const Vec3<T> w = compliance * Vec3<T>{a.c1.z - a.c2.y, a.c2.x - a.c0.z, a.c0.y - a.c1.x};
    const Mat3<T> dr{w.z * r.c1 - w.y * r.c2, w.x * r.c2 - w.z * r.c0, w.y * r.c0 - w.x * r.c1};  // R [w]x
    return (splat<T>(2) * mu) * (d - dr) + (lambda * contract(cof, d)) * cof +
           (lambda * (dot(f.c0, cof.c0) - splat<T>(1))) * cofactor_derivative(f, d);
  }

  template <class Gradient>
  SINEW_INLINE VertexResponse<T> vertex(Mat3<T> f, Gradient g) const {
    const StretchEquation<T> equation = stretch_equation(f);
    VertexSums<T> sums;
    add_vertex(splat<T>(1), f, g, equation.gram, stretch_invariants(equation), sums);
    add_identity(sums.stiffness, sums.identity);
    return {sums.stress_times_gradient, sums.stiffness};
  }
  template <class Gradient>
  SINEW_INLINE void add_vertex(T volume, const Mat3<T>& f, Gradient g, const Sym3<T>& gram,
                               const StretchInvariants<T>& s, VertexSums<T>& sums) const {
    if (every_lane(s.known)) [[likely]] {
      add_rotated(volume, f, g, sums,
                  [&](auto e, Vec3<T> c, T factor) { return rotated_gradient(f, e, c, factor, gram, s); });
      return;
    }
    // Copies: what a call takes by reference lives in memory, and must not do so where nothing is called.
    const T volume_copy = volume;
    const Mat3<T> f_copy = f;
    const Gradient g_copy = g;
    const Sym3<T> gram_copy = gram;
    const StretchInvariants<T> s_copy = s;
    VertexSums<T> sums_copy = sums;
    add_vertex_carefully(volume_copy, f_copy, g_copy, gram_copy, s_copy, sums_copy);
    sums = sums_copy;
  }

  // No less than the tangent but for (J - 1) d2J/dF2, of which vertex blocks have nothing.
  SINEW_INLINE SurrogateTangent<T> surrogate(Mat3<T> f) const {
    return {splat<T>(2) * mu, max(lambda, T{}), cofactor(f)};
  }

  PrincipalTangent<T> principal(Vec3<T> s) const {
    const T m = splat<T>(2) * mu, least = splat<T>(1e-9);
    const auto twist = [&](T a, T b) { return m * (splat<T>(1) - splat<T>(2) / max(a + b, least)); };
    PrincipalTangent<T> t{{m, T{}, T{}, m, T{}, m}, {twist(s.y, s.z), twist(s.x, s.z), twist(s.x, s.y)}, {m, m, m}};
    add_volume_term(t, s, lambda, lambda * (s.x * s.y * s.z - splat<T>(1)));
    return t;
  }

  // C_0 = sqrt(|F - R|^2 + eps) (shear), C_1 = J - 1 (volume). eps keeps the gradient of C_0 defined at rest; it shifts
  // the energy by mu V eps.
  template <int k>
  SINEW_INLINE Constraint<T> constraint(Mat3<T> f) const {
    if constexpr (k == 0) {
      const Mat3<T> d = f - polar_decomposition(f).rotation;
      const T c = sqrt(contract(d, d) + splat<T>(sizeof(ScalarOf<T>) == 4 ? 1e-8 : 1e-12));
      return {c, (splat<T>(1) / c) * d, splat<T>(2) * mu};
    } else {
      const Mat3<T> cof = cofactor(f);
      return {dot(f.c0, cof.c0) - splat<T>(1), cof, lambda};
    }
  }

 private:
  // For stretches that are not known in some lanes.
  template <class Gradient>
  SINEW_OUT_OF_LINE void add_vertex_carefully(const T& volume, const Mat3<T>& f, const Gradient& g, const Sym3<T>& gram,
                                              const StretchInvariants<T>& s, VertexSums<T>& sums) const {
    add_rotated(volume, f, g, sums, [&](auto e, Vec3<T> c, T factor) {
      RotatedGradient<T> rotated = rotated_gradient(f, e, c, factor, gram, s);
      mend_rotated_gradient(f, as_vector<T>(e), factor, s.known, rotated);
      return rotated;
    });
  }

  // rotate(e, cof(F) e, factor) yields the RotatedGradient of the direction e of g.
  template <class Gradient, class Rotate>
  SINEW_INLINE void add_rotated(T volume, const Mat3<T>& f, Gradient g, VertexSums<T>& sums,
                                const Rotate& rotate) const {
    const auto e = direction(g);
    const T z = scale(g), volume_z = volume * z;
    const auto [j, c] = volume_gradient(f, e);
    const T two_mu = splat<T>(2) * mu * volume_z, two_mu_z = two_mu * z, lambda_z = lambda * volume_z;
    const RotatedGradient<T> r = rotate(e, c, -two_mu_z);
    sums.stress_times_gradient += two_mu * (f * e - r.value) + (lambda_z * (j - splat<T>(1))) * c;
    add_symmetric_product(sums.stiffness, r.value, r.v);
    add_outer(sums.stiffness, lambda_z * z, c);
    sums.stiffness = sums.stiffness + r.gram_part * r.gram;
    sums.identity += r.identity + two_mu_z * norm_squared_as<T>(e);
  }
};

}  // namespace sinew
