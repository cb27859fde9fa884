// Tets that are embedded in a grid, as the rules of sweeps by constraint see them: by their edges e_j = x_j - x_0, on
// which alone constraints depend. As the impulses of a constraint sum to 0, three of them say all, and
//   e_j += sum_k A_jk impulse_k,   A_jk = M_jk - M_j0 - M_0k + M_00,   j, k = 1, 2, 3,
// with the mobility M of corners (embedded_kernel.h), has fewer numbers than M.
#pragma once

#include "element/tet_frame.h"
#include "math/lane.h"
#include "math/vec.h"
#include "solver/by_constraint/constraint_kernel.h"

namespace sinew::constraint_kernel {

inline constexpr int pairs_of_edges = 6;  // each once: (0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)
constexpr int place_of_pair(int j, int k) {
  return j <= k ? j * (5 - j) / 2 + k : place_of_pair(k, j);
}

// Number: T, or Sym3<T> where nodes glide.
template <class T, class Number>
struct EmbeddedEdges {
  Vec3<T> edge[3];
  Number mobility[pairs_of_edges];  // A [1/kg]
  Vec3<T> impulse[3];               // what was applied to the corners other than the first

  SINEW_INLINE const Number& between(int j, int k) const { return mobility[place_of_pair(j, k)]; }
  // sum_k A_jk a_k
  SINEW_INLINE Vec3<T> times(int j, const Vec3<T>& a, const Vec3<T>& b, const Vec3<T>& c) const {
    return (between(j, 0) * a + between(j, 1) * b) + between(j, 2) * c;
  }
};

template <class T, class Number>
SINEW_INLINE Edges<T> edges_of(const EmbeddedEdges<T, Number>& x) {
  return {x.edge[0], x.edge[1], x.edge[2]};
}

template <class T, class Number>
SINEW_INLINE T weighted_square(const Vec3<T> (&g)[4], const EmbeddedEdges<T, Number>& x) {
  return (dot(g[1], x.times(0, g[1], g[2], g[3])) + dot(g[2], x.times(1, g[1], g[2], g[3]))) +
         dot(g[3], x.times(2, g[1], g[2], g[3]));
}

// At least the A_jk that nodes would have that are free: of A for nodes that lack a direction, half the trace.
template <class T>
SINEW_INLINE T free_mobility(T m) {
  return m;
}
template <class T>
SINEW_INLINE T free_mobility(const Sym3<T>& m) {
  return splat<T>(0.5) * (m.xx + m.yy + m.zz);
}

// sum_jk M_jk g_j . g_k. It and the next only bound the steps of a solve, so that free_mobility will do.
template <class T, class Number>
SINEW_INLINE T weighted_gradient_square(const AlignedTetFrame<T>& f, const EmbeddedEdges<T, Number>& x) {
  const T rx = f.px + f.qx, y = f.qy * f.qy;  // of r, -
  const T pp = f.px * f.px + f.pz * f.pz, qq = f.qx * f.qx + y + f.qz * f.qz, rr = rx * rx + y + f.rz * f.rz;
  const T pq = f.px * f.qx + f.pz * f.qz, pr = f.pz * f.rz - f.px * rx, qr = f.qz * f.rz - f.qx * rx - y;
  const auto m = [&](int j, int k) SINEW_INLINE_LAMBDA { return free_mobility(x.between(j, k)); };
  return ((m(0, 0) * pp + m(1, 1) * qq) + m(2, 2) * rr) + splat<T>(2) * ((m(0, 1) * pq + m(0, 2) * pr) + m(1, 2) * qr);
}
// sum_jk M_jk g_j g_k^T
template <class T, class Number>
SINEW_INLINE Sym3<T> weighted_gram(const AlignedTetFrame<T>& f, const EmbeddedEdges<T, Number>& x) {
  const Vec3<T> g[3] = {{f.px, T{}, f.pz}, {f.qx, f.qy, f.qz}, {-(f.px + f.qx), -f.qy, f.rz}};
  Sym3<T> sum{};
#pragma GCC unroll 3
  for (int j = 0; j < 3; ++j) {
    add_outer(sum, free_mobility(x.between(j, j)), g[j]);
#pragma GCC unroll 3
    for (int k = j + 1; k < 3; ++k) add_symmetric_product(sum, free_mobility(x.between(j, k)) * g[j], g[k]);
  }
  return sum;
}

template <class T, class Number>
SINEW_INLINE void move_edges(EmbeddedEdges<T, Number>& x, const Vec3<T> (&impulse)[4]) {
#pragma GCC unroll 3
  for (int j = 0; j < 3; ++j) {
    x.edge[j] += x.times(j, impulse[1], impulse[2], impulse[3]);
    x.impulse[j] += impulse[j + 1];
  }
}
// Out of line where it is long and rare, which halves the time to compile these sweeps.
template <class T>
SINEW_OUT_OF_LINE void move(EmbeddedEdges<T, Sym3<T>>& x, const Vec3<T> (&impulse)[4]) {
  move_edges(x, impulse);
}
template <class T>
SINEW_INLINE void move(EmbeddedEdges<T, T>& x, const Vec3<T> (&impulse)[4]) {
  move_edges(x, impulse);
}
template <class T, class Number>
SINEW_INLINE void move(EmbeddedEdges<T, Number>& x, T t, const Vec3<T> (&g)[4]) {
  const Vec3<T> impulse[4] = {Vec3<T>{}, t * g[1], t * g[2], t * g[3]};
  move(x, impulse);
}

}  // namespace sinew::constraint_kernel
