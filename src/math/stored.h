// A number as it is stored in another precision.
//
// Optimizing compilers may drop a rounding to float that is taken back to double at once (GCC 12.2 does so where it
// joins neighbouring doubles into a vector). What must hold of the stored number, to the last bit, is therefore asked
// of one that was in memory.
#pragma once

#include "math/vec.h"

namespace sinew {

template <class Real>
Real stored_as(double x) {
  const volatile Real in_memory = static_cast<Real>(x);
  return in_memory;
}
template <class Real>
Vec3<Real> stored_as(Vec3d x) {
  return {stored_as<Real>(x.x), stored_as<Real>(x.y), stored_as<Real>(x.z)};
}

}  // namespace sinew
