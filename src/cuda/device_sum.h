// Sums on a device, in double precision and a fixed order: as many parts as there are threads worth having, each of
// terms that lie that far apart, then pairs of parts, of pairs, and so on.
#pragma once

#include <vector>

#include "cuda/device.h"

namespace sinew {

inline constexpr int32_t sum_bits = 12, parts_of_sum = 1 << sum_bits;

template <class Term>
struct SumParts {
  Term term;
  int64_t count;
  double* parts;
  SINEW_INLINE void operator()(int64_t p) const {
    double sum = 0;
    for (int64_t i = p; i < count; i += parts_of_sum) sum += term(i);
    parts[p] = sum;
  }
};
struct SumPairs {
  double* parts;
  SINEW_INLINE int32_t phases() const { return sum_bits; }
  SINEW_INLINE int32_t count(int32_t phase) const { return parts_of_sum >> (phase + 1); }
  SINEW_INLINE void operator()(int32_t phase, int32_t p) const { parts[p] += parts[p + count(phase)]; }
};

// The sum of term(i) for i in [0, count); waits for it.
template <class Term>
double device_sum(Device& device, int64_t count, const Term& term) {
  DeviceArray<double> parts;
  parts.resize(device, parts_of_sum);
  device.run(parts_of_sum, SumParts<Term>{term, count, parts.data()});
  device.run_phases(SumPairs{parts.data()});
  double sum = 0;
  device.download(&sum, parts.data(), sizeof sum);
  return sum;
}

}  // namespace sinew
