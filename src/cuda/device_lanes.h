// The layout of streams on devices: rows have 16 lanes, as those of AVX-512, so that the threads of a warp, of which
// each is a lane, read them side by side.
#pragma once

#include "solver/sweep.h"

namespace sinew {

inline constexpr int device_lanes = 16;

// The lane that a thread is, counted from the first batch on.
template <class Real>
SINEW_INLINE Batch<Real, device_lanes> batch_of(int64_t lane) {
  return {lane / device_lanes, static_cast<int>(lane % device_lanes)};
}

}  // namespace sinew
