// The rest gradient g = dN/dX of a vertex's shape function, as a general vector or, after a rotation of the rest frame,
// along the z axis. A material written for either computes only what it needs: the products of F and cof F with g.
#pragma once

#include "math/lane.h"
#include "math/vec.h"

namespace sinew {

template <class T>
struct AxisGradient {
  T z;
};

// g = scale direction: along an axis, products with the direction are free.
struct ZAxis {};
template <class T>
SINEW_INLINE ZAxis direction(AxisGradient<T>) {
  return {};
}
template <class T>
SINEW_INLINE T scale(AxisGradient<T> g) {
  return g.z;
}
template <class T>
SINEW_INLINE Vec3<T> direction(Vec3<T> g) {
  return g;
}
template <class T>
SINEW_INLINE T scale(Vec3<T>) {
  return splat<T>(1);
}

template <class T>
SINEW_INLINE Vec3<T> operator*(Mat3<T> f, ZAxis) {
  return f.c2;
}
template <class T>
SINEW_INLINE Vec3<T> operator*(Mat3<T> f, AxisGradient<T> g) {
  return g.z * f.c2;
}
template <class T>
SINEW_INLINE T norm_squared(AxisGradient<T> g) {
  return g.z * g.z;
}
template <class T>
SINEW_INLINE T norm_squared(Vec3<T> g) {
  return dot(g, g);
}

// J = det F and c = cof(F) g = dJ/dx of the vertex.
template <class T>
struct VolumeGradient {
  T j;
  Vec3<T> c;
};
template <class T>
SINEW_INLINE VolumeGradient<T> volume_gradient(Mat3<T> f, ZAxis) {
  const Vec3<T> normal = cross(f.c0, f.c1);
  return {dot(f.c2, normal), normal};
}
template <class T>
SINEW_INLINE VolumeGradient<T> volume_gradient(Mat3<T> f, AxisGradient<T> g) {
  const Vec3<T> normal = cross(f.c0, f.c1);
  return {dot(f.c2, normal), g.z * normal};
}
template <class T>
SINEW_INLINE VolumeGradient<T> volume_gradient(Mat3<T> f, Vec3<T> g) {
  const Mat3<T> cof = cofactor(f);
  return {dot(f.c0, cof.c0), cof * g};
}

// A direction as a vector, and |g|^2, in the type T.
template <class T>
SINEW_INLINE Vec3<T> as_vector(ZAxis) {
  return {T{}, T{}, splat<T>(1)};
}
template <class T>
SINEW_INLINE Vec3<T> as_vector(Vec3<T> g) {
  return g;
}
template <class T>
SINEW_INLINE T norm_squared_as(ZAxis) {
  return splat<T>(1);
}
template <class T>
SINEW_INLINE T norm_squared_as(Vec3<T> g) {
  return dot(g, g);
}

// [e_x x g, e_y x g, e_z x g] as columns: the three infinitesimal rotations of g.
template <class T>
SINEW_INLINE Mat3<T> rotations_of(AxisGradient<T> g) {
  const T o = g.z - g.z;
  return {{o, -g.z, o}, {g.z, o, o}, {o, o, o}};
}
template <class T>
SINEW_INLINE Mat3<T> rotations_of(Vec3<T> g) {
  const T o = g.x - g.x;
  return {{o, -g.z, g.y}, {g.z, o, -g.x}, {-g.y, g.x, o}};
}

}  // namespace sinew
