// Three-vectors and 3x3 matrices over any scalar or lane type T (see lane.h).
// Matrices are stored by columns, m = [c0 c1 c2]; m(a, c) is row a, column c.
#pragma once

#include "math/inline.h"

namespace sinew {

template <class T>
struct Vec3 {
  T x, y, z;
};

template <class T>
SINEW_INLINE Vec3<T> operator+(Vec3<T> a, Vec3<T> b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class T>
SINEW_INLINE Vec3<T> operator-(Vec3<T> a, Vec3<T> b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class T>
SINEW_INLINE Vec3<T> operator-(Vec3<T> a) {
  return {-a.x, -a.y, -a.z};
}
template <class T>
SINEW_INLINE Vec3<T> operator*(T s, Vec3<T> a) {
  return {s * a.x, s * a.y, s * a.z};
}
template <class T>
SINEW_INLINE Vec3<T>& operator+=(Vec3<T>& a, Vec3<T> b) {
  a = a + b;
  return a;
}
template <class T>
SINEW_INLINE Vec3<T>& operator-=(Vec3<T>& a, Vec3<T> b) {
  a = a - b;
  return a;
}
template <class T>
SINEW_INLINE T dot(Vec3<T> a, Vec3<T> b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T>
SINEW_INLINE Vec3<T> cross(Vec3<T> a, Vec3<T> b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

template <class T>
struct Mat3 {
  Vec3<T> c0, c1, c2;
};

template <class T>
SINEW_INLINE Mat3<T> operator+(Mat3<T> a, Mat3<T> b) {
  return {a.c0 + b.c0, a.c1 + b.c1, a.c2 + b.c2};
}
template <class T>
SINEW_INLINE Mat3<T> operator-(Mat3<T> a, Mat3<T> b) {
  return {a.c0 - b.c0, a.c1 - b.c1, a.c2 - b.c2};
}
template <class T>
SINEW_INLINE Mat3<T> operator*(T s, Mat3<T> a) {
  return {s * a.c0, s * a.c1, s * a.c2};
}
template <class T>
SINEW_INLINE Vec3<T> operator*(Mat3<T> a, Vec3<T> v) {
  return v.x * a.c0 + v.y * a.c1 + v.z * a.c2;
}
template <class T>
SINEW_INLINE Mat3<T> operator*(Mat3<T> a, Mat3<T> b) {
  return {a * b.c0, a * b.c1, a * b.c2};
}
template <class T>
SINEW_INLINE Mat3<T> transpose(Mat3<T> a) {
  return {{a.c0.x, a.c1.x, a.c2.x}, {a.c0.y, a.c1.y, a.c2.y}, {a.c0.z, a.c1.z, a.c2.z}};
}
// A : B = sum_ac A_ac B_ac
template <class T>
SINEW_INLINE T contract(Mat3<T> a, Mat3<T> b) {
  return dot(a.c0, b.c0) + dot(a.c1, b.c1) + dot(a.c2, b.c2);
}
template <class T>
SINEW_INLINE T trace(Mat3<T> a) {
  return a.c0.x + a.c1.y + a.c2.z;
}
template <class T>
SINEW_INLINE T determinant(Mat3<T> a) {
  return dot(a.c0, cross(a.c1, a.c2));
}
// cof F = dJ/dF = J F^-T, defined for singular F too.
template <class T>
SINEW_INLINE Mat3<T> cofactor(Mat3<T> f) {
  return {cross(f.c1, f.c2), cross(f.c2, f.c0), cross(f.c0, f.c1)};
}
// (d2J/dF2) : D, the directional derivative of cof F along D.
template <class T>
SINEW_INLINE Mat3<T> cofactor_derivative(Mat3<T> f, Mat3<T> d) {
  return {cross(d.c1, f.c2) + cross(f.c1, d.c2), cross(d.c2, f.c0) + cross(f.c2, d.c0),
          cross(d.c0, f.c1) + cross(f.c0, d.c1)};
}
template <class T>
SINEW_INLINE Mat3<T> diagonal(T a, T b, T c) {
  const T o = a - a;
  return {{a, o, o}, {o, b, o}, {o, o, c}};
}
template <class T>
SINEW_INLINE Mat3<T> outer(Vec3<T> a, Vec3<T> b) {
  return {b.x * a, b.y * a, b.z * a};
}

// Symmetric 3x3: a vertex's stiffness.
template <class T>
struct Sym3 {
  T xx, xy, xz, yy, yz, zz;
};

template <class T>
SINEW_INLINE Sym3<T> operator+(Sym3<T> a, Sym3<T> b) {
  return {a.xx + b.xx, a.xy + b.xy, a.xz + b.xz, a.yy + b.yy, a.yz + b.yz, a.zz + b.zz};
}
template <class T>
SINEW_INLINE Sym3<T> operator*(T s, Sym3<T> a) {
  return {s * a.xx, s * a.xy, s * a.xz, s * a.yy, s * a.yz, s * a.zz};
}
template <class T>
SINEW_INLINE Vec3<T> operator*(Sym3<T> a, Vec3<T> v) {
  return {a.xx * v.x + a.xy * v.y + a.xz * v.z, a.xy * v.x + a.yy * v.y + a.yz * v.z,
          a.xz * v.x + a.yz * v.y + a.zz * v.z};
}
template <class T>
SINEW_INLINE Mat3<T> operator*(Mat3<T> a, Sym3<T> b) {
  return {a * Vec3<T>{b.xx, b.xy, b.xz}, a * Vec3<T>{b.xy, b.yy, b.yz}, a * Vec3<T>{b.xz, b.yz, b.zz}};
}
// a += s I
template <class T>
SINEW_INLINE void add_identity(Sym3<T>& a, T s) {
  a.xx += s;
  a.yy += s;
  a.zz += s;
}
// a += m n^T for parallel m and n
template <class T>
SINEW_INLINE void add_outer(Sym3<T>& a, Vec3<T> m, Vec3<T> n) {
  a.xx += m.x * n.x;
  a.xy += m.x * n.y;
  a.xz += m.x * n.z;
  a.yy += m.y * n.y;
  a.yz += m.y * n.z;
  a.zz += m.z * n.z;
}
// a += s n n^T
template <class T>
SINEW_INLINE void add_outer(Sym3<T>& a, T s, Vec3<T> n) {
  add_outer(a, s * n, n);
}
// a += n n^T
template <class T>
SINEW_INLINE void add_square(Sym3<T>& a, Vec3<T> n) {
  add_outer(a, n, n);
}
// a += m n^T + n m^T
template <class T>
SINEW_INLINE void add_symmetric_product(Sym3<T>& a, Vec3<T> m, Vec3<T> n) {
  a.xx += (m.x + m.x) * n.x;
  a.xy += m.x * n.y + m.y * n.x;
  a.xz += m.x * n.z + m.z * n.x;
  a.yy += (m.y + m.y) * n.y;
  a.yz += m.y * n.z + m.z * n.y;
  a.zz += (m.z + m.z) * n.z;
}
template <class T>
SINEW_INLINE T frobenius_squared(Sym3<T> a) {
  const T off = a.xy * a.xy + a.xz * a.xz + a.yz * a.yz;
  return a.xx * a.xx + a.yy * a.yy + a.zz * a.zz + off + off;
}

using Vec3d = Vec3<double>;
using Vec3f = Vec3<float>;
using Mat3d = Mat3<double>;

}  // namespace sinew
