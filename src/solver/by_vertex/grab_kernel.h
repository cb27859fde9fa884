// What grabs (model/grab.h) add to a vertex sweep: to a vertex of weight s the force s k' (b - C) and the stiffness
// s^2 k'. They are few, and are summed one after the other before a colour moves; the vertices of a grab share an
// element, so that no two have one colour, and those of another cluster are in the halo.
//
// If all vertices move at once, s^2 k' of each would not account for the motion of the others: then the stiffness is
// |s| sum |s_j| k', the row sum of the grab's matrix k' s s^T, which is no larger than the diagonal matrix of these.
#pragma once

#include <cstdint>

#include "math/lane.h"
#include "model/grab.h"
#include "solver/sweep.h"

namespace sinew {

// A grab at one of its vertices.
struct GrabEnd {
  int32_t slot, grab;
  int32_t clears;            // the first slot of its batch, whose sums it clears; -1: does not
  double weight, stiffness;  // s, and what the vertex gets [N/m]
  uint32_t corners[3];       // the grab's vertices, as the cluster counts them, or slots
};

// The rows of a vertex are those of tie_kernel::Sums: (f, xx), (xy, xz, yy, yz), (zz).
template <class Sweep>
SINEW_INLINE auto* quadratic_rows_of(const Sweep& sweep, int32_t slot) {
  return sweep.quadratic_sums + rows_of_sums * (sweep.own(slot) - sweep.first_sum);
}

// Adds to the sweep's quadratic sums, of batches of so many lanes.
template <class Real, class Sweep>
SINEW_INLINE void add_grab(const Sweep& sweep, const GrabEnd& end, const Grab& grab, int lanes) {
  if (end.clears >= 0) {
    Vec4<Real>* const rows = quadratic_rows_of(sweep, end.clears);
    for (int k = 0; k < rows_of_sums * lanes; ++k) rows[k] = {0, 0, 0, 0};
  }
  const auto at = [&](int32_t j) {
    const Vec4<Real>& x = sweep.x[end.corners[j]];
    Vec3d p{static_cast<double>(x.x), static_cast<double>(x.y), static_cast<double>(x.z)};
    if constexpr (requires { sweep.base; }) {
      if (sweep.base) {
        const Vec4<Real>& b = sweep.base[end.corners[j]];
        p = p + Vec3d{static_cast<double>(b.x), static_cast<double>(b.y), static_cast<double>(b.z)};
      }
    }
    return p;
  };
  const Vec3d f = (-end.weight * grab.stiffness) * grab.stretch_by(at);
  const auto k = static_cast<Real>(end.stiffness);
  Vec4<Real>* const rows = quadratic_rows_of(sweep, end.slot);
  rows[0] = {rows[0].x + static_cast<Real>(f.x), rows[0].y + static_cast<Real>(f.y), rows[0].z + static_cast<Real>(f.z),
             rows[0].w + k};
  rows[1].z += k;
  rows[2].x += k;
}

}  // namespace sinew
