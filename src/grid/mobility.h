// How embedded vertices move under impulses on them: an impulse at vertex q moves vertex p by M_pq times it,
//   M_pq = sum_i w_ip w_iq / m_i.
#pragma once

#include <array>
#include <span>

#include "grid/grid_embedding.h"

namespace sinew {

// The weights of a vertex along each axis, between zeros: those on the nodes of another vertex are three in a row.
struct PaddedSpline {
  explicit PaddedSpline(const Spline& spline) : base(spline.base) {
    for (size_t axis = 0; axis < 3; ++axis)
      for (size_t a = 0; a < 3; ++a) along[axis][a + 2] = spline.along[axis][a];
  }
  NodeIndex base;
  std::array<std::array<double, 7>, 3> along{};
};

// How an impulse at a vertex moves the nodes around it: w_iq / m_i, or where nodes glide the six entries of a symmetric
// matrix.
template <size_t count>
struct PushedNodes {
  using Numbers = std::array<double, count>;
  NodeIndex base;
  std::array<Numbers, spline_nodes> of;

  // M_pq: how it moves vertex p.
  Numbers at(const PaddedSpline& p) const {
    Numbers sum{};
    const int32_t i = base.i - p.base.i + 2, j = base.j - p.base.j + 2, k = base.k - p.base.k + 2;
    if (i < 0 || i > 4 || j < 0 || j > 4 || k < 0 || k > 4) return sum;
    const double *x = &p.along[0][static_cast<size_t>(i)], *y = &p.along[1][static_cast<size_t>(j)],
                 *z = &p.along[2][static_cast<size_t>(k)];
    for (size_t c = 0; c < spline_columns; ++c) {
      const double across = x[c / 3] * y[c % 3];
      for (size_t n = 0; n < count; ++n)
        sum[n] += across * ((z[0] * of[3 * c][n] + z[1] * of[3 * c + 1][n]) + z[2] * of[3 * c + 2][n]);
    }
    return sum;
  }
};

// By nodes with these inverse masses [1/kg].
inline PushedNodes<1> pushed_nodes(const GridEmbedding& embedding, int32_t row, std::span<const double> inverse_mass) {
  const Spline& spline = embedding.spline(row);
  const std::span<const int32_t, spline_columns> columns = embedding.columns(row);
  PushedNodes<1> pushed;
  pushed.base = spline.base;
  for (size_t c = 0; c < spline_columns; ++c) {
    const double across = spline.along[0][c / 3] * spline.along[1][c % 3];
    const double* of_nodes = &inverse_mass[static_cast<size_t>(columns[c])];
    for (size_t k = 0; k < 3; ++k) pushed.of[3 * c + k][0] = across * spline.along[2][k] * of_nodes[k];
  }
  return pushed;
}
// The same where nodes do not move in the directions onto which these project.
inline PushedNodes<6> pushed_nodes(const GridEmbedding& embedding, int32_t row, std::span<const double> inverse_mass,
                                   std::span<const Sym3<double>> fixed) {
  const PushedNodes<1> free = pushed_nodes(embedding, row, inverse_mass);
  PushedNodes<6> pushed;
  pushed.base = free.base;
  for (int n = 0; n < spline_nodes; ++n) {
    const double m = free.of[static_cast<size_t>(n)][0];
    const Sym3<double>& f = fixed[static_cast<size_t>(embedding.node(row, n))];
    pushed.of[static_cast<size_t>(n)] = {m * (1 - f.xx), -m * f.xy, -m * f.xz,
                                         m * (1 - f.yy), -m * f.yz, m * (1 - f.zz)};
  }
  return pushed;
}

}  // namespace sinew
