// The corners of tets that are embedded in a grid, for the rules of sweeps by constraint. An impulse on a corner moves
// the nodes around it, and with them the other corners,
//   x_j += sum_k M_jk impulse_k,   M_jk = sum_i w_ij w_ik W_i,
// where W_i is the inverse mass of a node, as a matrix if the node glides. So all constraints of a tet are projected
// with M in place of inverse masses, and its nodes are visited twice only: to read and to write.
#pragma once

#include "element/tet_frame.h"
#include "math/lane.h"
#include "math/vec.h"
#include "solver/by_constraint/constraint_kernel.h"

namespace sinew::constraint_kernel {

// Of the symmetric M_jk, j <= k.
constexpr int place_of_pair(int j, int k) {
  return j <= k ? j * (7 - j) / 2 + k : place_of_pair(k, j);
}

// Number: T, or Sym3<T> where nodes glide.
template <class T, class Number>
struct EmbeddedCorners {
  Vec3<T> xyz[4];
  Number mobility[pairs_of_corners];
  Vec3<T> impulse[4];  // what was applied

  SINEW_INLINE const Number& between(int j, int k) const { return mobility[place_of_pair(j, k)]; }
  // sum_k M_jk a_k
  SINEW_INLINE Vec3<T> times(int j, const Vec3<T> (&a)[4]) const {
    return (between(j, 0) * a[0] + between(j, 1) * a[1]) + (between(j, 2) * a[2] + between(j, 3) * a[3]);
  }
};

template <class T, class Number>
SINEW_INLINE Edges<T> edges_of(const EmbeddedCorners<T, Number>& x) {
  return {x.xyz[1] - x.xyz[0], x.xyz[2] - x.xyz[0], x.xyz[3] - x.xyz[0]};
}

template <class T, class Number>
SINEW_INLINE T weighted_square(const Vec3<T> (&g)[4], const EmbeddedCorners<T, Number>& x) {
  return (dot(g[0], x.times(0, g)) + dot(g[1], x.times(1, g))) + (dot(g[2], x.times(2, g)) + dot(g[3], x.times(3, g)));
}

template <class T>
SINEW_INLINE CornerVectors<T> gradients_of(const AlignedTetFrame<T>& frame) {
  const T one = splat<T>(1);
  return frame.times_gradients(Mat3<T>{{one, T{}, T{}}, {T{}, one, T{}}, {T{}, T{}, one}});
}

template <class T, class Number>
SINEW_INLINE T weighted_gradient_square(const AlignedTetFrame<T>& frame, const EmbeddedCorners<T, Number>& x) {
  const Sym3<T> gram = weighted_gram(frame, x);
  return gram.xx + gram.yy + gram.zz;
}

// At least the M_jk that nodes would have that are free: of M for nodes that lack a direction, half the trace.
template <class T>
SINEW_INLINE T free_mobility(T m) {
  return m;
}
template <class T>
SINEW_INLINE T free_mobility(const Sym3<T>& m) {
  return splat<T>(0.5) * (m.xx + m.yy + m.zz);
}

// sum_jk M_jk g_j g_k^T. It only bounds the steps of a solve, so that free_mobility will do.
template <class T, class Number>
SINEW_INLINE Sym3<T> weighted_gram(const AlignedTetFrame<T>& frame, const EmbeddedCorners<T, Number>& x) {
  const CornerVectors<T> g = gradients_of(frame);
  Sym3<T> sum{};
  for (int j = 0; j < 4; ++j) {
    add_outer(sum, free_mobility(x.between(j, j)), g.at[j]);
    for (int k = j + 1; k < 4; ++k) {
      const T m = free_mobility(x.between(j, k));
      const Vec3<T> a = g.at[j], b = g.at[k];
      sum.xx += m * (a.x * b.x + a.x * b.x);
      sum.xy += m * (a.x * b.y + a.y * b.x);
      sum.xz += m * (a.x * b.z + a.z * b.x);
      sum.yy += m * (a.y * b.y + a.y * b.y);
      sum.yz += m * (a.y * b.z + a.z * b.y);
      sum.zz += m * (a.z * b.z + a.z * b.z);
    }
  }
  return sum;
}

template <class T, class Number>
SINEW_INLINE void move(EmbeddedCorners<T, Number>& x, const Vec3<T> (&impulse)[4]) {
  for (int j = 0; j < 4; ++j) {
    x.xyz[j] += x.times(j, impulse);
    x.impulse[j] += impulse[j];
  }
}
template <class T, class Number>
SINEW_INLINE void move(EmbeddedCorners<T, Number>& x, T t, const Vec3<T> (&g)[4]) {
  const Vec3<T> impulse[4] = {t * g[0], t * g[1], t * g[2], t * g[3]};
  move(x, impulse);
}

}  // namespace sinew::constraint_kernel
