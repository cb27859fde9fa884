// Solves with symmetric positive definite 6x6 matrices by A = L D L^T, over any lane type: without pivoting or square
// roots.
#pragma once

#include <limits>
#include <type_traits>

#include "math/lane.h"

namespace sinew {

template <class T>
struct Vec6 {
  T at[6];
};
// The lower triangle, row by row.
template <class T>
struct Sym6 {
  T at[21];
};
constexpr int place_in_sym6(int row, int column) {
  return row * (row + 1) / 2 + column;
}

// visit(k) for k = first .. last - 1, each a constant, so that arrays indexed by it stay in registers.
template <int first, int last, class Visit>
SINEW_INLINE void for_each_index(Visit visit) {
  if constexpr (first < last) {
    visit(std::integral_constant<int, first>{});
    for_each_index<first + 1, last>(visit);
  }
}

// x = A^-1 b. If a pivot is lost to rounding, A is singular in this precision, and that unknown is 0.
template <class T>
SINEW_INLINE Vec6<T> solve(Sym6<T> a, Vec6<T> b) {
  const T rounding = splat<T>(16 * static_cast<double>(std::numeric_limits<ScalarOf<T>>::epsilon()));
  const T one = splat<T>(1), zero = T{};
  T diagonal[6], inverse[6];
  for_each_index<0, 6>([&](auto k) SINEW_INLINE_LAMBDA { diagonal[k] = a.at[place_in_sym6(k, k)]; });
  // Column by column; the entries below the pivot become those of L.
  for_each_index<0, 6>([&](auto k) SINEW_INLINE_LAMBDA {
    const T pivot = a.at[place_in_sym6(k, k)];
    const auto usable = pivot > rounding * diagonal[k];
    inverse[k] = select(usable, one, zero) / select(usable, pivot, one);
    T l[6];
    for_each_index<k + 1, 6>([&](auto i) SINEW_INLINE_LAMBDA {
      l[i] = a.at[place_in_sym6(i, k)] * inverse[k];
      for_each_index<k + 1, i + 1>(
          [&](auto j) SINEW_INLINE_LAMBDA { a.at[place_in_sym6(i, j)] -= l[i] * a.at[place_in_sym6(j, k)]; });
      b.at[i] -= l[i] * b.at[k];
    });
    for_each_index<k + 1, 6>([&](auto i) SINEW_INLINE_LAMBDA { a.at[place_in_sym6(i, k)] = l[i]; });
  });
  for_each_index<0, 6>([&](auto m) SINEW_INLINE_LAMBDA {
    constexpr int k = 5 - m;
    b.at[k] *= inverse[k];
    for_each_index<k + 1, 6>([&](auto i) SINEW_INLINE_LAMBDA { b.at[k] -= a.at[place_in_sym6(i, k)] * b.at[i]; });
  });
  return b;
}

}  // namespace sinew
