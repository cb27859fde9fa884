// Quadratic B-splines on a uniform grid: each point has weights on the 3 x 3 x 3 nodes around it, which sum to 1 and
// reproduce linear functions (Jiang, Schroeder, Selle, Teran & Stomakhin 2015, APIC).
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "math/vec.h"

namespace sinew {

// Of a node: it lies at `spacing` times these.
struct NodeIndex {
  int32_t i, j, k;
  friend bool operator==(const NodeIndex&, const NodeIndex&) = default;
};

// Node n of a point is node n % 3, along z, of its column n / 3.
inline constexpr int spline_nodes = 27, spline_columns = 9;

struct Spline {
  NodeIndex base;  // the lowest of the 27 nodes
  std::array<std::array<double, 3>, 3> along;

  // Of node n = 9 a + 3 b + c, which is a, b and c nodes from the base along x, y and z.
  double weight(int n) const { return across(n / 3) * along[2][n % 3]; }
  double across(int column) const { return along[0][column / 3] * along[1][column % 3]; }
  NodeIndex node(int n) const { return {base.i + n / 9, base.j + n / 3 % 3, base.k + n % 3}; }
};

// The square of the affine part's length, D = spacing^2/4, of quadratic splines.
inline double inertia_of_spline(double spacing) {
  return spacing * spacing / 4;
}

inline Spline spline_at(Vec3d x, double spacing) {
  Spline s;
  const auto along = [&](double at, std::array<double, 3>& w) {
    const double units = at / spacing, base = std::floor(units - 0.5), f = units - base;  // f in [.5, 1.5)
    w = {0.5 * (1.5 - f) * (1.5 - f), 0.75 - (f - 1) * (f - 1), 0.5 * (f - 0.5) * (f - 0.5)};
    return static_cast<int32_t>(base);
  };
  s.base.i = along(x.x, s.along[0]);
  s.base.j = along(x.y, s.along[1]);
  s.base.k = along(x.z, s.along[2]);
  return s;
}

}  // namespace sinew
