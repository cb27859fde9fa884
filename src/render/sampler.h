// Sample points: the first two dimensions of Sobol's sequence, Owen-scrambled by hashing (B. Burley, "Practical
// Hash-based Owen Scrambling", JCGT 2020), taken along a shuffled Morton curve over the pixels (A. Ahmed and P. Wonka,
// "Screen-Space Blue-Noise Diffusion of Monte Carlo Sampling Error via Hierarchical Ordering of Pixels", 2020).
// Any power of two of samples of a pixel, and of neighbouring pixels together, is well distributed: the remaining error
// is fine grain, which the eye and the denoiser remove best. Integer arithmetic only, hence identical on all machines.
#pragma once

#include <cstdint>

#include "render/packet.h"

namespace sinew {

SINEW_INLINE uint32_t hash32(uint32_t x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ x >> 16;
}

template <class T>
SINEW_INLINE T reverse_bits(T x) {
  x = x >> 16 | x << 16;
  x = (x & 0xff00ff00u) >> 8 | (x & 0x00ff00ffu) << 8;
  x = (x & 0xf0f0f0f0u) >> 4 | (x & 0x0f0f0f0fu) << 4;
  x = (x & 0xccccccccu) >> 2 | (x & 0x33333333u) << 2;
  return (x & 0xaaaaaaaau) >> 1 | (x & 0x55555555u) << 1;
}

// Each bit is flipped by a hash of the bits below it (constants: N. Vegdahl, 2021).
template <class T>
SINEW_INLINE T scramble_upward(T x, uint32_t seed) {
  x ^= x * 0x3d20adeau;
  x += seed;
  x *= seed >> 16 | 1;
  x ^= x * 0x05526c56u;
  return x ^ x * 0x53a22864u;
}

SINEW_INLINE uint32_t spread_bits(uint32_t x) {
  x &= 0xffff;
  x = (x | x << 8) & 0x00ff00ffu;
  x = (x | x << 4) & 0x0f0f0f0fu;
  x = (x | x << 2) & 0x33333333u;
  return (x | x << 1) & 0x55555555u;
}

struct SamplePairs {
  Floats u, v;  // in [0, 1)
};

// For the blocks of path_kernel.h, whose corner has even coordinates.
class BlockSampler {
 public:
  // samples <= 4096. The pattern repeats after 1024 pixels in either direction (512 for more than 1024 samples), with a
  // new seed.
  SINEW_INLINE BlockSampler(int x, int y, int samples, uint32_t seed) {
    uint32_t bits = 2;  // a packet has four
    while (1 << bits < samples) ++bits;
    const uint32_t mask = bits > 10 ? 511 : 1023;
    const uint32_t px = static_cast<uint32_t>(x), py = static_cast<uint32_t>(y);
    const Words lane = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    first_ = (((spread_bits(px & mask) | spread_bits(py & mask) << 1) + (lane >> 2)) << bits) + (lane & 3u);
    seed_ = hash32(seed ^ hash32((px & ~mask) * 0x9e3779b1u ^ (py & ~mask) * 0x85ebca77u));
  }

  // Points `sample` to `sample` + 3 of each pixel in the given pair of dimensions.
  SINEW_INLINE SamplePairs pairs(uint32_t sample, uint32_t dimension) const {
    const uint32_t seed = seed_ + dimension * 0x632be5abu;
    const Words index = reverse_bits(scramble_upward(reverse_bits(first_ + sample), hash32(seed)));
    // Bit j of the second Sobol dimension is the sum of those index bits k for which C(k, j) is odd.
    Words other = index;
    other ^= other >> 16;
    other ^= (other >> 8) & 0x00ff00ffu;
    other ^= (other >> 4) & 0x0f0f0f0fu;
    other ^= (other >> 2) & 0x33333333u;
    other ^= (other >> 1) & 0x55555555u;
    return {to_float(reverse_bits(scramble_upward(index, hash32(seed + 0x3504f333u)))),
            to_float(reverse_bits(scramble_upward(other, hash32(seed + 0x68b4a1d7u))))};
  }

 private:
  static SINEW_INLINE Floats to_float(Words x) {
    return __builtin_convertvector(__builtin_convertvector(x >> 8, Mask), Floats) * 0x1p-24f;
  }

  Words first_;  // by lane
  uint32_t seed_;
};

}  // namespace sinew
