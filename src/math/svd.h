// The signed singular value decomposition of a 3x3 matrix in double precision: F = U diag(s) V^T with U and V rotations
// and |s0| >= |s1| >= |s2|, of which only s2 may be negative (Irving, Teran & Fedkiw 2004). Then s_i + s_j >= 0, and
// U V^T is the proper rotation closest to F, for inverted F too.
//
// One-sided Jacobi (Hestenes 1958; Demmel & Veselic 1992): columns of F are rotated against each other until they are
// orthogonal. F^T F is never formed, so small singular values keep their digits.
#pragma once

#include <cmath>

#include "math/eigen3.h"
#include "math/vec.h"

namespace sinew {

struct SignedSvd {
  Mat3d u;
  Vec3d s;
  Mat3d v;
};

// A unit vector perpendicular to the unit vector a.
inline Vec3d any_across(Vec3d a) {
  const Vec3d axis = std::abs(a.x) < 0.6 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0};
  const Vec3d b = cross(a, axis);
  return (1 / std::sqrt(dot(b, b))) * b;
}

inline SignedSvd signed_svd(Mat3d f) {
  // Scaled by a power of two to entries near 1: squares of the largest and smallest doubles overflow and underflow.
  const auto largest = [](Vec3d a) { return std::fmax(std::abs(a.x), std::fmax(std::abs(a.y), std::abs(a.z))); };
  const double size = std::fmax(largest(f.c0), std::fmax(largest(f.c1), largest(f.c2)));
  if (!(size > 0)) return {diagonal(1.0, 1.0, 1.0), {0, 0, 0}, diagonal(1.0, 1.0, 1.0)};
  int exponent;
  std::frexp(size, &exponent);
  const auto scaled = [&](Vec3d a) {
    return Vec3d{std::ldexp(a.x, -exponent), std::ldexp(a.y, -exponent), std::ldexp(a.z, -exponent)};
  };

  Vec3d a[3] = {scaled(f.c0), scaled(f.c1), scaled(f.c2)};
  Vec3d v[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  constexpr int pairs[3][2] = {{0, 1}, {0, 2}, {1, 2}};
  for (int sweep = 0; sweep < 30; ++sweep) {
    bool rotated = false;
    for (const auto& [p, q] : pairs) {
      const double pp = dot(a[p], a[p]), pq = dot(a[p], a[q]), qq = dot(a[q], a[q]);
      if (!(std::abs(pq) > 1e-16 * std::sqrt(pp * qq))) continue;
      rotated = true;
      const auto [c, s, t] = jacobi_rotation(pp, pq, qq);
      const Vec3d ap = a[p], aq = a[q], vp = v[p], vq = v[q];
      a[p] = c * ap - s * aq;
      a[q] = s * ap + c * aq;
      v[p] = c * vp - s * vq;
      v[q] = s * vp + c * vq;
    }
    if (!rotated) break;
  }

  // Longest column first; V stays a rotation.
  const auto order = [&](int i, int j) {
    if (dot(a[i], a[i]) >= dot(a[j], a[j])) return;
    const Vec3d ai = a[i], vi = v[i];
    a[i] = a[j];
    v[i] = v[j];
    a[j] = -ai;
    v[j] = -vi;
  };
  order(0, 1);
  order(1, 2);
  order(0, 1);

  // U from the columns; a vanishing column leaves its direction free.
  const double s0 = std::sqrt(dot(a[0], a[0]));
  const Vec3d u0 = (1 / s0) * a[0];
  const Vec3d second = a[1] - dot(a[1], u0) * u0;
  const double s1 = std::sqrt(dot(second, second));
  // Below this a column is only the round-off of the first.
  Vec3d u1 = s1 > 1e-150 ? (1 / s1) * second : any_across(u0);
  u1 = u1 - dot(u1, u0) * u0;
  const double length = std::sqrt(dot(u1, u1));
  u1 = length > 0.5 ? (1 / length) * u1 : any_across(u0);
  const Vec3d u2 = cross(u0, u1);
  const auto back = [&](double s) { return std::ldexp(s, exponent); };
  return {{u0, u1, u2}, {back(s0), back(dot(u1, a[1])), back(dot(u2, a[2]))}, {v[0], v[1], v[2]}};
}

}  // namespace sinew
