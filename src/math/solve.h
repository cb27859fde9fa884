// Solves with symmetric 3x3 matrices, over any lane type.
#pragma once

#include <limits>

#include "math/lane.h"
#include "math/vec.h"

namespace sinew {

template <class T>
SINEW_INLINE Sym3<T> adjugate(Sym3<T> a) {
  return {a.yy * a.zz - a.yz * a.yz, a.xz * a.yz - a.xy * a.zz, a.xy * a.yz - a.xz * a.yy,
          a.xx * a.zz - a.xz * a.xz, a.xy * a.xz - a.xx * a.yz, a.xx * a.yy - a.xy * a.xy};
}
template <class T>
SINEW_INLINE T determinant(Sym3<T> a, Sym3<T> adj) {
  return a.xx * adj.xx + a.xy * adj.xy + a.xz * adj.xz;
}

// The sum of the magnitudes of the entries; 1 for a zero matrix. For scaling: |A|^2 and |A|^3 may lie outside the range
// of single precision.
template <class T>
SINEW_INLINE T usable_size(Sym3<T> a) {
  const T size = abs(a.xx) + abs(a.yy) + abs(a.zz) + splat<T>(2) * (abs(a.xy) + abs(a.xz) + abs(a.yz));
  return select(size > splat<T>(0), size, splat<T>(1));
}

// x = A^-1 b where |det A| > tolerance |A|_F^3, and 0 elsewhere: a dimensionless test (Chen et al. 2024, VBD, section
// 3.2, skip a vertex whose determinant is below an absolute epsilon, which depends on the units of the scene). A may be
// indefinite.
template <class T>
SINEW_INLINE Vec3<T> solve_or_skip(Sym3<T> a, Vec3<T> b, double tolerance) {
  const T zero = splat<T>(0), one = splat<T>(1);
  const T inverse_size = one / usable_size(a);
  const Sym3<T> scaled = inverse_size * a;
  const Sym3<T> adj = adjugate(scaled);
  const T det = determinant(scaled, adj);
  const T norm2 = frobenius_squared(scaled);
  const auto regular = det * det > splat<T>(tolerance * tolerance) * (norm2 * norm2 * norm2);
  return select(regular, inverse_size / det, zero) * (adj * b);
}

// A^-1 b for a positive semidefinite A, which may be far stiffer in one direction than in another, by elimination (A =
// L D L^T, the largest pivot first): unlike the adjugate it stays accurate in the soft directions. A negative pivot is
// replaced by its magnitude, and one lost to rounding by `least` times the size of the matrix, so that b x >= 0 always:
// a force that nothing resists moves the point, and without a force the point stays. 0 if A is 0.
template <class T>
SINEW_INLINE Vec3<T> solve_downhill(Sym3<T> a, Vec3<T> b, double least = 1e-3) {
  const T zero = splat<T>(0), one = splat<T>(1), rounding = splat<T>(16 * std::numeric_limits<ScalarOf<T>>::epsilon());
  const T largest = max(max(abs(a.xx), abs(a.yy)), abs(a.zz));
  const T inverse_size = one / usable_size(a);
  const Sym3<T> s = inverse_size * a;
  const auto inverse_pivot = [&](T d) { return one / select(abs(d) > rounding, abs(d), splat<T>(least)); };

  // The axes permuted cyclically so that the largest pivot is the first.
  const auto y_first = abs(s.yy) > abs(s.xx), z_first = abs(s.zz) > max(abs(s.xx), abs(s.yy));
  const auto turned = [&](T x, T y, T z) { return select(z_first, z, select(y_first, y, x)); };
  const T a12 = turned(s.xy, s.yz, s.xz), a13 = turned(s.xz, s.xy, s.yz), a23 = turned(s.yz, s.xz, s.xy);
  const T p = inverse_pivot(turned(s.xx, s.yy, s.zz)), l2 = a12 * p, l3 = a13 * p;
  const T b1 = turned(b.x, b.y, b.z), b2 = turned(b.y, b.z, b.x) - l2 * b1, b3 = turned(b.z, b.x, b.y) - l3 * b1;

  // The larger of the other two.
  const T d22 = turned(s.yy, s.zz, s.xx) - l2 * a12, d33 = turned(s.zz, s.xx, s.yy) - l3 * a13, d23 = a23 - l2 * a13;
  const auto swapped = abs(d33) > abs(d22);
  const T q = inverse_pivot(select(swapped, d33, d22)), l = d23 * q;
  const T r = inverse_pivot(select(swapped, d22, d33) - l * d23);
  const T c2 = select(swapped, b3, b2), c3 = select(swapped, b2, b3);
  const T y3 = r * (c3 - l * c2), y2 = q * c2 - l * y3;
  const T x2 = select(swapped, y3, y2), x3 = select(swapped, y2, y3), x1 = p * b1 - l2 * x2 - l3 * x3;

  const T scale = select(largest > zero, inverse_size, zero);
  return {scale * select(z_first, x2, select(y_first, x3, x1)), scale * select(z_first, x3, select(y_first, x1, x2)),
          scale * select(z_first, x1, select(y_first, x2, x3))};
}

}  // namespace sinew
