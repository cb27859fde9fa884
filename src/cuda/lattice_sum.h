// Sums in double precision over an array on a device, in a fixed order: first of the numbers that lie sum_parts apart,
// then of those sums by the operations of the lattice (cuda/lattice_operations.h).
#pragma once

#include <cstdint>

#include "math/lane.h"

namespace sinew {

inline constexpr int sum_parts = 4096;

// parts[i] = sum of |v|^2 over i, i + sum_parts, ...; one thread for each part.
template <class Real>
struct SumSquares {
  const Vec4<Real>* vectors = nullptr;
  int64_t count = 0;
  double* parts = nullptr;

  SINEW_INLINE void operator()(int64_t i) const {
    double sum = 0;
    for (int64_t k = i; k < count; k += sum_parts) {
      const Vec4<Real> v = vectors[k];
      const double x = v.x, y = v.y, z = v.z;
      sum += x * x + y * y + z * z;
    }
    parts[i] = sum;
  }
};

// sum of terms(k) over first, first + stride, ... below count.
template <class Terms>
SINEW_INLINE double strided_sum(int32_t first, int32_t stride, int32_t count, const Terms& terms) {
  double sum = 0;
  for (int32_t k = first; k < count; k += stride) sum += terms(k);
  return sum;
}

}  // namespace sinew
