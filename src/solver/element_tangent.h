// The stiffness matrix of one element,
//   K_ij[a, b] = V sum_ce H[(a, c), (b, e)] g_i[c] g_j[e],   H = d2 psi / dF2,
// exact, or with H projected to positive semi-definite: negative eigenvalues become zero.
//
// In the frame of the signed SVD F = U diag(s) V^T the tangent of an isotropic material splits into a symmetric 3x3
// matrix (scaling) and six single modes (twists and flips). Its eigenvalues therefore need no 9x9 eigen-solve (Smith,
// de Goes & Kim 2019, "Analytic eigensystems for isotropic distortion energies"; Kim & Eberle 2022, section 7).
#pragma once

#include <cmath>

#include "element/strain_rate.h"
#include "material/material.h"
#include "math/eigen3.h"
#include "math/svd.h"
#include "model/rest_shape.h"

namespace sinew {

enum class Tangent { exact, projected };

// The blocks (i, j), i >= j, of an element's corners, or of all its nodes.
inline constexpr int corner_pairs_of(int corners) {
  return corners * (corners + 1) / 2;
}
inline constexpr int most_corner_pairs = corner_pairs_of(most_corners);
inline constexpr int most_node_pairs = corner_pairs_of(most_nodes);
constexpr int corner_pair(int i, int j) {
  return i * (i + 1) / 2 + j;
}

struct ElementStiffness {
  Mat3d block[most_corner_pairs];  // K_ij at corner_pair(i, j) [N/m]
  bool clamped = false;            // whether the projection changed anything
};

// A point of an element: the gradients of its nodes there [1/m], and its volume [m^3].
struct ElementPoint {
  const Vec3d* gradient;
  int nodes;
  double volume;
};

// Sets negative eigenvalues to zero; returns whether there were any.
inline bool clamp_to_positive(PrincipalTangent<double>& t) {
  bool clamped = false;
  for (double* value : {&t.twist.x, &t.twist.y, &t.twist.z, &t.flip.x, &t.flip.y, &t.flip.z}) {
    if (*value < 0) {
      *value = 0;
      clamped = true;
    }
  }
  const Eigen3 e = eigen_decomposition(t.scaling);
  if (e.values.x < 0) {
    t.scaling = {};
    add_outer(t.scaling, std::fmax(e.values.x, 0), e.vectors.c0);
    add_outer(t.scaling, std::fmax(e.values.y, 0), e.vectors.c1);
    add_outer(t.scaling, std::fmax(e.values.z, 0), e.vectors.c2);
    clamped = true;
  }
  return clamped;
}

// Adds U K U^T to every block, with K from the tangent and the gradients in the principal frame.
inline void add_principal_stiffness(const PrincipalTangent<double>& t, const SignedSvd& svd, const ElementPoint& point,
                                    Mat3d* block) {
  // For a pair of axes (a, c) the tangent couples D_ac with itself by `own` and with D_ca by `swapped`.
  const Vec3d own = 0.5 * (t.twist + t.flip), swapped = 0.5 * (t.flip - t.twist);
  const Sym3<double>& s = t.scaling;
  const Mat3d vt = transpose(svd.v), ut = transpose(svd.u);
  Vec3d g[most_nodes];
  for (int i = 0; i < point.nodes; ++i) g[i] = vt * point.gradient[i];
  for (int i = 0; i < point.nodes; ++i) {
    for (int j = 0; j <= i; ++j) {
      const Vec3d p = g[i], q = point.volume * g[j];
      const double xx = p.x * q.x, yy = p.y * q.y, zz = p.z * q.z;
      const Mat3d m{{s.xx * xx + own.z * yy + own.y * zz, s.xy * p.y * q.x + swapped.z * p.x * q.y,
                     s.xz * p.z * q.x + swapped.y * p.x * q.z},
                    {s.xy * p.x * q.y + swapped.z * p.y * q.x, s.yy * yy + own.z * xx + own.x * zz,
                     s.yz * p.z * q.y + swapped.x * p.y * q.z},
                    {s.xz * p.x * q.z + swapped.y * p.z * q.x, s.yz * p.y * q.z + swapped.x * p.z * q.y,
                     s.zz * zz + own.y * xx + own.x * yy}};
      Mat3d& sum = block[corner_pair(i, j)];
      sum = sum + svd.u * m * ut;
    }
  }
}

// From the derivative of the stress, for materials whose tangent is positive semi-definite anyway.
template <class Material>
void add_differential_stiffness(const Material& material, Mat3d f, const ElementPoint& point, Mat3d* block) {
  const Vec3d axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int j = 0; j < point.nodes; ++j) {
    Mat3d dp[3];
    for (int b = 0; b < 3; ++b)
      dp[b] = material.stress_differential(f, outer(axes[b], point.volume * point.gradient[j]));
    for (int i = j; i < point.nodes; ++i) {
      const Vec3d g = point.gradient[i];
      Mat3d& sum = block[corner_pair(i, j)];
      sum = sum + Mat3d{dp[0] * g, dp[1] * g, dp[2] * g};
    }
  }
}

// Adds the stiffness at a point, with `pressure` [Pa] of more on J than the material has; returns whether the
// projection changed anything.
template <class Material>
bool add_point_stiffness(const Material& material, Mat3d f, double pressure, const ElementPoint& point, Tangent tangent,
                         Mat3d* block) {
  if constexpr (requires { material.principal(Vec3d{}); }) {
    const SignedSvd svd = signed_svd(f);
    PrincipalTangent<double> t = material.principal(svd.s);
    if (pressure != 0) add_volume_term(t, svd.s, 0.0, pressure);
    const bool clamped = tangent == Tangent::projected && clamp_to_positive(t);
    add_principal_stiffness(t, svd, point, block);
    return clamped;
  } else {
    static_assert(!Material::rotation_invariant, "J has a second derivative");
    add_differential_stiffness(material, f, point, block);
    return false;
  }
}

template <class Material>
ElementStiffness element_stiffness(const Material& material, Mat3d f, const ElementShape& shape, Tangent tangent) {
  ElementStiffness k{};
  k.clamped = add_point_stiffness(material, f, 0.0, {shape.gradient, shape.corners, shape.volume}, tangent, k.block);
  return k;
}

// Adds the stiffness of damping by the rate of strain.
inline void add_strain_rate(const StrainRate<double>& viscous, const ElementPoint& point, Mat3d* block) {
  for (int i = 0; i < point.nodes; ++i) {
    for (int j = 0; j <= i; ++j) {
      Mat3d& sum = block[corner_pair(i, j)];
      sum = sum + point.volume * viscous.pair_stiffness(point.gradient[i], point.gradient[j]);
    }
  }
}

}  // namespace sinew
