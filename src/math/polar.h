// Polar decomposition F = R S over lanes, R the proper rotation closest to F, also for inverted F (then S has one
// negative eigenvalue: the convention of the signed SVD, R = U V^T, |s2| the smallest).
//
// Everything follows from the invariants of S (Lin, Huang, Yu, Lee & Lin 2022, "Isotropic ARAP energy using
// Cauchy-Green invariants"). I3 = J = det F and I1^2 = |F|^2 + 2 I2 are known, and so is I2^2 = |cof F|^2 + 2 I3 I1:
// I1 = tr S is the largest root of
//   h(l) = i2^2 - 2 J l - |cof F|^2,  i2 = (l^2 - |F|^2)/2,   h'(l) = 2 (l i2 - J).
// With D = I1 I2 - I3 = (s0 + s1)(s0 + s2)(s1 + s2), by Cayley-Hamilton for S,
//   D R = I1 cof F + (I1^2 - I2) F - F F^T F,      D (tr(S) 1 - S)^-1 = F^T F + I2 1.
// Where D is small these lose accuracy, and robust_polar.h takes over, lane by lane.
#pragma once

#include "math/gradient.h"
#include "math/robust_polar.h"

namespace sinew {

// The invariants of S in the lanes where they are `known`; undefined in the others.
template <class T>
struct StretchInvariants {
  T norm2, i1, i2;
  T inverse_d;  // 1 / (I1 I2 - I3)
  MaskOf<T> known;
};

// The quantities they are computed from.
template <class T>
struct StretchEquation {
  Sym3<T> gram;         // F F^T, which has the eigenvalues of F^T F
  T norm2, minors2, j;  // |F|^2, |cof F|^2, det F
};
template <class T>
SINEW_INLINE StretchEquation<T> stretch_equation(Mat3<T> f) {
  Sym3<T> b{};
  add_square(b, f.c0);
  add_square(b, f.c1);
  add_square(b, f.c2);
  return {b, b.xx + b.yy + b.zz,
          (b.xx * b.yy - b.xy * b.xy) + (b.xx * b.zz - b.xz * b.xz) + (b.yy * b.zz - b.yz * b.yz), determinant(f)};
}

template <class T>
SINEW_INLINE StretchInvariants<T> stretch_invariants(const StretchEquation<T>& equation) {
  constexpr bool single = sizeof(ScalarOf<T>) == 4;
  const T norm2 = equation.norm2, minors2 = equation.minors2, j = equation.j;
  const T two_j = j + j, eight_j = splat<T>(8) * j;
  const T four_minors2 = splat<T>(4) * minors2;

  // Initial guess: I2 and then I1 from their equations, with (3 + |F|^2)/2 >= sqrt(3)|F| >= I1 for I1. It is exact at
  // rest and in flat elements, and 1 % off in strongly deformed ones.
  const T bound = minors2 + j * (splat<T>(3) + norm2);
  T l = rough_sqrt(norm2 + splat<T>(2) * rough_sqrt(max(bound, T{})));
  // Newton's method for h, in terms of q = 2 i2: step = h/h' = (q^2 - 8 J l - 4 |cof F|^2) / (4 (q l - 2 J)).
  T step{};
  const auto newton = [&] {
    const T q = l * l - norm2;
    step = splat<T>(0.25) * ((q * q - (eight_j * l + four_minors2)) * rough_reciprocal(q * l - two_j));
  };
  newton();
  l = l - step;
  newton();
  l = l - step;

  // Newton's steps from there cannot pass the largest root: for J >= 0 the guess is above it; for J < 0 it is at least
  // |F|, where h' > 0, and the first step goes above. Convergence is quadratic. Lanes that have not converged take more
  // steps, in vain where D is nearly 0; converged lanes do not change, whatever their neighbours do.
  const T enough = splat<T>(single ? 1e-4 : 1e-8);
  MaskOf<T> settled = abs(step) < enough * l;
  for (int k = 0; k < 6 && !every_lane(settled); ++k) {
    newton();
    l = select(settled, l, l - step);
    settled = settled | (abs(step) < enough * l);
  }
  const T q = l * l - norm2;
  const T two_d = q * l - two_j;
  // The relative round-off of D is about epsilon (s0 / (s1 + s2))^2 / 8: where it is accepted, at most about 30
  // epsilon.
  const MaskOf<T> known = settled & (two_d > splat<T>(0.15) * (norm2 * l));
  const T rough = rough_reciprocal(two_d);  // and a Newton step for 1/a
  return {norm2, l, splat<T>(0.5) * q, (rough + rough) * (splat<T>(2) - two_d * rough), known};
}

// Overwrites the lanes that are not `known`. F = 0, as in lanes without an element, has a constant R = 1.
template <class T>
SINEW_OUT_OF_LINE void mend_polar(const Mat3<T>& f, const MaskOf<T>& known, Polar<T>& polar) {
  const T one = splat<T>(1);
  const MaskOf<T> filled = contract(f, f) > T{};
  polar.rotation = select(filled, polar.rotation, diagonal(one, one, one));
  polar.twist_compliance = select(filled, polar.twist_compliance, Sym3<T>{});
  const MaskOf<T> done = known | !filled;
  if (every_lane(done)) return;
  const Polar<T> robust = robust_polar_decomposition(f);
  polar.rotation = select(done, polar.rotation, robust.rotation);
  polar.twist_compliance = select(done, polar.twist_compliance, robust.twist_compliance);
}

template <class T>
SINEW_INLINE Polar<T> polar_decomposition(Mat3<T> f) {
  const Mat3<T> cof = cofactor(f);
  const StretchInvariants<T> s = stretch_invariants(stretch_equation(f));
  const Sym3<T> gram{dot(f.c0, f.c0), dot(f.c0, f.c1), dot(f.c0, f.c2),
                     dot(f.c1, f.c1), dot(f.c1, f.c2), dot(f.c2, f.c2)};
  const auto column = [&](Vec3<T> cof_g, Vec3<T> f_g, Vec3<T> gram_g) {
    return s.inverse_d * (s.i1 * cof_g + (s.i1 * s.i1 - s.i2) * f_g - f * gram_g);
  };
  const Mat3<T> r{column(cof.c0, f.c0, {gram.xx, gram.xy, gram.xz}), column(cof.c1, f.c1, {gram.xy, gram.yy, gram.yz}),
                  column(cof.c2, f.c2, {gram.xz, gram.yz, gram.zz})};
  // Orthogonal to round-off by a Newton-Schulz step, R (3 - R^T R) / 2.
  Sym3<T> correction = splat<T>(-0.5) * Sym3<T>{dot(r.c0, r.c0), dot(r.c0, r.c1), dot(r.c0, r.c2),
                                                dot(r.c1, r.c1), dot(r.c1, r.c2), dot(r.c2, r.c2)};
  add_identity(correction, splat<T>(1.5));
  Sym3<T> compliance = gram;
  add_identity(compliance, s.i2);
  Polar<T> polar{{r * Vec3<T>{correction.xx, correction.xy, correction.xz},
                  r * Vec3<T>{correction.xy, correction.yy, correction.yz},
                  r * Vec3<T>{correction.xz, correction.yz, correction.zz}},
                 s.inverse_d * compliance};
  if (!every_lane(s.known)) [[unlikely]] {
    // Copies: arguments passed by reference must be in memory, which must not slow down the usual path without the
    // call.
    const Mat3<T> f_copy = f;
    const MaskOf<T> known = s.known;
    Polar<T> mended = polar;
    mend_polar(f_copy, known, mended);
    polar = mended;
  }
  return polar;
}

// A rest gradient g that rotates with the element, a = R g, and its derivative with respect to the vertex, which adds
// dx g^T to F. That is M (tr(S) 1 - S)^-1 M^T with M = R [e_x x g, e_y x g, e_z x g], in terms that are cheaper to sum
// over elements than to assemble:  a v^T + v a^T + gram_part gram + identity 1.
template <class T>
struct RotatedGradient {
  Vec3<T> value, v;
  T gram_part, identity;
  Sym3<T> gram;
};

// Valid in the lanes where `s` is known, undefined in the others. g: a vector or a direction; c = cof(F) g. The
// derivative is multiplied by `factor`.
template <class T, class Gradient>
SINEW_INLINE RotatedGradient<T> rotated_gradient(Mat3<T> f, Gradient g, Vec3<T> c, T factor, const Sym3<T>& gram,
                                                 const StretchInvariants<T>& s) {
  const Vec3<T> fg = f * g;
  const T mixed = s.norm2 + s.i2;  // I1^2 - I2
  const Vec3<T> a = s.inverse_d * (s.i1 * c + mixed * fg - gram * fg);
  // In world coordinates M C M^T is [a]x^T (B + I2 1) [a]x / D, B = F F^T. Expanded, with B a = c + I1 F g - I2 a
  // (Cayley-Hamilton for S) and a.B a = |F g|^2:
  const T g2 = norm_squared_as<T>(g), k = factor * s.inverse_d;
  const Vec3<T> v = k * (c + s.i1 * fg - (s.i2 + splat<T>(0.5) * mixed) * a);
  return {a, v, -k * g2, k * (mixed * g2 - dot(fg, fg)), gram};
}

// Overwrites the lanes that are not `known`.
template <class T>
SINEW_INLINE void mend_rotated_gradient(const Mat3<T>& f, Vec3<T> g, T factor, const MaskOf<T>& known,
                                        RotatedGradient<T>& rotated) {
  Polar<T> polar{};
  mend_polar(f, known, polar);
  // M C M^T by columns of M^T: row a of M is the a-th row of R times the rotations of g.
  const Mat3<T> m = transpose(polar.rotation * rotations_of(g));
  const Sym3<T> compliance = factor * polar.twist_compliance;
  const Vec3<T> cx = compliance * m.c0, cy = compliance * m.c1, cz = compliance * m.c2;
  const Sym3<T> derivative{dot(m.c0, cx), dot(m.c0, cy), dot(m.c0, cz), dot(m.c1, cy), dot(m.c1, cz), dot(m.c2, cz)};
  rotated.value = select(known, rotated.value, polar.rotation * g);
  rotated.v = select(known, rotated.v, Vec3<T>{});
  rotated.gram_part = select(known, rotated.gram_part, splat<T>(1));
  rotated.identity = select(known, rotated.identity, T{});
  rotated.gram = select(known, rotated.gram, derivative);
}

}  // namespace sinew
