// J of quadratic tetrahedra at their four points and its derivative by the node that a walk goes around
// (model/quadratic_strip.h), from current nodes alone.
//
// With C_a^q = sum_i x_i dN_i/dL_a at point q, and n = 6 V cof F_q G_a of a face
//   n0 = (C3 - C1) x (C2 - C1),  n1 = (C2 - C0) x (C3 - C0)
//   a corner 0:      6V J = n0.(C0 - C1),  6V dJ/dx = (4 L0 - 1) n0
//   a middle of 01:  6V J = n1.(C1 - C0),  6V dJ/dx = 4 L1 n0 + 4 L0 n1
// With d = near - far, which is 1/sqrt(5), C_a^q/4d = b_a + m_aq, where m_aa is x_a and b_a = f sum m_ab - x_a/4, f =
// far/d. Only differences of these are needed, most of which two points or two tets share.
#pragma once

#include "element/quadratic_tetrahedron.h"
#include "math/lane.h"
#include "math/vec.h"
#include "model/quadratic_stream.h"

namespace sinew::quadratic_links {

inline constexpr double f =
    QuadraticTetrahedron::far / (QuadraticTetrahedron::near - QuadraticTetrahedron::far);  // 0.309

// Of a tet at its points q, in units that `scale` makes: 6V J = link_unit det, 6V dJ/dx = link_unit scale gradient.
template <class T>
struct PointTerms {
  T det[4];
  Vec3<T> gradient[4];
};

// The walk around a corner: the window (p, q, r) of the last three corners, the middles between the vertex and these,
// and those of two edges.
template <class T>
struct CornerWalk {
  static constexpr double scale = -0.25;
  Vec3<T> p{}, q{}, m_p{}, m_q{}, m_pq{};

  SINEW_INLINE PointTerms<T> terms(const Vec3<T>* node) const {
    const T quarter = splat<T>(0.25), share = splat<T>(f);
    const Vec3<T>&r = node[0], &m_r = node[1], &m_pr = node[2], &m_qr = node[3];
    const Vec3<T> to_q = m_q - m_p, to_r = m_r - m_p, across_q = m_qr - m_pr, across_r = m_qr - m_pq;
    const Vec3<T> from_q = m_q - m_pq, from_r = m_r - m_pr;
    // Of b: from p to q, to r, and to the vertex.
    const Vec3<T> b_q = share * (to_q + across_q) - quarter * (q - p);
    const Vec3<T> b_r = share * (to_r + across_r) - quarter * (r - p);
    const Vec3<T> b_0 = share * (from_q + from_r) + quarter * p;
    PointTerms<T> at;
    const auto point = [&](int k, Vec3<T> c_q, Vec3<T> c_r, Vec3<T> c_0) SINEW_INLINE_LAMBDA {
      at.gradient[k] = cross(b_r + c_r, b_q + c_q);
      at.det[k] = dot(at.gradient[k], b_0 + c_0);
    };
    point(0, to_q, to_r, -m_p);
    point(1, m_pq - p, m_pr - p, m_p - p);
    point(2, q - m_pq, across_r, from_q);
    point(3, across_q, r - m_pr, from_r);
    at.gradient[0] = splat<T>(-3) * at.gradient[0];  // 4 L0 - 1 is -3 times that of the other points
    return at;
  }
  SINEW_INLINE void move(const Vec3<T>* node, T number) {
    const auto keeps = sign_bit(number);
    p = select(keeps, p, q);
    m_p = select(keeps, m_p, m_q);
    m_pq = select(keeps, node[2], node[3]);
    q = node[0];
    m_q = node[1];
  }
  // -1 where the window has a negative volume.
  static SINEW_INLINE T sign(T number) { return flip_by_lowest_bit(splat<T>(1), number); }
};

// The walk around the middle of an edge 01, from the corner q to r.
template <class T>
struct MiddleWalk {
  static constexpr double scale = 1;
  Vec3<T> x0{}, x1{};
  Vec3<T> q{}, m0{}, m1{};
  Vec3<T> difference{}, b{};  // m1 - m0; f (m0 + m1) - q/4

  SINEW_INLINE PointTerms<T> terms(const Vec3<T>* node) const {
    const T quarter = splat<T>(0.25), share = splat<T>(f);
    const Vec3<T>&r = node[0], &m0r = node[1], &m1r = node[2], &m_qr = node[3];
    const Vec3<T> difference_r = m1r - m0r, from_0 = m_qr - m0r;
    // Of b: from 0 to 1, from 0 to q, from q to r.
    const Vec3<T> b_1 = share * (difference + difference_r) - quarter * (x1 - x0);
    const Vec3<T> b_2 = share * (m1 + from_0) - quarter * (q - x0);
    const Vec3<T> b_3 = b_of(r, m0r, m1r) - b;
    PointTerms<T> at;
    const auto inner = [&](int k, Vec3<T> c_1, Vec3<T> c_2, Vec3<T> c_3) SINEW_INLINE_LAMBDA {
      const Vec3<T> e_1 = b_1 + c_1, e_2 = b_2 + c_2, e_3 = b_3 + c_3;
      const Vec3<T> n = cross(e_2, e_3), both = cross(e_1, e_3);  // n1, n0 + n1
      at.det[k] = dot(e_1, n);
      at.gradient[k] = k == 0 ? share * both + n : splat<T>(1 + f) * both - n;
    };
    const auto outer = [&](int k, Vec3<T> c_1, Vec3<T> c_2, Vec3<T> c_3) SINEW_INLINE_LAMBDA {
      const Vec3<T> both = cross(b_1 + c_1, b_3 + c_3);
      at.det[k] = -dot(both, b_2 + c_2);
      at.gradient[k] = share * both;
    };
    inner(0, -x0, m0 - x0, m0r - m0);
    inner(1, x1, m1, m1r - m1);
    outer(2, difference, q - m0, m_qr - q);
    outer(3, difference_r, from_0, r - m_qr);
    return at;
  }
  SINEW_INLINE void move(const Vec3<T>* node, T) {
    q = node[0];
    m0 = node[1];
    m1 = node[2];
    difference = m1 - m0;
    b = b_of(q, m0, m1);
  }
  static SINEW_INLINE T sign(T) { return splat<T>(1); }

 private:
  static SINEW_INLINE Vec3<T> b_of(Vec3<T> x, Vec3<T> m0, Vec3<T> m1) {
    return splat<T>(f) * (m0 + m1) - splat<T>(0.25) * x;
  }
};

}  // namespace sinew::quadratic_links
