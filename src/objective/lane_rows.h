// Moves numbers between arrays in double precision and the lanes of a kernel.
#pragma once

#include <cstdint>

#include "math/lane.h"
#include "math/vec.h"

namespace sinew::element_kernel {

// Loads W vertices from rows of three numbers.
template <class T>
SINEW_INLINE Vec3<T> gather3(const Vec3d* x, const int32_t* index) {
  constexpr int w = lane_count<T>;
  if constexpr (w == 1) {
    return x[*index];
  } else {
    alignas(sizeof(T)) double column[3][w];
    for (int k = 0; k < w; ++k) {
      const Vec3d& p = x[index[k]];
      column[0][k] = p.x;
      column[1][k] = p.y;
      column[2][k] = p.z;
    }
    return {load<T>(column[0]), load<T>(column[1]), load<T>(column[2])};
  }
}

// Stores lane k of `a` at out[stride k].
template <class T, int stride>
SINEW_INLINE void store_row(Vec3d* out, const Vec3<T>& a, int count) {
  if constexpr (lane_count<T> == 1) {
    *out = a;
  } else {
    for (int k = 0; k < count; ++k) out[stride * k] = {a.x[k], a.y[k], a.z[k]};
  }
}
template <class T, int stride>
SINEW_INLINE void add_to_row(Vec3d* out, const Vec3<T>& a, int count) {
  if constexpr (lane_count<T> == 1) {
    *out += a;
  } else {
    for (int k = 0; k < count; ++k) out[stride * k] += Vec3d{a.x[k], a.y[k], a.z[k]};
  }
}
template <class T>
SINEW_INLINE void store_first(double* out, T a, int count) {
  if constexpr (lane_count<T> == 1) {
    *out = a;
  } else {
    for (int k = 0; k < count; ++k) out[k] = a[k];
  }
}

// Loads `count` numbers; the last one fills the remaining lanes.
template <class T>
SINEW_INLINE T load_first(const double* in, int count) {
  constexpr int w = lane_count<T>;
  if constexpr (w == 1) {
    return *in;
  } else {
    alignas(sizeof(T)) double all[w];
    for (int k = 0; k < w; ++k) all[k] = in[k < count ? k : count - 1];
    return load<T>(all);
  }
}

}  // namespace sinew::element_kernel
