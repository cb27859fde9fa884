// Layouts of the rest shape of a linear tetrahedron, as sweeps stream them. Seen from one of its vertices i, with p, q,
// r the other corners relative to x_i in an order of positive volume, two rest frames give F and g_i:
//   FullTetFrame     the gradients g_p, g_q, g_r as they are; for any material
//   AlignedTetFrame  the rest frame rotated so that g_i lies along z and g_p in the xz-plane: six numbers instead of
//                    nine and one column of the stress instead of three; for isotropic materials, psi(F Q) = psi(F)
// A plane triangle is streamed as a tetrahedron whose r has the gradient 0, with another vertex in its place that must
// have no weight.
#pragma once

#include <type_traits>

#include "element/solid_element.h"
#include "math/gradient.h"
#include "math/lane.h"
#include "math/vec.h"

namespace sinew {

// A vector at each corner: the first, p, q, r.
template <class T>
struct CornerVectors {
  Vec3<T> at[4];
};

template <class T>
struct FullTetFrame {
  static constexpr int number_count = 10;
  Vec3<T> gp, gq, gr;
  T volume;
  bool plane = false;

  // Numbers as they are streamed, in rows of w lanes.
  static void write(const RestShape<double>& rest, double* out) {
    for (int k = 0; k < 3; ++k) {
      out[3 * k] = rest.gradient[k].x;
      out[3 * k + 1] = rest.gradient[k].y;
      out[3 * k + 2] = rest.gradient[k].z;
    }
    out[9] = rest.volume;
  }
  template <int w = lane_count<T>>
  static SINEW_INLINE FullTetFrame read(const ScalarOf<T>* n, bool plane = false) {
    const auto at = [&](int k) { return load<T>(n + k * w); };
    return {{at(0), at(1), at(2)}, {at(3), at(4), at(5)}, {at(6), at(7), at(8)}, at(9), plane};
  }
  // Of displacements of the corners in place of positions.
  SINEW_INLINE Mat3<T> displacement_gradient(Vec3<T> p, Vec3<T> q, Vec3<T> r) const {
    Mat3<T> f = deformation_gradient(p, q, r);
    if (plane) f.c2 = Vec3<T>{};
    return f;
  }
  SINEW_INLINE Mat3<T> deformation_gradient(Vec3<T> p, Vec3<T> q, Vec3<T> r) const {
    Mat3<T> f{gp.x * p + gq.x * q + gr.x * r, gp.y * p + gq.y * q + gr.y * r, gp.z * p + gq.z * q + gr.z * r};
    if (plane) f.c2 = {T{}, T{}, splat<T>(1)};
    return f;
  }
  SINEW_INLINE Vec3<T> gradient() const { return -(gp + gq + gr); }
  // M g at all corners; they sum to 0.
  SINEW_INLINE CornerVectors<T> times_gradients(Mat3<T> m) const {
    const Vec3<T> p = m * gp, q = m * gq, r = m * gr;
    return {{-(p + q + r), p, q, r}};
  }
  // sum_i w_i g_i g_i^T over the corners: with inverse masses, dF/dP where corners move by w_i P g_i.
  SINEW_INLINE Sym3<T> weighted_gram(T wi, T wp, T wq, T wr) const {
    Sym3<T> k{};
    add_outer(k, wi, gradient());
    add_outer(k, wp, gp);
    add_outer(k, wq, gq);
    add_outer(k, wr, gr);
    return k;
  }
};

template <class T>
struct AlignedTetFrame {
  static constexpr int number_count = 7;
  T px, qx, qy, pz, qz, rz;  // g_p = (px, 0, pz), g_q = (qx, qy, qz), g_r = (-px-qx, -qy, rz)
  T volume;
  bool plane = false;  // then r has no gradient, and y is the normal: qy = rz = 0

  static void write(const RestShape<double>& rest, double* out) {
    const Vec3d gp = rest.gradient[0], gq = rest.gradient[1], gr = rest.gradient[2];
    const Vec3d gi = -(gp + gq + gr);
    const Vec3d ez = (1 / sqrt(dot(gi, gi))) * gi;
    const Vec3d across = gp - dot(gp, ez) * ez;
    const Vec3d ex = (1 / sqrt(dot(across, across))) * across;
    const Vec3d ey = cross(ez, ex);
    out[0] = dot(gp, ex);
    out[1] = dot(gq, ex);
    out[2] = dot(gq, ey);
    out[3] = dot(gp, ez);
    out[4] = dot(gq, ez);
    out[5] = dot(gr, ez);
    out[6] = rest.volume;
  }
  template <int w = lane_count<T>>
  static SINEW_INLINE AlignedTetFrame read(const ScalarOf<T>* n, bool plane = false) {
    const auto at = [&](int k) { return load<T>(n + k * w); };
    return {at(0), at(1), at(2), at(3), at(4), at(5), at(6), plane};
  }
  // Of displacements of the corners in place of positions.
  SINEW_INLINE Mat3<T> displacement_gradient(Vec3<T> p, Vec3<T> q, Vec3<T> r) const {
    Mat3<T> f = deformation_gradient(p, q, r);
    if (plane) f.c1 = Vec3<T>{};
    return f;
  }
  SINEW_INLINE Mat3<T> deformation_gradient(Vec3<T> p, Vec3<T> q, Vec3<T> r) const {
    if (plane) return {px * p + qx * q, {T{}, T{}, splat<T>(1)}, pz * p + qz * q};
    const Vec3<T> pr = p - r, qr = q - r;
    return {px * pr + qx * qr, qy * qr, pz * p + qz * q + rz * r};
  }
  SINEW_INLINE AxisGradient<T> gradient() const { return {-(pz + qz + rz)}; }
  // sum w |g|^2
  SINEW_INLINE T weighted_gradient_square(T wi, T wp, T wq, T wr) const {
    const T gi = pz + qz + rz, rx = px + qx, y = qy * qy;
    return (wi * (gi * gi) + wp * (px * px + pz * pz)) + (wq * (qx * qx + y + qz * qz) + wr * (rx * rx + y + rz * rz));
  }
  // M g at all corners; they sum to 0.
  SINEW_INLINE CornerVectors<T> times_gradients(Mat3<T> m) const {
    const Vec3<T> i = m * gradient(), p = px * m.c0 + pz * m.c2, q = qx * m.c0 + qy * m.c1 + qz * m.c2;
    return {{i, p, q, -(i + p + q)}};
  }
  // As of FullTetFrame.
  SINEW_INLINE Sym3<T> weighted_gram(T wi, T wp, T wq, T wr) const {
    const T gi = gradient().z, rx = px + qx;  // of r, -
    const T wpx = wp * px, wqx = wq * qx, wrx = wr * rx, wqy = wq * qy, wry = wr * qy;
    return {wpx * px + wqx * qx + wrx * rx,
            wqx * qy + wrx * qy,
            wpx * pz + wqx * qz - wrx * rz,
            wqy * qy + wry * qy,
            wqy * qz - wry * rz,
            (wi * gi) * gi + (wp * pz) * pz + (wq * qz) * qz + (wr * rz) * rz};
  }
};

// Even permutations of the corners that put corner k first: the rest keep a positive volume.
inline constexpr int corner_first[4][4] = {{0, 1, 2, 3}, {1, 0, 3, 2}, {2, 3, 0, 1}, {3, 2, 1, 0}};
// The same of a triangle.
inline constexpr int triangle_corner_first[3][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}};

// The frame of a material: its rest frame may be rotated where it is isotropic.
template <template <class> class Material, class T>
using TetFrameOf = std::conditional_t<Material<double>::isotropic, AlignedTetFrame<T>, FullTetFrame<T>>;

}  // namespace sinew
