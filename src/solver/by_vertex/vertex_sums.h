// What a sweep by vertex sums up, and where vertices are to it.
#pragma once

#include "math/lane.h"
#include "math/vec.h"

namespace sinew::vertex_kernel {

template <class T>
struct Accumulator {
  Vec3<T> force{};      // elastic [N]
  Sym3<T> stiffness{};  // elastic [N/m]
  Vec3<T> damping{};    // of damping and of grabs [N]
};

// Where a vertex is. Positions are those of `x`, or displacements from `base`, so that what is far smaller than a
// position's rounding still counts; differences of the two parts are taken apart.
template <class T>
struct Place {
  Vec3<T> x, base;
};
// From `from` to the vertices index[0..W).
template <class T, class Index, class Sweep>
SINEW_INLINE Vec3<T> way_to(const Sweep& sweep, const Index* index, const Place<T>& from) {
  Vec3<T> way = gather<T>(sweep.x, index).xyz - from.x;
  if constexpr (requires { sweep.base; }) {
    if (sweep.base) [[unlikely]]
      way += gather<T>(sweep.base, index).xyz - from.base;
  }
  return way;
}

// The same as an object, whose type does not depend on where it is used: functions that take it are compiled once.
template <class T, class Sweep>
struct WaysTo {
  const Sweep& sweep;
  const Place<T>& from;

  template <class Index>
  SINEW_INLINE Vec3<T> operator()(const Index* index) const {
    return way_to(sweep, index, from);
  }
};

// Force [N] and block [N/m] of damping by the rate of strain.
template <class T>
struct Viscous {
  Vec3<T> force{};
  Sym3<T> stiffness{};
};

}  // namespace sinew::vertex_kernel
