// The stiffness matrix of one tetrahedron,
//   K_ij[a, b] = V sum_ce H[(a, c), (b, e)] g_i[c] g_j[e],   H = d2 psi / dF2,
// exact, or with H projected to positive semi-definite: negative eigenvalues become zero.
//
// In the frame of the signed SVD F = U diag(s) V^T the tangent of an isotropic material splits into a symmetric 3x3
// matrix (scaling) and six single modes (twists and flips). Its eigenvalues therefore need no 9x9 eigen-solve (Smith,
// de Goes & Kim 2019, "Analytic eigensystems for isotropic distortion energies"; Kim & Eberle 2022, section 7).
#pragma once

#include <cmath>

#include "element/strain_rate.h"
#include "element/tet.h"
#include "material/material.h"
#include "math/eigen3.h"
#include "math/svd.h"

namespace sinew {

enum class Tangent { exact, projected };

// The ten blocks (i, j), i >= j, of a tet's four corners.
inline constexpr int tet_block_count = 10;
constexpr int tet_block(int i, int j) {
  return i * (i + 1) / 2 + j;
}

struct TetStiffness {
  Mat3d block[tet_block_count];  // K_ij at tet_block(i, j) [N/m]
  bool clamped = false;          // whether the projection changed anything
};

// The rest shape of a tet.
struct TetGeometry {
  Vec3d gradient[4];  // rest gradients of all four corners [1/m]
  double volume;      // [m^3] times the stiffness factor: the weight of energies and stiffnesses
  bool plane;         // whether this is a triangle with its apex

  TetGeometry(Vec3d x0, Vec3d x1, Vec3d x2, Vec3d x3, double stiffness_factor = 1, bool is_plane = false)
      : plane(is_plane) {
    const TetRest rest = tet_rest(x1 - x0, x2 - x0, x3 - x0, plane);
    gradient[0] = -(rest.gradient[0] + rest.gradient[1] + rest.gradient[2]);
    for (int k = 0; k < 3; ++k) gradient[k + 1] = rest.gradient[k];
    volume = stiffness_factor * rest.volume;
  }
  Mat3d deformation_gradient(Vec3d x0, Vec3d x1, Vec3d x2, Vec3d x3) const {
    Mat3d f = outer(x1 - x0, gradient[1]) + outer(x2 - x0, gradient[2]) + outer(x3 - x0, gradient[3]);
    if (plane) f.c2 = {0, 0, 1};
    return f;
  }
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
inline void principal_stiffness(const PrincipalTangent<double>& t, const SignedSvd& svd, const TetGeometry& shape,
                                TetStiffness& k) {
  // For a pair of axes (a, c) the tangent couples D_ac with itself by `own` and with D_ca by `swapped`.
  const Vec3d own = 0.5 * (t.twist + t.flip), swapped = 0.5 * (t.flip - t.twist);
  const Sym3<double>& s = t.scaling;
  const Mat3d vt = transpose(svd.v), ut = transpose(svd.u);
  Vec3d g[4];
  for (int i = 0; i < 4; ++i) g[i] = vt * shape.gradient[i];
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j <= i; ++j) {
      const Vec3d p = g[i], q = shape.volume * g[j];
      const double xx = p.x * q.x, yy = p.y * q.y, zz = p.z * q.z;
      const Mat3d m{{s.xx * xx + own.z * yy + own.y * zz, s.xy * p.y * q.x + swapped.z * p.x * q.y,
                     s.xz * p.z * q.x + swapped.y * p.x * q.z},
                    {s.xy * p.x * q.y + swapped.z * p.y * q.x, s.yy * yy + own.z * xx + own.x * zz,
                     s.yz * p.z * q.y + swapped.x * p.y * q.z},
                    {s.xz * p.x * q.z + swapped.y * p.z * q.x, s.yz * p.y * q.z + swapped.x * p.z * q.y,
                     s.zz * zz + own.y * xx + own.x * yy}};
      k.block[tet_block(i, j)] = svd.u * m * ut;
    }
  }
}

// From the derivative of the stress, for materials whose tangent is positive semi-definite anyway.
template <class Material>
void differential_stiffness(const Material& material, Mat3d f, const TetGeometry& shape, TetStiffness& k) {
  const Vec3d axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int j = 0; j < 4; ++j) {
    Mat3d dp[3];
    for (int b = 0; b < 3; ++b)
      dp[b] = material.stress_differential(f, outer(axes[b], shape.volume * shape.gradient[j]));
    for (int i = j; i < 4; ++i) {
      const Vec3d g = shape.gradient[i];
      k.block[tet_block(i, j)] = {dp[0] * g, dp[1] * g, dp[2] * g};
    }
  }
}

template <class Material>
TetStiffness tet_stiffness(const Material& material, Mat3d f, const TetGeometry& shape, Tangent tangent) {
  TetStiffness k;
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
inline void add_strain_rate(const StrainRate<double>& viscous, const TetGeometry& shape, TetStiffness& k) {
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j <= i; ++j) {
      Mat3d& block = k.block[tet_block(i, j)];
      block = block + shape.volume * viscous.pair_stiffness(shape.gradient[i], shape.gradient[j]);
    }
  }
}

}  // namespace sinew
