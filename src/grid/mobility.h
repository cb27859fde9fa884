// How embedded vertices move under impulses on them: an impulse at vertex q moves vertex p by M_pq times it,
//   M_pq = sum_i w_ip w_iq / m_i.
#pragma once

#include <span>

#include "grid/grid_embedding.h"

namespace sinew {

// visit(node, w_ip w_iq) for the nodes that two vertices share.
template <class Visit>
void for_each_shared_node(const GridEmbedding& embedding, int32_t p, int32_t q, const Visit& visit) {
  const Spline &of_p = embedding.spline(p), &of_q = embedding.spline(q);
  const auto nodes = embedding.nodes(p);
  const int di = of_p.base.i - of_q.base.i, dj = of_p.base.j - of_q.base.j, dk = of_p.base.k - of_q.base.k;
  for (int a = 0; a < 3; ++a) {
    if (a + di < 0 || a + di > 2) continue;
    for (int b = 0; b < 3; ++b) {
      if (b + dj < 0 || b + dj > 2) continue;
      for (int c = 0; c < 3; ++c) {
        if (c + dk < 0 || c + dk > 2) continue;
        const int n = 9 * a + 3 * b + c;
        visit(nodes[static_cast<size_t>(n)], of_p.weight(n) * of_q.weight(n + 9 * di + 3 * dj + dk));
      }
    }
  }
}

// [1/kg] Of nodes with these inverse masses.
inline double mobility(const GridEmbedding& embedding, int32_t p, int32_t q, std::span<const double> inverse_mass) {
  double sum = 0;
  for_each_shared_node(embedding, p, q,
                       [&](int32_t node, double w) { sum += w * inverse_mass[static_cast<size_t>(node)]; });
  return sum;
}
// The same where nodes do not move in the directions onto which these project.
inline Sym3<double> gliding_mobility(const GridEmbedding& embedding, int32_t p, int32_t q,
                                     std::span<const double> inverse_mass, std::span<const Sym3<double>> fixed) {
  Sym3<double> sum{};
  for_each_shared_node(embedding, p, q, [&](int32_t node, double w) {
    const double m = w * inverse_mass[static_cast<size_t>(node)];
    const Sym3<double>& f = fixed[static_cast<size_t>(node)];
    sum = sum + m * Sym3<double>{1 - f.xx, -f.xy, -f.xz, 1 - f.yy, -f.yz, 1 - f.zz};
  });
  return sum;
}

}  // namespace sinew
