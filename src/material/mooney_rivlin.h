// Mooney-Rivlin (Mooney 1940; Rivlin 1948) in F and cof F themselves, a polyconvex form (Ciarlet & Geymonat 1982)
// without isochoric invariants:
//   psi = c10 |F|^2 + c01 |cof F|^2 + k/2 (J - gamma)^2,   gamma = 1 + (2 c10 + 4 c01)/k
//   P   = 2 c10 F + 2 c01 F x cof F + k (J - gamma) cof F
// with A x B the derivative of the cofactor at A along B (cofactor_derivative). P(1) = 0, and the tangent at rest is
// linear elasticity with
//   mu = 2 (c10 + c01),   lambda = k - 2 c10,   K = lambda + 2/3 mu   so that   k = K + 2/3 c10 - 4/3 c01.
// psi(1) is not 0. A vertex's motion d adds d g^T to F, in which cof F and J are affine: the vertex block
//   2 c10 |g|^2 1 + 2 c01 sum_a (|v_a|^2 1 - v_a v_a^T) + k c c^T,   cof(F + d g^T) = cof F + [d x v_0, d x v_1, d x
//   v_2]
// is exact, constant in d and always positive definite. With c01 = 0 it is Neo-Hookean.
// In two dimensions F = [F2 0; 0 1], |cof F|^2 = |F2|^2 + J^2: plane strain, with the same gamma.
#pragma once

#include <span>

#include "base/nearest.h"
#include "base/parameters.h"
#include "base/result.h"
#include "material/material.h"

namespace sinew {

struct MooneyRivlinModuli {
  double c10 = 1.5e4, c01 = 5e3, bulk_modulus = 1e5;  // [Pa]

  static std::span<const Parameter<MooneyRivlinModuli>> parameters() {
    using F = MooneyRivlinModuli;
    static constexpr Parameter<F> list[] = {
        {.name = "c10",
         .member = &F::c10,
         .unit = "Pa",
         .range = positive,
         .meaning = "of |F|^2, the squares of the stretches; the shear modulus at rest is 2 (c10 + c01)"},
        {.name = "c01",
         .member = &F::c01,
         .unit = "Pa",
         .range = non_negative,
         .meaning = "of |cof F|^2, the squares of the changes of area; 0: Neo-Hookean"},
        {.name = "bulk_modulus",
         .member = &F::bulk_modulus,
         .unit = "Pa",
         .range = positive,
         .meaning = "pressure per relative change of volume at rest, above 4/3 c01 - 2/3 c10; 10 to 50 times the shear "
                    "modulus is nearly incompressible"}};
    return list;
  }
  MooneyRivlinModuli moduli() const { return *this; }
  double volume_stiffness() const { return bulk_modulus + (2 * c10 - 4 * c01) / 3; }  // k
  Error fault() const {
    if (volume_stiffness() > 0) return {};
    return {"bulk_modulus",
            "= " + number_text(bulk_modulus) +
                " [Pa]: must be above 4/3 c01 - 2/3 c10 = " + number_text((4 * c01 - 2 * c10) / 3),
            "raise it, or lower c01: rubber has some hundred times its shear modulus 2 (c10 + c01)"};
  }
  Lame lame() const { return {2 * (c10 + c01), volume_stiffness() - 2 * c10}; }
  MooneyRivlinModuli with_lambda(double lambda) const { return {c10, c01, lambda + 2 * lame().mu / 3}; }
  // A quarter of the shear modulus from c01: the most with which k is positive for every positive bulk modulus.
  static MooneyRivlinModuli of(const Lame& lame) {
    return {0.375 * lame.mu, 0.125 * lame.mu, lame.lambda + 2 * lame.mu / 3};
  }
};

template <class T>
struct MooneyRivlin {
  using Moduli = MooneyRivlinModuli;
  using Forms = FormList<MooneyRivlinModuli>;
  static constexpr const char* name = "mooney_rivlin";
  static constexpr const char* summary = "Mooney-Rivlin by c10, c01 and the bulk modulus; rubber at large stretch";
  static constexpr bool isotropic = true;
  static constexpr bool rotation_invariant = true;
  static constexpr bool zero_at_rest = false;
  static constexpr int constraint_count = 3;

  T a, b, k, gamma, lambda;  // a = 2 c10, b = 2 c01

  static MooneyRivlin from(const MooneyRivlinModuli& m, int) {
    const double k = m.volume_stiffness();
    return {splat<T>(2 * m.c10), splat<T>(2 * m.c01), splat<T>(k), splat<T>(1 + (2 * m.c10 + 4 * m.c01) / k),
            splat<T>(m.lame().lambda)};
  }
  template <class U>
  SINEW_INLINE MooneyRivlin<U> as() const {
    return {splat<U>(a), splat<U>(b), splat<U>(k), splat<U>(gamma), splat<U>(lambda)};
  }

  SINEW_INLINE T energy(Mat3<T> f) const {
    const Mat3<T> cof = cofactor(f);
    const T dj = dot(f.c0, cof.c0) - gamma;
    return splat<T>(0.5) * (a * contract(f, f) + b * contract(cof, cof) + k * dj * dj);
  }
  SINEW_INLINE Mat3<T> stress(Mat3<T> f) const {
    const Mat3<T> cof = cofactor(f);
    return a * f + b * cofactor_derivative(f, cof) + (k * (dot(f.c0, cof.c0) - gamma)) * cof;
  }
  SINEW_INLINE Mat3<T> stress_differential(Mat3<T> f, Mat3<T> d) const {
    const Mat3<T> cof = cofactor(f), change = cofactor_derivative(f, d);
    return a * d + b * (cofactor_derivative(d, cof) + cofactor_derivative(f, change)) + (k * contract(cof, d)) * cof +
           (k * (dot(f.c0, cof.c0) - gamma)) * change;
  }

  // Along the z axis v = z (f1, -f0, 0).
  SINEW_INLINE VertexResponse<T> vertex(Mat3<T> f, AxisGradient<T> g) const {
    const auto [j, c] = volume_gradient(f, g);
    const T z2 = g.z * g.z, n0 = dot(f.c0, f.c0), n1 = dot(f.c1, f.c1);
    VertexResponse<T> r{};
    // (F x cof F) e_z = (|f0|^2 + |f1|^2) f2 - (f0.f2) f0 - (f1.f2) f1
    const Vec3<T> areas = (n0 + n1) * f.c2 - dot(f.c0, f.c2) * f.c0 - dot(f.c1, f.c2) * f.c1;
    r.stress_times_gradient = g.z * (a * f.c2 + b * areas) + (k * (j - gamma)) * c;
    add_identity(r.stiffness, z2 * (a + b * (n0 + n1)));
    add_outer(r.stiffness, -(b * z2), f.c0);
    add_outer(r.stiffness, -(b * z2), f.c1);
    add_outer(r.stiffness, k, c);
    return r;
  }
  SINEW_INLINE VertexResponse<T> vertex(Mat3<T> f, Vec3<T> g) const {
    const Mat3<T> cof = cofactor(f);
    const Vec3<T> c = cof * g;
    const Vec3<T> v[3] = {g.y * f.c2 - g.z * f.c1, g.z * f.c0 - g.x * f.c2, g.x * f.c1 - g.y * f.c0};
    VertexResponse<T> r{};
    const Vec3<T> areas = cross(v[0], cof.c0) + cross(v[1], cof.c1) + cross(v[2], cof.c2);
    r.stress_times_gradient = a * (f * g) + b * areas + (k * (dot(f.c0, cof.c0) - gamma)) * c;
    add_identity(r.stiffness, a * dot(g, g) + b * (dot(v[0], v[0]) + dot(v[1], v[1]) + dot(v[2], v[2])));
    for (const Vec3<T>& each : v) add_outer(r.stiffness, -b, each);
    add_outer(r.stiffness, k, c);
    return r;
  }

  // At rest the tangent, where D is symmetric: 2 mu and lambda. As for Neo-Hookean, (J - gamma) d2J/dF2 doubles the
  // shear there. |F x D|^2 is at most 4 s |D|^2, with s a bound of the largest eigenvalue of F^T F.
  SINEW_INLINE SurrogateTangent<T> surrogate(Mat3<T> f) const {
    const T two = splat<T>(2), third = splat<T>(1.0 / 3);
    const Mat3<T> c = transpose(f) * f;
    const T mean = third * trace(c), deviation2 = max(third * contract(c, c) - mean * mean, T{});
    const T s = mean + splat<T>(1.4142136) * sqrt(deviation2);
    return {two * (a + b * s), max(lambda, T{}), cofactor(f)};
  }

  PrincipalTangent<T> principal(Vec3<T> s) const {
    const T two = splat<T>(2), ss = dot(s, s);
    const auto own = [&](T x) { return a + b * (ss - x * x); };
    const auto twist = [&](T x, T y, T z) { return a + b * (z * z + x * y); };
    const auto flip = [&](T x, T y, T z) { return a + b * (z * z - x * y); };
    PrincipalTangent<T> t{{own(s.x), two * b * s.x * s.y, two * b * s.x * s.z, own(s.y), two * b * s.y * s.z, own(s.z)},
                          {twist(s.y, s.z, s.x), twist(s.x, s.z, s.y), twist(s.x, s.y, s.z)},
                          {flip(s.y, s.z, s.x), flip(s.x, s.z, s.y), flip(s.x, s.y, s.z)}};
    add_volume_term(t, s, k, k * (s.x * s.y * s.z - gamma));
    return t;
  }

  // C_0 = |F|, C_1 = |cof F|, whose stiffness may be 0, C_2 = J - gamma (volume).
  template <int n>
  SINEW_INLINE auto constraint_form(Mat3<T> f) const {
    if constexpr (n == 0) {
      return RootConstraint<T>{contract(f, f), f, a};
    } else if constexpr (n == 1) {
      const Mat3<T> cof = cofactor(f);
      return RootConstraint<T>{contract(cof, cof), cofactor_derivative(f, cof), b};
    } else {
      return VolumeConstraint<T>{gamma, k};
    }
  }
  template <int n>
  SINEW_INLINE Constraint<T> constraint(Mat3<T> f) const {
    return expanded(constraint_form<n>(f), f);
  }
};

}  // namespace sinew
