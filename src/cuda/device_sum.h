// Sums on a device, in double precision and a fixed order: as many parts as there are threads worth having, each of
// terms that lie that far apart, then pairs of parts, of pairs, and so on.
#pragma once

#include <span>

#include "cuda/device.h"
#include "math/lane.h"

namespace sinew {

inline constexpr int32_t sum_bits = 12, parts_of_sum = 1 << sum_bits;

// sum of terms(k) over first, first + stride, ... below count.
template <class Terms>
SINEW_INLINE double strided_sum(int64_t first, int64_t stride, int64_t count, const Terms& terms) {
  double sum = 0;
  for (int64_t k = first; k < count; k += stride) sum += terms(k);
  return sum;
}

// Several sums side by side: parts [part][sum].
template <class Term>
struct SumParts {
  Term term;
  int64_t count;
  int32_t sums;
  double* parts;
  SINEW_INLINE void operator()(int64_t thread) const {
    const auto j = static_cast<int32_t>(thread % sums);
    parts[thread] =
        strided_sum(thread / sums, parts_of_sum, count, [&](int64_t i) SINEW_INLINE_LAMBDA { return term(j, i); });
  }
};
template <class Sum>
struct AddPairs {
  Sum* parts;
  int32_t sums;
  SINEW_INLINE int32_t phases() const { return sum_bits; }
  SINEW_INLINE int32_t count(int32_t phase) const { return sums * (parts_of_sum >> (phase + 1)); }
  SINEW_INLINE void operator()(int32_t phase, int32_t p) const { parts[p] += parts[p + count(phase)]; }
};

// The squares of vectors.
template <class Real>
struct SquareOfVector {
  const Vec4<Real>* vectors;
  SINEW_INLINE double operator()(int32_t, int64_t i) const {
    const Vec4<Real> v = vectors[i];
    const double x = v.x, y = v.y, z = v.z;
    return x * x + y * y + z * z;
  }
};

// sums_j = the sum of term(j, i) for i in [0, count); waits for them.
template <class Term>
void device_sums(Device& device, int64_t count, const Term& term, std::span<double> sums) {
  const auto width = static_cast<int32_t>(sums.size());
  for (double& sum : sums) sum = 0;
  auto* const parts = static_cast<double*>(device.scratch(sizeof(double) * parts_of_sum * sums.size()));
  if (!parts || width == 0) return;
  device.run(int64_t{parts_of_sum} * width, SumParts<Term>{term, count, width, parts});
  device.run_phases(AddPairs<double>{parts, width});
  device.download(sums.data(), parts, sums.size_bytes());
}

}  // namespace sinew
