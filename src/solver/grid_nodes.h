// Vertices that are embedded in a grid, as sweeps by constraint read and push them: through the nodes around them.
#pragma once

#include <cstdint>
#include <span>

#include "grid/spline.h"
#include "math/lane.h"

namespace sinew {

class GridEmbedding;

// The weights across[c] along[k] of the nodes columns[c] + k.
template <class Real>
struct EmbeddedVertex {
  int32_t columns[spline_columns];
  Real across[spline_columns], along[3];
};
template <class Real>
EmbeddedVertex<Real> embedded_vertex(const GridEmbedding& embedding, int32_t row);

// The nodes of a step, whose positions follow those of the slots.
template <class Real>
struct GridNodes {
  const GridEmbedding* embedding = nullptr;  // null: there is no grid
  std::span<const double> inverse_mass;      // [1/kg] 0: held or empty
  size_t first = 0;                          // among the positions
  const uint8_t* glides = nullptr;           // by node
  const Vec4<Real>* fixed = nullptr;         // three rows of each node: the projector onto directions it cannot move in

  Vec3<Real> position(const EmbeddedVertex<Real>& vertex, const Vec4<Real>* x) const {
    Vec3<Real> sum{};
    for_each_node(vertex, [&](size_t node, Real weight) {
      const Vec4<Real>& at = x[first + node];
      sum += weight * Vec3<Real>{at.x, at.y, at.z};
    });
    return sum;
  }
  void push(const EmbeddedVertex<Real>& vertex, Vec3<Real> impulse, Vec4<Real>* x) const {
    for_each_node(vertex, [&](size_t node, Real weight) {
      Vec4<Real>& at = x[first + node];
      Vec3<Real> way = impulse;
      if (glides[node]) {
        const Vec4<Real>* row = &fixed[3 * node];
        for (int r = 0; r < 3; ++r)
          way -= (r == 0 ? impulse.x : r == 1 ? impulse.y : impulse.z) * Vec3<Real>{row[r].x, row[r].y, row[r].z};
      }
      const Real share = weight * at.w;
      at = {at.x + share * way.x, at.y + share * way.y, at.z + share * way.z, at.w};
    });
  }
  // [1/kg] sum_jk s_j s_k M_jk of embedded vertices, as if no node glided: at least what it is (grid/mobility.h).
  double mobility(std::span<const int32_t> rows, std::span<const double> weights) const;

 private:
  // visit(node, its weight on the vertex)
  template <class Visit>
  static SINEW_INLINE void for_each_node(const EmbeddedVertex<Real>& vertex, const Visit& visit) {
    for (int c = 0; c < spline_columns; ++c)
      for (int k = 0; k < 3; ++k) visit(static_cast<size_t>(vertex.columns[c] + k), vertex.across[c] * vertex.along[k]);
  }
};

extern template struct GridNodes<float>;
extern template struct GridNodes<double>;

}  // namespace sinew
