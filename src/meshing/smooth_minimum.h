// The smooth minimum of many numbers, to which those within k of the least contribute:
//
//   m(d) = min over weights p >= 0, sum p = 1 of  sum p_i d_i - k/2 (1 - sum p_i^2)
//
// The weights are those of sparsemax(-d / k) (Martins and Astudillo 2016, "From Softmax to Sparsemax", eq. 2 and
// proposition 1): p_i = max(0, tau - d_i) / k with tau so that they sum to 1. Of two numbers a distance s = k (1 - h)
// apart it is min - k h^2 / 4, the polynomial smooth minimum (Quilez 2013, "Smooth minimum"). Unlike nested
// applications of that, it does not depend on the order of the numbers, and a number above min + k has no effect, bit
// for bit, so that anything known to be farther away may be skipped. Its derivative by d_i is p_i, so if no number
// changes by more than a point moves, neither does it. It is below the minimum by at most k/2 (1 - 1/n).
//
// At most the eight least numbers contribute, which preserves all of these properties.
#pragma once

#include <array>
#include <limits>

#include "math/lane.h"

namespace sinew {

template <class T>
class SmoothMinimum {
 public:
  static constexpr int most = 8;

  explicit SmoothMinimum(double k) : k_(k) { least_.fill(splat<T>(std::numeric_limits<double>::infinity())); }

  void add(T d) {
    if (k_ == 0) {
      least_[0] = min(least_[0], d);
      return;
    }
    for (T& kept : least_) {  // ascending
      const T lower = min(kept, d);
      d = max(kept, d);
      kept = lower;
    }
  }

  // Numbers from here on have no effect.
  T limit() const { return least_[0] + splat<T>(k_); }

  // Requires at least one number.
  T value() const {
    if (k_ == 0) return least_[0];
    const T zero = splat<T>(0), one = splat<T>(1), k = splat<T>(k_);
    // Relative to the least; from k on all are equal. The weights of the n least sum to 1 with tau = (k + their sum) /
    // n; n is the largest for which all weights are positive.
    std::array<T, most> above;
    T sum = zero, tau = k;
    for (int n = 0; n < most; ++n) {
      const T d = min(least_[n] - least_[0], k);
      sum += d;
      const T whole = (k + sum) * splat<T>(1.0 / (n + 1));
      tau = select((d < k) & (d < whole), whole, tau);
      above[n] = d;
    }
    T weighted = zero, squares = zero;
    for (int n = 0; n < most; ++n) {
      const T p = max(tau - above[n], zero) / k;
      weighted += p * above[n];
      squares += p * p;
    }
    return least_[0] + (weighted - splat<T>(k_ / 2) * (one - squares));
  }

 private:
  double k_;
  std::array<T, most> least_;
};

}  // namespace sinew
