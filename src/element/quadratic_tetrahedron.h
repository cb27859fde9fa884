// The quadratic tetrahedron (P2) with straight edges at rest: nodes 0-3 at the corners, 4-9 at the middles of the edges
// 01 02 03 12 13 23, and four points of integration, which do not lock in bending.
//   N_a = L_a (2 L_a - 1),   N_ab = 4 L_a L_b,   F_q = sum_i x_i (x) g_i^q,   J_q = det F_q
// A point q of weight V/4 has L_q = 0.585... and the other L_a = 0.138... Nor does it lock where the volume hardly
// changes: the material at the points has a Poisson ratio of at most 1/3, and the rest of lambda acts on the mean of
// the J_q alone,
//   V psi = sum_q V/4 psi_p(F_q) + V lambda_m/2 (Jm - 1)^2,   lambda_p = min(lambda, 2 mu),  lambda_m = lambda -
//   lambda_p.
// Up to a ratio of 1/3 that is the plain quadratic tetrahedron. Of linear elasticity J is its linear part, 1 + tr(F -
// 1).
#pragma once

#include "element/solid_element.h"
#include "element/tet_rest.h"
#include "math/gradient.h"
#include "math/lane.h"
#include "math/vec.h"

namespace sinew {

struct QuadraticTetrahedron {
  static constexpr ElementTraits traits = {.name = "quadratic tetrahedron", .corners = 4, .nodes = 10, .dimension = 3};
  static constexpr int points = 4;
  static constexpr double near = 0.58541019662496845446, far = 0.13819660112501051518;  // L_q and the others at point q
  static constexpr double at_point(int q, int a) { return q == a ? near : far; }
  // Shares of the mass, lumped so that all are positive (Hinton, Rock & Zienkiewicz 1976).
  static constexpr double corner_mass = 1.0 / 36, middle_mass = 4.0 / 27;
  // The corners at the first and the other end of the edge of node 4 + k. A table would not be there on a GPU.
  static SINEW_INLINE constexpr int end(int k, int which) {
    if (which == 0) return k < 3 ? 0 : k < 5 ? 1 : 2;
    return k < 3 ? k + 1 : k < 5 ? k - 1 : 3;
  }

  // Of its corners.
  template <class T>
  static SINEW_INLINE RestShape<T> rest(const Vec3<T>* x) {
    return tet_rest_shape(x[1] - x[0], x[2] - x[0], x[3] - x[0]);
  }
};

// lambda of the points and of the mean J [Pa].
struct SplitBulk {
  double points, mean;
  static SplitBulk of(double mu, double lambda) {
    const double points = lambda < 2 * mu ? lambda : 2 * mu;
    return {points, lambda - points};
  }
};

// What J is of a material, and its derivative by a node's position at a point of gradient g.
template <class T, bool rotation_invariant>
struct PointVolume {
  static SINEW_INLINE T j(const Mat3<T>& f) {
    if constexpr (rotation_invariant) return determinant(f);
    return (f.c0.x + f.c1.y + f.c2.z) - splat<T>(2);
  }
  static SINEW_INLINE Mat3<T> derivative(const Mat3<T>& f) {
    if constexpr (rotation_invariant) return cofactor(f);
    const T one = splat<T>(1);
    return {{one, T{}, T{}}, {T{}, one, T{}}, {T{}, T{}, one}};
  }
};

// x: the ten nodes. Gradients of the barycentric coordinates, `corner` [1/m], give those of all nodes at a point.
template <class T>
SINEW_INLINE void node_gradients(const Vec3<T>* corner, int q, Vec3<T>* g) {
  for (int a = 0; a < 4; ++a) g[a] = splat<T>(4 * QuadraticTetrahedron::at_point(q, a) - 1) * corner[a];
  for (int k = 0; k < 6; ++k) {
    const int a = QuadraticTetrahedron::end(k, 0), b = QuadraticTetrahedron::end(k, 1);
    g[4 + k] = splat<T>(4 * QuadraticTetrahedron::at_point(q, b)) * corner[a] +
               splat<T>(4 * QuadraticTetrahedron::at_point(q, a)) * corner[b];
  }
}

// F at the four points, of nodes at x relative to some point; `corner` as above.
//   F_q = sum_a C_a^q (x) grad L_a,   C_a^q = far sum_b M_ab + (near - far) M_aq,   M_aa = 3 x_a, M_ab = 4 m_ab - x_a
template <class T>
struct PointGradients {
  Mat3<T> at[QuadraticTetrahedron::points];

  static SINEW_INLINE PointGradients of(const Vec3<T>* x, const Vec3<T>* corner) {
    const T three = splat<T>(3), four = splat<T>(4);
    const T far = splat<T>(QuadraticTetrahedron::far);
    const T difference = splat<T>(QuadraticTetrahedron::near - QuadraticTetrahedron::far);
    Vec3<T> m[4][4], mean[4];
    for (int a = 0; a < 4; ++a) m[a][a] = three * x[a];
    for (int k = 0; k < 6; ++k) {
      const int a = QuadraticTetrahedron::end(k, 0), b = QuadraticTetrahedron::end(k, 1);
      const Vec3<T> middle = four * x[4 + k];
      m[a][b] = middle - x[a];
      m[b][a] = middle - x[b];
    }
    for (int a = 0; a < 4; ++a) mean[a] = far * ((m[a][0] + m[a][1]) + (m[a][2] + m[a][3]));
    PointGradients f;
    for (int q = 0; q < 4; ++q) {
      const Vec3<T> first = mean[0] + difference * m[0][q];
      f.at[q] = outer((mean[1] + difference * m[1][q]) - first, corner[1]);
      for (int a = 2; a < 4; ++a) f.at[q] = f.at[q] + outer((mean[a] + difference * m[a][q]) - first, corner[a]);
    }
    return f;
  }
};

}  // namespace sinew
