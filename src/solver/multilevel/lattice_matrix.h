// Numbers of the lattice's matrix that the CPU and devices compute alike.
#pragma once

#include "math/lane.h"
#include "math/vec.h"
#include "solver/multilevel/lattice_sweep.h"

namespace sinew {

// Share of the mean diagonal that is added, for bodies that nothing holds.
inline constexpr double singular_shift = 1e-6;

// The inverse of a node's own block; 0 if it has none.
SINEW_INLINE Mat3d inverse_of_node(Mat3d m) {
  const double mean = trace(m) / 3;
  // A node that is nearly free in one direction, as in a row of springs, moves in it as if it were stiffer.
  for (const double shift : {singular_shift, 1e-3}) {
    m.c0.x += shift * mean;
    m.c1.y += shift * mean;
    m.c2.z += shift * mean;
    if (determinant(m) > 1e-9 * mean * mean * mean) break;
  }
  const double det = determinant(m);
  const bool usable = mean > 0 && det > 0;
  return usable ? transpose((1 / det) * cofactor(m)) : Mat3d{};
}

// F^t (s 1 + [w]x + G) F^tT for a pair of corners; m: its moments of damping, cell_group apart.
SINEW_INLINE Mat3<float> damping_of_pair(const Mat3<float>& before, const float* m) {
  const auto number = [&](int n) SINEW_INLINE_LAMBDA { return m[n * cell_group]; };
  const float s = number(0), wx = number(1), wy = number(2), wz = number(3);
  const Mat3<float> k{{s + number(4), wz + number(5), number(6) - wy},
                      {number(7) - wz, s + number(8), wx + number(9)},
                      {wy + number(10), number(11) - wx, s + number(12)}};
  return before * (k * transpose(before));
}
SINEW_INLINE void add_to_columns(Vec4<float>* out, const Mat3<float>& m) {
  out[0] = {out[0].x + m.c0.x, out[0].y + m.c0.y, out[0].z + m.c0.z, out[0].w};
  out[1] = {out[1].x + m.c1.x, out[1].y + m.c1.y, out[1].z + m.c1.z, out[1].w};
  out[2] = {out[2].x + m.c2.x, out[2].y + m.c2.y, out[2].z + m.c2.z, out[2].w};
}

}  // namespace sinew
