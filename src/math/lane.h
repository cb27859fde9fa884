// Lanes: W numbers processed at once. A kernel is written over a type T that is either a plain float or double
// (one lane: the scalar reference, and what a GPU thread runs) or Lane<Real, W>, a vector extension of GCC and clang
// with W lanes. Arithmetic and comparisons are built in; this file adds the rest.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#if defined(__SSE2__)
#include <immintrin.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
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

// The scalar of a lane type and the number of lanes. Other types (a dual number) have one lane.
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

// The result type of comparing two T.
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

// Whether the mask holds in every lane.
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
#elif defined(__wasm_simd128__)
  else if constexpr (sizeof(M) == 16) {
    return wasm_i32x4_all_true(reinterpret_cast<v128_t>(mask));
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

// The bits of numbers as integers, and back.
template <class T>
using BitsOf = Lane<std::conditional_t<sizeof(ScalarOf<T>) == 4, int32_t, int64_t>, lane_count<T>>;
template <class To, class From>
SINEW_INLINE To bit_cast(From a) {
  static_assert(sizeof(To) == sizeof(From));
  To b;
  std::memcpy(&b, &a, sizeof b);
  return b;
}

template <class T>
SINEW_INLINE T abs(T a) {
  if constexpr (std::is_class_v<T>) {
    return select(a < T{}, -a, a);
  } else {
    constexpr int sign = 8 * static_cast<int>(sizeof(ScalarOf<T>)) - 1;
    return bit_cast<T>(bit_cast<BitsOf<T>>(a) & ~(ScalarOf<BitsOf<T>>{1} << sign));
  }
}

// Whether the sign bit is set, also that of -0: a mask for `select`.
template <class T>
SINEW_INLINE auto sign_bit(T a) {
  return bit_cast<BitsOf<T>>(a) < 0;
}
// a, or -a where the lowest bit of the mantissa of b is set.
template <class T>
SINEW_INLINE T flip_by_lowest_bit(T a, T b) {
  constexpr int sign = 8 * static_cast<int>(sizeof(ScalarOf<T>)) - 1;
  return bit_cast<T>(bit_cast<BitsOf<T>>(a) ^ (bit_cast<BitsOf<T>>(b) << sign));
}

// W signed integers of 32 bits as numbers.
template <class T>
SINEW_INLINE T load_integers(const uint32_t* p) {
  constexpr int W = lane_count<T>;
  if constexpr (W == 1) {
    return static_cast<T>(static_cast<int32_t>(*p));
  } else {
    Lane<int32_t, W> k;
    std::memcpy(&k, __builtin_assume_aligned(p, sizeof k < 64 ? sizeof k : 64), sizeof k);
    return __builtin_convertvector(k, T);
  }
}

// Applies a scalar function to each lane, for functions without a vector instruction (log).
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
#elif defined(__wasm_simd128__)
  else if constexpr (std::is_same_v<T, Lane<float, 4>>) {
    return reinterpret_cast<T>(wasm_f32x4_sqrt(reinterpret_cast<v128_t>(a)));
  } else if constexpr (std::is_same_v<T, Lane<double, 2>>) {
    return reinterpret_cast<T>(wasm_f64x2_sqrt(reinterpret_cast<v128_t>(a)));
  }
#endif
  else {
    return map_lanes(a, [](auto s) { return sqrt(s); });
  }
}

// 1 / a, and sqrt(a) for a >= 0, with a relative error of 2^-14 if the hardware offers that in a fraction of the time:
// for iterations that correct it. Exact in a build where all lane widths are bit-identical.
template <class T>
SINEW_INLINE T rough_reciprocal(T a) {
#if defined(__AVX512F__) && !defined(SINEW_DETERMINISTIC)
  if constexpr (std::is_same_v<T, Lane<float, 16>>) {
    return reinterpret_cast<T>(_mm512_rcp14_ps(reinterpret_cast<__m512>(a)));
  }
#endif
  return splat<T>(1) / a;
}
template <class T>
SINEW_INLINE T rough_sqrt(T a) {
#if defined(__AVX512F__) && !defined(SINEW_DETERMINISTIC)
  if constexpr (std::is_same_v<T, Lane<float, 16>>) {
    return a * reinterpret_cast<T>(_mm512_rsqrt14_ps(reinterpret_cast<__m512>(max(a, splat<T>(1.2e-38)))));
  }
#endif
  return sqrt(a);
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
#if defined(__CUDACC__)  // whose code for __builtin_assume_aligned of what can be written is wrong
  *p = a;
#else
  std::memcpy(__builtin_assume_aligned(p, sizeof(T) < 64 ? sizeof(T) : 64), &a, sizeof(T));
#endif
}

// W numbers that need not be aligned.
template <class T>
SINEW_INLINE T load_anywhere(const ScalarOf<T>* p) {
  T r;
  std::memcpy(&r, p, sizeof(T));
  return r;
}
template <class T>
SINEW_INLINE void store_anywhere(ScalarOf<T>* p, T a) {
  std::memcpy(p, &a, sizeof(T));
}

// Lanes from function(k), and each lane to function(k, number).
template <class T, class Function, int... k>
SINEW_INLINE T lanes_of(const Function& function, std::integer_sequence<int, k...>) {
  return T{function(k)...};  // set one by one, each takes an instruction more
}
template <class T, class Function>
SINEW_INLINE T lanes_of(const Function& function) {
  return lanes_of<T>(function, std::make_integer_sequence<int, lane_count<T>>{});
}
template <class T, class Function>
SINEW_INLINE void for_each_lane(T a, const Function& function) {
  if constexpr (lane_count<T> == 1) {
    function(0, a);
  } else {
#pragma GCC unroll 16
    for (int k = 0; k < lane_count<T>; ++k) function(k, a[k]);
  }
}

// Prefetches `count` numbers from p on; the addresses need not be valid. GPUs hide waits by other threads.
template <int count, class Number>
SINEW_INLINE void prefetch([[maybe_unused]] const Number* p) {
#if !defined(__CUDACC__)
  constexpr int line = 64 / sizeof(Number);
#pragma GCC unroll 16
  for (int k = 0; k < count; k += line) __builtin_prefetch(p + k);
#endif
}

#if !defined(__CUDACC__)
namespace rows {

// The lanes of `a`, then those of `b`.
template <class Half, int... k>
SINEW_INLINE auto joined(Half a, Half b, std::integer_sequence<int, k...>) {
  return __builtin_shufflevector(a, b, k...);
}
// As many lanes of `a` as k has entries, from `first` on.
template <int first, class T, int... k>
SINEW_INLINE auto part(T a, std::integer_sequence<int, k...>) {
  return __builtin_shufflevector(a, a, first + k...);
}

// Transposes: every four lanes of a, b, c and d are four rows of four numbers. It is its own inverse.
template <int W>
constexpr int zipped(int k, int from) {  // a0 b0 a1 b1
  return (k & ~3) + from + (k >> 1 & 1) + (k & 1) * W;
}
template <int W>
constexpr int paired(int k, int from) {  // a0 a1 b0 b1
  return (k & ~3) + from + (k & 1) + (k >> 1 & 1) * W;
}
template <class T, int... k>
SINEW_INLINE Lane4<T> transposed(T a, T b, T c, T d, std::integer_sequence<int, k...>) {
  constexpr int W = sizeof...(k);
  const T ab = __builtin_shufflevector(a, b, zipped<W>(k, 0)...),
          ab2 = __builtin_shufflevector(a, b, zipped<W>(k, 2)...);
  const T cd = __builtin_shufflevector(c, d, zipped<W>(k, 0)...),
          cd2 = __builtin_shufflevector(c, d, zipped<W>(k, 2)...);
  return {{__builtin_shufflevector(ab, cd, paired<W>(k, 0)...), __builtin_shufflevector(ab, cd, paired<W>(k, 2)...),
           __builtin_shufflevector(ab2, cd2, paired<W>(k, 0)...)},
          __builtin_shufflevector(ab2, cd2, paired<W>(k, 2)...)};
}

template <int W>
using Count = std::make_integer_sequence<int, W>;

// The rows at(0), at(4), at(8), ... side by side; and back. Compilers do not generate the instructions that insert a
// row from memory or extract one.
template <class T, class At>
SINEW_INLINE T load_every_fourth(At at) {
  constexpr int W = lane_count<T>;
  if constexpr (W == 4) {
    return load<T>(&at(0)->x);
  }
#if defined(__AVX512F__)
  else if constexpr (std::is_same_v<T, Lane<float, 16>>) {
    // Halves first: an insertion into 256 bits costs half of one into 512.
    const __m256 low = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_load_ps(&at(0)->x)), _mm_load_ps(&at(4)->x), 1);
    const __m256 high =
        _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_load_ps(&at(8)->x)), _mm_load_ps(&at(12)->x), 1);
    return reinterpret_cast<T>(_mm512_insertf32x8(_mm512_castps256_ps512(low), high, 1));
  }
#endif
  else {
    using Half = Lane<ScalarOf<T>, W / 2>;
    return joined(load_every_fourth<Half>(at), load_every_fourth<Half>([&](int k) { return at(k + W / 2); }),
                  Count<W>{});
  }
}
template <int first = 0, class T, class At>
SINEW_INLINE void store_every_fourth(At at, T rows) {
  if constexpr (first < lane_count<T>) {
#if defined(__AVX512F__)
    if constexpr (std::is_same_v<T, Lane<float, 16>>) {
      _mm_store_ps(&at(first)->x, _mm512_extractf32x4_ps(reinterpret_cast<__m512>(rows), first / 4));
    } else
#endif
    {
      store<Lane<ScalarOf<T>, 4>>(&at(first)->x, part<first>(rows, Count<4>{}));
    }
    store_every_fourth<first + 4>(at, rows);
  }
}

}  // namespace rows
#endif

// Gathers: W loads of a row (x, y, z, w) and a transpose in registers. Hardware gathers take four times as long.
// `at(k)` returns the address of lane k.
template <class T, class At>
SINEW_INLINE Lane4<T> load_transposed(At at) {
  constexpr int W = lane_count<T>;
  if constexpr (W == 1) {
    const auto& p = *at(0);
    return {{p.x, p.y, p.z}, p.w};
  }
#if !defined(__CUDACC__)
  else if constexpr (W == 2) {
    const T a = load<T>(&at(0)->x), a2 = load<T>(&at(0)->z), b = load<T>(&at(1)->x), b2 = load<T>(&at(1)->z);
    return {{__builtin_shufflevector(a, b, 0, 2), __builtin_shufflevector(a, b, 1, 3),
             __builtin_shufflevector(a2, b2, 0, 2)},
            __builtin_shufflevector(a2, b2, 1, 3)};
  } else {
    const auto row = [&](int k) SINEW_INLINE_LAMBDA {
      return rows::load_every_fourth<T>([&](int i) SINEW_INLINE_LAMBDA { return at(i + k); });
    };
    return rows::transposed(row(0), row(1), row(2), row(3), rows::Count<W>{});
  }
#endif
}

// Scatters: the inverse of gathers. The addresses must differ.
template <class T, class At>
SINEW_INLINE void store_transposed(At at, const Lane4<T>& a) {
  constexpr int W = lane_count<T>;
  if constexpr (W == 1) {
    *at(0) = {a.xyz.x, a.xyz.y, a.xyz.z, a.w};
  }
#if !defined(__CUDACC__)
  else if constexpr (W == 2) {
    const auto halves = [&](int k) { return reinterpret_cast<ScalarOf<T>*>(at(k)); };
    store<T>(halves(0), __builtin_shufflevector(a.xyz.x, a.xyz.y, 0, 2));
    store<T>(halves(0) + 2, __builtin_shufflevector(a.xyz.z, a.w, 0, 2));
    store<T>(halves(1), __builtin_shufflevector(a.xyz.x, a.xyz.y, 1, 3));
    store<T>(halves(1) + 2, __builtin_shufflevector(a.xyz.z, a.w, 1, 3));
  } else {
    const Lane4<T> row = rows::transposed(a.xyz.x, a.xyz.y, a.xyz.z, a.w, rows::Count<W>{});
    rows::store_every_fourth([&](int k) { return at(k); }, row.xyz.x);
    rows::store_every_fourth([&](int k) { return at(k + 1); }, row.xyz.y);
    rows::store_every_fourth([&](int k) { return at(k + 2); }, row.xyz.z);
    rows::store_every_fourth([&](int k) { return at(k + 3); }, row.w);
  }
#endif
}

// Positions of the W vertices index[0..W).
template <class T, class Index>
SINEW_INLINE Lane4<T> gather(const Vec4<ScalarOf<T>>* x, const Index* index) {
  return load_transposed<T>([=](int k) { return x + index[k]; });
}
template <class T>
SINEW_INLINE void scatter(Vec4<ScalarOf<T>>* x, const int32_t* index, const Lane4<T>& a) {
  store_transposed([=](int k) { return x + index[k]; }, a);
}
// Positions of W vertices side by side.
template <class T>
SINEW_INLINE Lane4<T> load4(const Vec4<ScalarOf<T>>* x) {
  return load_transposed<T>([=](int k) { return x + k; });
}
template <class T>
SINEW_INLINE void store4(Vec4<ScalarOf<T>>* x, const Lane4<T>& a) {
  store_transposed([=](int k) { return x + k; }, a);
}

}  // namespace sinew
