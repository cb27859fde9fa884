// The exponential function in lanes: the same bits for every lane width, compiler and C library, as long as a b + c is
// not contracted. exp x = 2^n exp r with n = round(x / ln 2) and |r| <= ln 2 / 2 (Cody & Waite 1980, chapter 6), exp r
// by its Taylor series: to about one unit in the last place. Beyond |x| = 87 in single and 708 in double precision it
// stays what it is there.
#pragma once

#include "math/lane.h"

namespace sinew {

template <class T>
SINEW_INLINE T exp(T x) {
  using Real = ScalarOf<T>;
  constexpr bool is_single = sizeof(Real) == 4;
  constexpr double limit = is_single ? 87 : 708;
  constexpr int terms = is_single ? 7 : 13, mantissa = is_single ? 23 : 52, bias = is_single ? 127 : 1023;
  // Adding this number rounds to an integer, which is then in the lowest bits.
  const T shift = splat<T>(is_single ? 12582912.0 : 6755399441055744.0);
  x = max(splat<T>(-limit), min(x, splat<T>(limit)));
  const T shifted = x * splat<T>(1.4426950408889634) + shift, n = shifted - shift;
  // ln 2 in two parts, of which the first has few digits, so that n times it is exact.
  const T r = (x - n * splat<T>(is_single ? 0.693359375 : 0.693147180369123816490)) -
              n * splat<T>(is_single ? -2.12194440054690583e-4 : 1.90821492927058770002e-10);
  T sum = splat<T>(1);
#pragma GCC unroll 16
  for (int k = terms; k > 0; --k) sum = splat<T>(1) + sum * (r * splat<T>(1.0 / k));
  const auto exponent = bit_cast<BitsOf<T>>(shifted) - bit_cast<BitsOf<T>>(shift) + bias;
  return sum * bit_cast<T>(exponent << mantissa);
}

}  // namespace sinew
