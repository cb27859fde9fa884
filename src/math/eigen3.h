// Eigenvalues and eigenvectors of a symmetric 3x3 matrix in double precision, A = Q diag(w) Q^T, by cyclic Jacobi
// rotations (Golub & Van Loan, section 8.5): slower than closed forms, but accurate when eigenvalues nearly coincide.
// Unlike the symmetric QR algorithm it also computes small eigenvalues accurately.
#pragma once

#include <cmath>

#include "math/vec.h"

namespace sinew {

struct Eigen3 {
  Vec3d values;   // ascending
  Mat3d vectors;  // columns, orthonormal, det = +1
};

// The rotation (c, s) that diagonalizes [[p, q], [q, r]], with the smaller of the two angles.
struct JacobiRotation {
  double c, s, t;  // cosine, sine, tangent
};
inline JacobiRotation jacobi_rotation(double p, double q, double r) {
  if (q == 0) return {1, 0, 0};
  const double theta = (r - p) / (2 * q);
  const double t = std::copysign(1.0, theta) / (std::abs(theta) + std::hypot(theta, 1.0));
  const double c = 1 / std::sqrt(1 + t * t);
  return {c, t * c, t};
}

inline Eigen3 eigen_decomposition(Sym3<double> a) {
  double m[3][3] = {{a.xx, a.xy, a.xz}, {a.xy, a.yy, a.yz}, {a.xz, a.yz, a.zz}};
  Vec3d v[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  constexpr int pairs[3][3] = {{0, 1, 2}, {0, 2, 1}, {1, 2, 0}};
  for (int sweep = 0; sweep < 20; ++sweep) {
    bool rotated = false;
    for (const auto& [p, q, r] : pairs) {
      // Done with an off-diagonal entry that no longer changes either diagonal entry.
      const double size = std::abs(m[p][q]);
      if (size == 0 || (m[p][p] + size == m[p][p] && m[q][q] + size == m[q][q])) continue;
      rotated = true;
      const auto [c, s, t] = jacobi_rotation(m[p][p], m[p][q], m[q][q]);
      m[p][p] -= t * m[p][q];
      m[q][q] += t * m[p][q];
      m[p][q] = m[q][p] = 0;
      const double rp = m[r][p], rq = m[r][q];
      m[r][p] = m[p][r] = c * rp - s * rq;
      m[r][q] = m[q][r] = s * rp + c * rq;
      const Vec3d vp = v[p], vq = v[q];
      v[p] = c * vp - s * vq;
      v[q] = s * vp + c * vq;
    }
    if (!rotated) break;
  }

  double w[3] = {m[0][0], m[1][1], m[2][2]};
  const auto order = [&](int i, int j) {
    if (w[i] <= w[j]) return;
    const double wi = w[i];
    w[i] = w[j];
    w[j] = wi;
    // Swapping two columns and negating one keeps the determinant.
    const Vec3d vi = v[i];
    v[i] = v[j];
    v[j] = -vi;
  };
  order(0, 1);
  order(1, 2);
  order(0, 1);
  return {{w[0], w[1], w[2]}, {v[0], v[1], v[2]}};
}

}  // namespace sinew
