// The rotation of a deformation gradient and the cofactor of its stretched part, over lanes in single precision:
//   F = U S V^T (signed: only the smallest singular value may be negative),   R = U V^T,   C = cof(U max(S, 1) V^T).
// V are the eigenvectors of F^T F by a fixed number of Jacobi rotations (McAdams et al. 2011), the same in all lanes;
// accurate to a few roundings of the largest singular value, which suffices for a coarse matrix.
#pragma once

#include "math/lane.h"
#include "math/vec.h"

namespace sinew {

template <class T>
struct StretchFrame {
  Mat3<T> rotation, cofactor;
};

namespace stretch {

// Diagonalizes [[p, q], [q, r]], with s and t the two entries that the rotation mixes.
template <class T>
SINEW_INLINE void rotate(T& p, T& q, T& r, T& s, T& t, Vec3<T>& vp, Vec3<T>& vr) {
  const T one = splat<T>(1), zero{}, gap = r - p, two_q = q + q;
  const T root = sqrt(gap * gap + two_q * two_q);
  const T below = select(gap < zero, gap - root, gap + root);
  const auto usable = abs(below) > splat<T>(1e-30);
  const T tangent = select(usable, two_q, zero) / select(usable, below, one);
  const T c = one / sqrt(one + tangent * tangent), sine = tangent * c;
  p -= tangent * q;
  r += tangent * q;
  q = zero;
  const T s0 = s, t0 = t;
  s = c * s0 - sine * t0;
  t = sine * s0 + c * t0;
  const Vec3<T> vp0 = vp, vr0 = vr;
  vp = c * vp0 - sine * vr0;
  vr = sine * vp0 + c * vr0;
}

// The larger one first; V stays a rotation.
template <class T>
SINEW_INLINE void order(T& p, T& r, Vec3<T>& vp, Vec3<T>& vr) {
  const auto swap = p < r;
  const T p0 = p;
  p = select(swap, r, p0);
  r = select(swap, p0, r);
  const Vec3<T> vp0 = vp;
  vp = select(swap, vr, vp0);
  vr = select(swap, -vp0, vr);
}

// a/|a|, or the other if a is too short to have a direction.
template <class T>
SINEW_INLINE Vec3<T> normalized(Vec3<T> a, T least, Vec3<T> other) {
  const T square = dot(a, a);
  const auto usable = square > least;
  const T inverse = splat<T>(1) / sqrt(select(usable, square, splat<T>(1)));
  return select(usable, inverse * a, other);
}

}  // namespace stretch

template <class T>
SINEW_INLINE StretchFrame<T> stretch_frame(Mat3<T> f) {
  const T one = splat<T>(1), zero{};
  // The squares of extreme entries leave the range of floats; then the frame is that of rest.
  const T size = contract(f, f);
  const auto sound = (size > splat<T>(1e-12)) & (size < splat<T>(1e12));
  f = select(sound, f, diagonal(one, one, one));
  T xx = dot(f.c0, f.c0), xy = dot(f.c0, f.c1), xz = dot(f.c0, f.c2), yy = dot(f.c1, f.c1), yz = dot(f.c1, f.c2),
    zz = dot(f.c2, f.c2);
  Vec3<T> v0{one, zero, zero}, v1{zero, one, zero}, v2{zero, zero, one};
  constexpr int sweeps = 5;
  for (int k = 0; k < sweeps; ++k) {
    stretch::rotate(xx, xy, yy, xz, yz, v0, v1);
    stretch::rotate(xx, xz, zz, xy, yz, v0, v2);
    stretch::rotate(yy, yz, zz, xy, xz, v1, v2);
  }
  stretch::order(xx, yy, v0, v1);
  stretch::order(xx, zz, v0, v2);
  stretch::order(yy, zz, v1, v2);

  const Vec3<T> b0 = f * v0, b1 = f * v1, b2 = f * v2;
  const Vec3<T> u0 = stretch::normalized(b0, splat<T>(1e-30), v0);
  const Vec3<T> rest = b1 - dot(u0, b1) * u0;
  // Perpendicular to u0, along the axis that is farthest from it.
  const auto x_far = abs(u0.x) < splat<T>(0.6);
  const Vec3<T> axis{select(x_far, one, zero), select(x_far, zero, one), zero};
  const Vec3<T> across = stretch::normalized(cross(u0, axis), splat<T>(1e-30), axis);
  const Vec3<T> u1 = stretch::normalized(rest, splat<T>(1e-12) * dot(b0, b0), across);
  const Vec3<T> u2 = cross(u0, u1);
  const T s0 = max(dot(u0, b0), one), s1 = max(dot(u1, b1), one), s2 = max(dot(u2, b2), one);
  const auto turned = [&](T a, T b, T c) SINEW_INLINE_LAMBDA {
    const Vec3<T> w0 = a * u0, w1 = b * u1, w2 = c * u2;
    return Mat3<T>{v0.x * w0 + v1.x * w1 + v2.x * w2, v0.y * w0 + v1.y * w1 + v2.y * w2,
                   v0.z * w0 + v1.z * w1 + v2.z * w2};
  };
  return {turned(one, one, one), turned(s1 * s2, s0 * s2, s0 * s1)};
}

}  // namespace sinew
