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

// The blocks (i, j), i >= j, of an element's corners.
inline constexpr int corner_pairs_of(int corners) {
  return corners * (corners + 1) / 2;
}
inline constexpr int most_corner_pairs = corner_pairs_of(most_corners);
constexpr int corner_pair(int i, int j) {
  return i * (i + 1) / 2 + j;
}

struct ElementStiffness {
  Mat3d block[most_corner_pairs];  // K_ij at corner_pair(i, j) [N/m]
  bool clamped = false;            // whether the projection changed anything
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

// Writes U K U^T to every block, with K from the tangent and the gradients in the principal frame.
inline void principal_stiffness(const PrincipalTangent<double>& t, const SignedSvd& svd, const ElementShape& shape,
                                ElementStiffness& k) {
  // For a pair of axes (a, c) the tangent couples D_ac with itself by `own` and with D_ca by `swapped`.
  const Vec3d own = 0.5 * (t.twist + t.flip), swapped = 0.5 * (t.flip - t.twist);
  const Sym3<double>& s = t.scaling;
  const Mat3d vt = transpose(svd.v), ut = transpose(svd.u);
  Vec3d g[most_corners];
  for (int i = 0; i < shape.corners; ++i) g[i] = vt * shape.gradient[i];
  for (int i = 0; i < shape.corners; ++i) {
    for (int j = 0; j <= i; ++j) {
      const Vec3d p = g[i], q = shape.volume * g[j];
      const double xx = p.x * q.x, yy = p.y * q.y, zz = p.z * q.z;
      const Mat3d m{{s.xx * xx + own.z * yy + own.y * zz, s.xy * p.y * q.x + swapped.z * p.x * q.y,
                     s.xz * p.z * q.x + swapped.y * p.x * q.z},
                    {s.xy * p.x * q.y + swapped.z * p.y * q.x, s.yy * yy + own.z * xx + own.x * zz,
                     s.yz * p.z * q.y + swapped.x * p.y * q.z},
                    {s.xz * p.x * q.z + swapped.y * p.z * q.x, s.yz * p.y * q.z + swapped.x * p.z * q.y,
                     s.zz * zz + own.y * xx + own.x * yy}};
      k.block[corner_pair(i, j)] = svd.u * m * ut;
    }
  }
}

// From the derivative of the stress, for materials whose tangent is positive semi-definite anyway.
template <class Material>
void differential_stiffness(const Material& material, Mat3d f, const ElementShape& shape, ElementStiffness& k) {
  const Vec3d axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int j = 0; j < shape.corners; ++j) {
    Mat3d dp[3];
    for (int b = 0; b < 3; ++b)
      dp[b] = material.stress_differential(f, outer(axes[b], shape.volume * shape.gradient[j]));
    for (int i = j; i < shape.corners; ++i) {
      const Vec3d g = shape.gradient[i];
      k.block[corner_pair(i, j)] = {dp[0] * g, dp[1] * g, dp[2] * g};
    }
  }
}

template <class Material>
ElementStiffness element_stiffness(const Material& material, Mat3d f, const ElementShape& shape, Tangent tangent) {
  ElementStiffness k;
  if constexpr (requires { material.principal(Vec3d{}); }) {
    const SignedSvd svd = signed_svd(f);
    PrincipalTangent<double> t = material.principal(svd.s);
    if (tangent == Tangent::projected) k.clamped = clamp_to_positive(t);
    principal_stiffness(t, svd, shape, k);
  } else {
    differential_stiffness(material, f, shape, k);
  }
  return k;
}

// Adds the stiffness of damping by the rate of strain.
inline void add_strain_rate(const StrainRate<double>& viscous, const ElementShape& shape, ElementStiffness& k) {
  for (int i = 0; i < shape.corners; ++i) {
    for (int j = 0; j <= i; ++j) {
      Mat3d& block = k.block[corner_pair(i, j)];
      block = block + shape.volume * viscous.pair_stiffness(shape.gradient[i], shape.gradient[j]);
    }
  }
}

}  // namespace sinew
