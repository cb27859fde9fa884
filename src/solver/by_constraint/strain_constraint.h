// The Green strain of a tet as one constraint of six numbers, C = (E_xx, 2 E_xy, 2 E_xz, E_yy, 2 E_yz, E_zz) with E =
// (F^T F - 1)/2 and psi = C^T K C/2 (Servin, Lacoursiere & Melin 2006), under XPBD (Macklin et al. 2016, eq. 18, with a
// block in place of a number). l are six multipliers; with J_j = dC/dx_j and s = V h^2
//   (sum_j w_j J_j J_j^T + K^-1/s) dl = - C - K^-1 l/s,   l += dl,   x_j += w_j J_j^T dl.
// As a symmetric matrix, with unchanged entries off the diagonal, -l/s is the second Piola-Kirchhoff stress that the
// tet exerts, and J_j^T l = F l g_j. So J is not needed: with A = F^T F and W = sum_j w_j g_j g_j^T the first matrix
// is, at (ab, cd),
//   G = A_ac W_bd + A_bc W_ad + A_ad W_bc + A_bd W_ac, where a row or column of the diagonal (a = b) counts once.
// All terms are multiplied by s, because s may be 0 or infinite, and by mu, so that K^-1 has no unit.
#pragma once

#include <algorithm>

#include "material/material.h"
#include "math/solve6.h"

namespace sinew {

// C
template <class T>
SINEW_INLINE Sym3<T> green_strain_constraint(const Mat3<T>& f) {
  const T half = splat<T>(0.5), one = splat<T>(1);
  return {half * (dot(f.c0, f.c0) - one), dot(f.c0, f.c1), dot(f.c0, f.c2),
          half * (dot(f.c1, f.c1) - one), dot(f.c1, f.c2), half * (dot(f.c2, f.c2) - one)};
}
// mu K^-1 l
template <class T>
SINEW_INLINE Sym3<T> operator*(const StrainCompliance<T>& k, const Sym3<T>& l) {
  const T half = splat<T>(0.5), mean = k.share * (l.xx + l.yy + l.zz);
  return {half * (l.xx - mean), l.xy, l.xz, half * (l.yy - mean), l.yz, half * (l.zz - mean)};
}
// The multipliers as stored, at(k).
template <class T, class At>
SINEW_INLINE Sym3<T> six_multipliers(const At& at) {
  return {at(0), at(1), at(2), at(3), at(4), at(5)};
}

// sum_k l_k dC_k/dF of a tet, with constraints of either form and multipliers at(k). Times the rest gradients it gives
// the impulses that they exert.
template <class T, template <class> class Material, class At>
SINEW_INLINE Mat3<T> multipliers_times_gradients(const Material<T>& material, const Mat3<T>& f, const At& at) {
  if constexpr (has_strain_constraint<Material>) {
    return f * six_multipliers<T>(at);
  } else {
    Mat3<T> sum{};
    for_each_index<0, Material<double>::constraint_count>(
        [&](auto k) SINEW_INLINE_LAMBDA { sum = sum + at(k) * material.template constraint<k>(f).gradient; });
    return sum;
  }
}

namespace strain_constraint {

// Number k of the six is at (row[k], column[k]).
inline constexpr int row[6] = {0, 0, 0, 1, 1, 2}, column[6] = {0, 1, 2, 1, 2, 2};

template <int a, int b, class T>
SINEW_INLINE T entry(const Sym3<T>& m) {
  const T all[6] = {m.xx, m.xy, m.xz, m.yy, m.yz, m.zz};
  constexpr int low = std::min(a, b), high = std::max(a, b);
  return all[low == 0 ? high : low + high + 1];
}
// G at (i, j)
template <int i, int j, class T>
SINEW_INLINE T gram(const Sym3<T>& a, const Sym3<T>& w) {
  constexpr int p = row[i], q = column[i], r = row[j], s = column[j];
  T sum = entry<p, r>(a) * entry<q, s>(w);
  if constexpr (p != q) sum += entry<q, r>(a) * entry<p, s>(w);
  if constexpr (r != s) sum += entry<p, s>(a) * entry<q, r>(w);
  if constexpr (p != q && r != s) sum += entry<q, s>(a) * entry<p, r>(w);
  return sum;
}

}  // namespace strain_constraint

// dl, given F, W, s and mu (s C + K^-1 l). Its matrix is positive definite because K^-1 is.
template <class T>
SINEW_INLINE Sym3<T> strain_step(const StrainCompliance<T>& compliance, const Mat3<T>& f, const Sym3<T>& w, T s,
                                 const Sym3<T>& fault) {
  const Sym3<T> a{dot(f.c0, f.c0), dot(f.c0, f.c1), dot(f.c0, f.c2), dot(f.c1, f.c1), dot(f.c1, f.c2), dot(f.c2, f.c2)};
  const T mu_s = compliance.mu * s, half = splat<T>(0.5), one = splat<T>(1);
  const T between = -half * compliance.share;  // couples two numbers on the diagonal of S
  Sym6<T> m;
  for_each_index<0, 6>([&](auto i) SINEW_INLINE_LAMBDA {
    for_each_index<0, i + 1>([&](auto j) SINEW_INLINE_LAMBDA {
      T& entry = m.at[place_in_sym6(i, j)];
      entry = mu_s * strain_constraint::gram<i, j>(a, w);
      constexpr bool normal_i = strain_constraint::row[i] == strain_constraint::column[i];
      constexpr bool normal_j = strain_constraint::row[j] == strain_constraint::column[j];
      if constexpr (i == j) entry += normal_i ? half : one;
      if constexpr (normal_i && normal_j) entry += between;
    });
  });
  const Vec6<T> d = solve(m, {{-fault.xx, -fault.xy, -fault.xz, -fault.yy, -fault.yz, -fault.zz}});
  return {d.at[0], d.at[1], d.at[2], d.at[3], d.at[4], d.at[5]};
}

}  // namespace sinew
