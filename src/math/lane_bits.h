// Comparisons of lanes as bits of an integer, to count and visit the lanes in which they hold.
#pragma once

#include <cstdint>

#include "math/lane.h"

namespace sinew {

// Bit k: whether lane k of the mask holds. At most 32 lanes.
template <class M>
SINEW_INLINE uint32_t bits_of(M mask) {
  if constexpr (std::is_same_v<M, bool>) {
    return mask;
  }
#if defined(__AVX512DQ__)
  else if constexpr (sizeof(M) == 64 && sizeof(mask[0]) == 4) {
    return _mm512_movepi32_mask(reinterpret_cast<__m512i>(mask));
  }
#endif
#if defined(__AVX__)
  else if constexpr (sizeof(M) == 32 && sizeof(mask[0]) == 4) {
    return static_cast<uint32_t>(_mm256_movemask_ps(reinterpret_cast<__m256>(mask)));
  }
#endif
#if defined(__SSE2__) && !defined(__CUDACC__)
  else if constexpr (sizeof(M) == 16 && sizeof(mask[0]) == 4) {
    return static_cast<uint32_t>(_mm_movemask_ps(reinterpret_cast<__m128>(mask)));
  }
#endif
  else {
    uint32_t bits = 0;
    for (size_t k = 0; k < sizeof(M) / sizeof(mask[0]); ++k) bits |= static_cast<uint32_t>(mask[k] != 0) << k;
    return bits;
  }
}

// Bit k: whether a[j] <= b[j] in lane k for every j < count.
template <int count, class T>
SINEW_INLINE uint32_t bits_where_none_above(const T* a, const T* b) {
#if defined(__AVX512F__)
  // Compilers would make vectors of these masks, and masks of the vectors.
  if constexpr (std::is_same_v<T, Lane<float, 16>>) {
    const auto with = [&](__mmask16 bits, int j) SINEW_INLINE_LAMBDA {
      return _mm512_mask_cmp_ps_mask(bits, reinterpret_cast<__m512>(a[j]), reinterpret_cast<__m512>(b[j]), _CMP_LE_OQ);
    };
    __mmask16 even = 0xFFFF, odd = 0xFFFF;
#pragma GCC unroll 8
    for (int j = 0; j + 1 < count; j += 2) {
      even = with(even, j);
      odd = with(odd, j + 1);
    }
    if (count % 2) even = with(even, count - 1);
    uint32_t bits = even & odd;
    // Else g++ moves what is computed from them back into mask registers.
    asm("" : "+r"(bits));
    return bits;
  } else
#endif
  {
    auto mask = a[0] <= b[0];
#pragma GCC unroll 8
    for (int j = 1; j < count; ++j) mask = mask & (a[j] <= b[j]);
    return bits_of(mask);
  }
}

// Stores the lanes of `a` whose bits are set, one after the other. What follows them may be overwritten, as far as all
// lanes reach.
template <class T>
SINEW_INLINE void store_lanes_of(uint32_t bits, int32_t* p, T a) {
#if defined(__AVX512F__)
  if constexpr (std::is_same_v<T, Lane<int32_t, 16>>) {
    asm("" : "+r"(bits));
    // Not the instruction that stores by itself: some processors take hundreds of cycles for it.
    _mm512_storeu_si512(p, _mm512_maskz_compress_epi32(static_cast<__mmask16>(bits), reinterpret_cast<__m512i>(a)));
  } else
#endif
  {
    for (; bits; bits &= bits - 1) *p++ = a[__builtin_ctz(bits)];
  }
}

}  // namespace sinew
