// Polar decomposition F = R S over lanes for every F: slow but robust, needed where s1 + s2 is small.
//
// The trace of S is the largest root of  l^4 - 2|F|^2 l^2 - 8 J l + |F|^4 - 4|cof F|^2  (the characteristic polynomial
// of Horn's quaternion matrix, 1987). From it, by Cayley-Hamilton for S with I1 = tr S, I2 = (I1^2 - |F|^2)/2, I3 = J:
//   R (I1 I2 - I3) = I1 cof F + (I1^2 - I2) F - F F^T F.
// Newton steps on the rotation, w = (tr(S) 1 - S)^-1 axial(R^T F), then remove the round-off of that formula. If s1 +
// s2 vanishes, the rotation is not unique, and one of them is returned.
#pragma once

#include "math/lane.h"
#include "math/solve.h"
#include "math/vec.h"

namespace sinew {

template <class T>
struct Polar {
  Mat3<T> rotation;          // R
  Sym3<T> twist_compliance;  // (tr(S) 1 - S)^-1: eigenvalues 1/(s_i + s_j), guarded against division by zero
};

// a / |a|, or `fallback` where |a|^2 <= least.
template <class T>
SINEW_INLINE Vec3<T> normalized_or(Vec3<T> a, Vec3<T> fallback, double least) {
  const T n2 = dot(a, a);
  const auto usable = n2 > splat<T>(least);
  const T inverse = splat<T>(1) / sqrt(select(usable, n2, splat<T>(1)));
  return {select(usable, inverse * a.x, fallback.x), select(usable, inverse * a.y, fallback.y),
          select(usable, inverse * a.z, fallback.z)};
}

// tr(S) 1 - S for the symmetric part S of R^T F, inverted; the smallest eigenvalue is kept above `floor`.
template <class T>
SINEW_INLINE Sym3<T> twist_compliance(Mat3<T> s, T floor) {
  const T half = splat<T>(0.5);
  Sym3<T> g{s.c1.y + s.c2.z, -half * (s.c1.x + s.c0.y), -half * (s.c2.x + s.c0.z),
            s.c0.x + s.c2.z, -half * (s.c2.y + s.c1.z), s.c0.x + s.c1.y};
  add_identity(g, floor);
  const Sym3<T> adj = adjugate(g);
  const T det = determinant(g, adj);
  const T least = floor * floor * floor;
  return (splat<T>(1) / select(abs(det) > least, det, least)) * adj;
}

template <class T>
SINEW_INLINE Polar<T> robust_polar_decomposition(Mat3<T> f) {
  constexpr bool single = sizeof(ScalarOf<T>) == 4;
  const T one = splat<T>(1), two = splat<T>(2), half = splat<T>(0.5);
  const Mat3<T> cof = cofactor(f);
  const T norm2 = contract(f, f);
  const T j = dot(f.c0, cof.c0);
  const T c0 = norm2 * norm2 - splat<T>(4) * contract(cof, cof);

  // Newton's method from above, sqrt(3)|F| >= tr S: monotone, quadratic unless s1 + s2 is nearly 0.
  T l = sqrt(splat<T>(3) * norm2) + splat<T>(single ? 1e-18 : 1e-150);
  for (int k = 0; k < (single ? 6 : 10); ++k) {
    const T l2 = l * l;
    const T p = (l2 - two * norm2) * l2 - splat<T>(8) * j * l + c0;
    const T dp = splat<T>(4) * (l2 - norm2) * l - splat<T>(8) * j;
    const auto usable = dp > splat<T>(0);
    l = l - select(usable, p, splat<T>(0)) / select(usable, dp, one);
  }

  const T i2 = half * (l * l - norm2);
  // m is R times a positive number, up to round-off; Gram-Schmidt makes it a rotation in any case. It is scaled first,
  // in two steps: its entries are cubic in F, and their squares would overflow.
  const T cubic = norm2 * l;
  const T shrink = one / select(cubic > splat<T>(single ? 1e-30 : 1e-300), cubic, one);
  const Mat3<T> m = (shrink * l) * cof + (shrink * (l * l - i2)) * f - (shrink * f) * (transpose(f) * f);
  const T largest = sqrt(contract(m, m));
  const T scale = one / select(largest > splat<T>(single ? 1e-15 : 1e-150), largest, one);
  const Vec3<T> ex{one, T{}, T{}}, ey{T{}, one, T{}}, ez{T{}, T{}, one};
  Mat3<T> r;
  r.c0 = normalized_or(scale * m.c0, ex, 1e-30);
  const Vec3<T> second = scale * m.c1;
  // Any direction perpendicular to c0, in case the second column is parallel to it.
  const auto along_x = abs(r.c0.x) > splat<T>(0.9);
  const Vec3<T> across{select(along_x, ey.x, ex.x), select(along_x, ey.y, ex.y), select(along_x, ey.z, ex.z)};
  const Vec3<T> spare = normalized_or(cross(r.c0, across), ez, 1e-30);
  // Twice: where the columns are nearly parallel, the first pass leaves round-off along c0.
  r.c1 = normalized_or(second - dot(second, r.c0) * r.c0, spare, single ? 1e-10 : 1e-28);
  r.c1 = normalized_or(r.c1 - dot(r.c1, r.c0) * r.c0, spare, 1e-30);
  r.c2 = cross(r.c0, r.c1);

  const T floor = splat<T>(single ? 1e-6 : 1e-12) * sqrt(norm2) + splat<T>(single ? 1e-12 : 1e-30);
  Sym3<T> compliance = twist_compliance(transpose(r) * f, floor);
  for (int k = 0; k < 2; ++k) {
    const Mat3<T> s = transpose(r) * f;
    const Vec3<T> axial{s.c1.z - s.c2.y, s.c2.x - s.c0.z, s.c0.y - s.c1.x};
    // Half the rotation vector, for a Cayley update: a rotation to round-off, whatever its size.
    Vec3<T> w = half * (compliance * axial);
    const T w2 = dot(w, w);
    const T limit = splat<T>(0.25);  // near a singular S the step is meaningless; keep it small
    const T shorten = select(w2 > limit, sqrt(limit / select(w2 > limit, w2, one)), one);
    w = shorten * w;
    const T t = two / (one + dot(w, w));
    const auto turn = [&](Vec3<T> a) { return a + t * (cross(w, a) + cross(w, cross(w, a))); };
    // R <- R cay(w): the update acts on the right, so it is applied to the rows of R^T ... = columns of cay.
    const Mat3<T> c{turn(ex), turn(ey), turn(ez)};
    r = r * c;
    compliance = twist_compliance(transpose(r) * f, floor);
  }
  return {r, compliance};
}

}  // namespace sinew
