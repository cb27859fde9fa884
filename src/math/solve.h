// Solves with symmetric 3x3 matrices by the adjugate, over any lane type.
#pragma once

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

// x = A^-1 b where |det A| > tolerance |A|_F^3, and 0 elsewhere: a test without units (Chen et al. 2024, section 3.2,
// skip a vertex whose determinant is at most an absolute epsilon, which depends on the units of the scene).
// A may be indefinite.
template <class T>
SINEW_INLINE Vec3<T> solve_or_skip(Sym3<T> a, Vec3<T> b, double tolerance) {
  // Scaled by the sum of its entries first: |A|^2 and |A|^3 may lie outside the range of single precision.
  const T two = splat<T>(2), zero = splat<T>(0), one = splat<T>(1);
  const T size = abs(a.xx) + abs(a.yy) + abs(a.zz) + two * (abs(a.xy) + abs(a.xz) + abs(a.yz));
  const T usable_size = select(size > zero, size, one);
  const T inverse_size = one / usable_size;
  const Sym3<T> scaled = inverse_size * a;
  const Sym3<T> adj = adjugate(scaled);
  const T det = determinant(scaled, adj);
  const T norm2 = frobenius_squared(scaled);
  const auto regular = det * det > splat<T>(tolerance * tolerance) * (norm2 * norm2 * norm2);
  return select(regular, inverse_size / det, zero) * (adj * b);
}

}  // namespace sinew
