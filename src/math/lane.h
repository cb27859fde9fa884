// Lanes: W numbers worked on at once. A kernel is written over a type T that is either a plain float or double
// (one lane: the scalar reference, and what a GPU thread runs) or Lane<Real, W>, a vector extension of GCC and clang
// with W lanes. Arithmetic and comparison come with the language; what does not is here.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include "math/inline.h"
#include "math/vec.h"

namespace sinew {

template <class Real, int W>
struct LaneType {
  typedef Real type __attribute__((vector_size(sizeof(Real) * W)));
};
template <class Real>
struct LaneType<Real, 1> {
  using type = Real;
};
template <class Real, int W>
using Lane = typename LaneType<Real, W>::type;

// The scalar behind a lane type, and how many of it there are. Types that are no lanes (a dual number) count as one.
template <class T>
SINEW_INLINE auto scalar_of(const T& t) {
  if constexpr (std::is_class_v<T> || std::is_arithmetic_v<T>) {
    return t;
  } else {
    return t[0];
  }
}
template <class T>
using ScalarOf = decltype(scalar_of(std::declval<T>()));
template <class T>
inline constexpr int lane_count = static_cast<int>(sizeof(T) / sizeof(ScalarOf<T>));

// The same number in every lane.
template <class T>
SINEW_INLINE T splat(double s) {
  if constexpr (lane_count<T> == 1) {
    return T(s);
  } else {
    return T{} + static_cast<ScalarOf<T>>(s);
  }
}

// What a comparison of two T yields.
template <class T>
using MaskOf = decltype(std::declval<T>() < std::declval<T>());

// mask ? a : b, lane by lane.
template <class M, class T>
SINEW_INLINE T select(M mask, T a, T b) {
  return mask ? a : b;
}
template <class M, class T>
SINEW_INLINE Vec3<T> select(M mask, Vec3<T> a, Vec3<T> b) {
  return {select(mask, a.x, b.x), select(mask, a.y, b.y), select(mask, a.z, b.z)};
}
template <class M, class T>
SINEW_INLINE Mat3<T> select(M mask, Mat3<T> a, Mat3<T> b) {
  return {select(mask, a.c0, b.c0), select(mask, a.c1, b.c1), select(mask, a.c2, b.c2)};
}
template <class M, class T>
SINEW_INLINE Sym3<T> select(M mask, Sym3<T> a, Sym3<T> b) {
  return {select(mask, a.xx, b.xx), select(mask, a.xy, b.xy), select(mask, a.xz, b.xz),
          select(mask, a.yy, b.yy), select(mask, a.yz, b.yz), select(mask, a.zz, b.zz)};
}

// Does the mask hold in every lane?
template <class M>
SINEW_INLINE bool every_lane(M mask) {
  if constexpr (std::is_same_v<M, bool>) {
    return mask;
  }
#if defined(__AVX512DQ__)
  else if constexpr (sizeof(M) == 64) {
    return _mm512_movepi32_mask(reinterpret_cast<__m512i>(mask)) == 0xFFFF;
  }
#endif
#if defined(__AVX__)
  else if constexpr (sizeof(M) == 32) {
    return _mm256_movemask_ps(reinterpret_cast<__m256>(mask)) == 0xFF;
  }
#endif
#if defined(__SSE2__) && !defined(__CUDACC__)
  else if constexpr (sizeof(M) == 16) {
    return _mm_movemask_ps(reinterpret_cast<__m128>(mask)) == 0xF;
  }
#endif
  else {
    bool every = true;
    for (size_t k = 0; k < sizeof(M) / sizeof(mask[0]); ++k) every = every && mask[k] != 0;
    return every;
  }
}

template <class T>
SINEW_INLINE T max(T a, T b) {
  return select(a > b, a, b);
}
template <class T>
SINEW_INLINE T min(T a, T b) {
  return select(a < b, a, b);
}
template <class T>
SINEW_INLINE T abs(T a) {
  return select(a < T{}, -a, a);
}

// Is the lowest bit of the mantissa set? A mask for `select`.
template <class T>
SINEW_INLINE auto lowest_bit(T a) {
  constexpr int W = lane_count<T>;
  using Integer = std::conditional_t<sizeof(ScalarOf<T>) == 4, int32_t, int64_t>;
  Lane<Integer, W> bits;
  std::memcpy(&bits, &a, sizeof bits);
  return (bits & 1) != 0;
}

// Applies a scalar function to each lane; for what the hardware has no vector form of (log).
template <class T, class Function>
SINEW_INLINE T map_lanes(T a, Function function) {
  if constexpr (lane_count<T> == 1) {
    return function(a);
  } else {
    T r{};
    for (int k = 0; k < lane_count<T>; ++k) r[k] = function(a[k]);
    return r;
  }
}

template <class T>
SINEW_INLINE T sqrt(T a) {
  if constexpr (std::is_same_v<T, float>) {
    return __builtin_sqrtf(a);
  } else if constexpr (std::is_same_v<T, double>) {
    return __builtin_sqrt(a);
  }
#if defined(__AVX512F__)
  else if constexpr (std::is_same_v<T, Lane<float, 16>>) {
    return reinterpret_cast<T>(_mm512_sqrt_ps(reinterpret_cast<__m512>(a)));
  } else if constexpr (std::is_same_v<T, Lane<double, 8>>) {
    return reinterpret_cast<T>(_mm512_sqrt_pd(reinterpret_cast<__m512d>(a)));
  }
#endif
#if defined(__AVX__)
  else if constexpr (std::is_same_v<T, Lane<float, 8>>) {
    return reinterpret_cast<T>(_mm256_sqrt_ps(reinterpret_cast<__m256>(a)));
  } else if constexpr (std::is_same_v<T, Lane<double, 4>>) {
    return reinterpret_cast<T>(_mm256_sqrt_pd(reinterpret_cast<__m256d>(a)));
  }
#endif
#if defined(__SSE2__) && !defined(__CUDACC__)
  else if constexpr (std::is_same_v<T, Lane<float, 4>>) {
    return reinterpret_cast<T>(_mm_sqrt_ps(reinterpret_cast<__m128>(a)));
  } else if constexpr (std::is_same_v<T, Lane<double, 2>>) {
    return reinterpret_cast<T>(_mm_sqrt_pd(reinterpret_cast<__m128d>(a)));
  }
#endif
  else {
    return map_lanes(a, [](auto s) { return sqrt(s); });
  }
}

template <class T>
SINEW_INLINE T log(T a) {
  if constexpr (std::is_same_v<ScalarOf<T>, float>) {
    return map_lanes(a, [](float s) { return __builtin_logf(s); });
  } else {
    return map_lanes(a, [](double s) { return __builtin_log(s); });
  }
}

// A position and one more number, aligned so that one load fetches it: (x, y, z, w).
template <class Real>
struct alignas(4 * sizeof(Real)) Vec4 {
  Real x, y, z, w;
};

template <class T>
struct Lane4 {
  Vec3<T> xyz;
  T w;
};

// W aligned numbers.
template <class T>
SINEW_INLINE T load(const ScalarOf<T>* p) {
  T r;
  std::memcpy(&r, __builtin_assume_aligned(p, sizeof(T) < 64 ? sizeof(T) : 64), sizeof(T));
  return r;
}
template <class T>
SINEW_INLINE void store(ScalarOf<T>* p, T a) {
  std::memcpy(__builtin_assume_aligned(p, sizeof(T) < 64 ? sizeof(T) : 64), &a, sizeof(T));
}

#if !defined(__CUDACC__)
// Four rows of four numbers as their columns.
template <class T>
SINEW_INLINE Lane4<T> transposed(T a, T b, T c, T d) {
  const T ab = __builtin_shufflevector(a, b, 0, 4, 1, 5), cd = __builtin_shufflevector(c, d, 0, 4, 1, 5);
  const T ab2 = __builtin_shufflevector(a, b, 2, 6, 3, 7), cd2 = __builtin_shufflevector(c, d, 2, 6, 3, 7);
  return {{__builtin_shufflevector(ab, cd, 0, 1, 4, 5), __builtin_shufflevector(ab, cd, 2, 3, 6, 7),
           __builtin_shufflevector(ab2, cd2, 0, 1, 4, 5)},
          __builtin_shufflevector(ab2, cd2, 2, 3, 6, 7)};
}
#endif

// Gathers: W loads of a row (x, y, z, w) and a transpose in registers. Hardware gathers take four times as long.
// `at(k)` yields the address of lane k.
template <class T, class At>
SINEW_INLINE Lane4<T> load_transposed(At at) {
  constexpr int W = lane_count<T>;
  if constexpr (W == 1) {
    const auto& p = *at(0);
    return {{p.x, p.y, p.z}, p.w};
  }
#if defined(__AVX512F__)
  else if constexpr (std::is_same_v<T, Lane<float, 16>>) {
    __m512 row[4];
    for (int k = 0; k < 4; ++k) {
      row[k] = _mm512_castps128_ps512(_mm_load_ps(&at(k)->x));
      row[k] = _mm512_insertf32x4(row[k], _mm_load_ps(&at(k + 4)->x), 1);
      row[k] = _mm512_insertf32x4(row[k], _mm_load_ps(&at(k + 8)->x), 2);
      row[k] = _mm512_insertf32x4(row[k], _mm_load_ps(&at(k + 12)->x), 3);
    }
    const __m512 a = _mm512_unpacklo_ps(row[0], row[1]), b = _mm512_unpacklo_ps(row[2], row[3]);
    const __m512 c = _mm512_unpackhi_ps(row[0], row[1]), d = _mm512_unpackhi_ps(row[2], row[3]);
    return {{reinterpret_cast<T>(_mm512_shuffle_ps(a, b, 0x44)), reinterpret_cast<T>(_mm512_shuffle_ps(a, b, 0xEE)),
             reinterpret_cast<T>(_mm512_shuffle_ps(c, d, 0x44))},
            reinterpret_cast<T>(_mm512_shuffle_ps(c, d, 0xEE))};
  }
#endif
#if defined(__AVX__)
  else if constexpr (std::is_same_v<T, Lane<float, 8>>) {
    __m256 row[4];
    for (int k = 0; k < 4; ++k) {
      row[k] = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_load_ps(&at(k)->x)), _mm_load_ps(&at(k + 4)->x), 1);
    }
    const __m256 a = _mm256_unpacklo_ps(row[0], row[1]), b = _mm256_unpacklo_ps(row[2], row[3]);
    const __m256 c = _mm256_unpackhi_ps(row[0], row[1]), d = _mm256_unpackhi_ps(row[2], row[3]);
    return {{reinterpret_cast<T>(_mm256_shuffle_ps(a, b, 0x44)), reinterpret_cast<T>(_mm256_shuffle_ps(a, b, 0xEE)),
             reinterpret_cast<T>(_mm256_shuffle_ps(c, d, 0x44))},
            reinterpret_cast<T>(_mm256_shuffle_ps(c, d, 0xEE))};
  }
#endif
#if !defined(__CUDACC__)
  else if constexpr (W == 2) {
    const T a = load<T>(&at(0)->x), a2 = load<T>(&at(0)->z), b = load<T>(&at(1)->x), b2 = load<T>(&at(1)->z);
    return {{__builtin_shufflevector(a, b, 0, 2), __builtin_shufflevector(a, b, 1, 3),
             __builtin_shufflevector(a2, b2, 0, 2)},
            __builtin_shufflevector(a2, b2, 1, 3)};
  } else {
    using Row = Lane<ScalarOf<T>, 4>;
    const auto four = [&](int k) {
      return transposed(load<Row>(&at(k)->x), load<Row>(&at(k + 1)->x), load<Row>(&at(k + 2)->x),
                        load<Row>(&at(k + 3)->x));
    };
    if constexpr (W == 4) {
      return four(0);
    } else {
      static_assert(W == 8);
      const Lane4<Row> a = four(0), b = four(4);
      const auto joined = [](Row p, Row q) { return __builtin_shufflevector(p, q, 0, 1, 2, 3, 4, 5, 6, 7); };
      return {{joined(a.xyz.x, b.xyz.x), joined(a.xyz.y, b.xyz.y), joined(a.xyz.z, b.xyz.z)}, joined(a.w, b.w)};
    }
  }
#endif
}

// Positions of the W vertices index[0..W).
template <class T>
SINEW_INLINE Lane4<T> gather(const Vec4<ScalarOf<T>>* x, const int32_t* index) {
  return load_transposed<T>([=](int k) { return x + index[k]; });
}
// Positions of W vertices side by side.
template <class T>
SINEW_INLINE Lane4<T> load4(const Vec4<ScalarOf<T>>* x) {
  return load_transposed<T>([=](int k) { return x + k; });
}
template <class T>
SINEW_INLINE void store4(Vec4<ScalarOf<T>>* x, const Lane4<T>& a) {
  if constexpr (lane_count<T> == 1) {
    *x = {a.xyz.x, a.xyz.y, a.xyz.z, a.w};
  } else {
    for (int k = 0; k < lane_count<T>; ++k) x[k] = {a.xyz.x[k], a.xyz.y[k], a.xyz.z[k], a.w[k]};
  }
}
template <class T>
SINEW_INLINE void scatter(Vec4<ScalarOf<T>>* x, const int32_t* index, const Lane4<T>& a) {
  if constexpr (lane_count<T> == 1) {
    x[*index] = {a.xyz.x, a.xyz.y, a.xyz.z, a.w};
  } else {
    for (int k = 0; k < lane_count<T>; ++k) x[index[k]] = {a.xyz.x[k], a.xyz.y[k], a.xyz.z[k], a.w[k]};
  }
}

}  // namespace sinew
