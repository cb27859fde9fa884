// The sweep by vertex over quadratic tetrahedra on a device (solver/by_vertex/quadratic_kernel.h), and the multipliers
// after it (solver/by_vertex/quadratic_pressure.h).
#pragma once

#include "cuda/vertex_sweep.h"
#include "solver/by_vertex/quadratic_pressure.h"

namespace sinew {

// DeviceSummedSweep with quadratic blocks, which have a thread for each vertex.
template <class Real>
struct DeviceQuadraticSweep : DeviceSummedSweep<Real> {
  const QuadraticBlock<Real, uint32_t>* quadratic = nullptr;
  int quadratic_count = 0;
};

// Of the tets of a block.
template <class Real>
struct UpdatePressures {
  PressureUpdate<Real> update;
  SINEW_INLINE void operator()(int64_t e) const { update_pressures<Real, false>(update, e, 0); }
};
template <class Real>
struct UpdateLinearPressures {
  PressureUpdate<Real> update;
  const Vec3d* rest = nullptr;  // by slot
  SINEW_INLINE void operator()(int64_t e) const { update_linear_pressure(update, rest, static_cast<size_t>(e)); }
};

}  // namespace sinew
