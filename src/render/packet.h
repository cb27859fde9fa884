// Sixteen samples side by side. All functions are inlined: this header is compiled once per instruction set.
#pragma once

#include <cstdint>

#include "math/lane.h"

namespace sinew {

using Floats = Lane<float, 16>;
using Words = Lane<uint32_t, 16>;
using Mask = Lane<int32_t, 16>;  // -1 or 0 in each lane
using Vectors = Vec3<Floats>;

constexpr int packet_size = 16, pixels_in_block = 4, samples_in_packet = packet_size / pixels_in_block;

SINEW_INLINE Floats all(float s) {
  return Floats{} + s;
}
SINEW_INLINE Vectors all(Vec3f v) {
  return {all(v.x), all(v.y), all(v.z)};
}
SINEW_INLINE Floats select(Mask m, Floats a, Floats b) {
  return m ? a : b;
}
SINEW_INLINE Vectors select(Mask m, Vectors a, Vectors b) {
  return {select(m, a.x, b.x), select(m, a.y, b.y), select(m, a.z, b.z)};
}
SINEW_INLINE Floats clamp(Floats a, float low, float high) {
  a = a < low ? all(low) : a;
  return a > high ? all(high) : a;
}
SINEW_INLINE Floats at_least(Floats a, float low) {
  return a < low ? all(low) : a;
}

SINEW_INLINE Floats magnitude(Floats a) {
  return a < 0.0f ? -a : a;
}
// For numbers in the range of int32.
SINEW_INLINE Floats fraction(Floats a) {
  const Floats whole = __builtin_convertvector(__builtin_convertvector(a, Mask), Floats), rest = a - whole;
  return rest < 0.0f ? rest + 1.0f : rest;
}

SINEW_INLINE Floats root(Floats a) {
#if defined(__AVX512F__)
  return sqrt(a);
#else
#if defined(__AVX__)
  using Part = Lane<float, 8>;
#else
  using Part = Lane<float, 4>;
#endif
  constexpr int parts = sizeof(Floats) / sizeof(Part);
  Part part[parts];
  std::memcpy(part, &a, sizeof a);
  for (Part& p : part) p = sqrt(p);
  std::memcpy(&a, part, sizeof a);
  return a;
#endif
}

SINEW_INLINE Vectors normalised(Vectors v) {
  return (1.0f / root(at_least(dot(v, v), 1e-30f))) * v;
}
SINEW_INLINE Vectors multiply(Vectors a, Vectors b) {
  return {a.x * b.x, a.y * b.y, a.z * b.z};
}

SINEW_INLINE Floats luminance(const Vectors& c) {
  return 0.2126f * c.x + 0.7152f * c.y + 0.0722f * c.z;
}

SINEW_INLINE bool any(Mask m) {
  int32_t joined = 0;
  for (int k = 0; k < packet_size; ++k) joined |= m[k];
  return joined != 0;
}
// In the order of the lanes.
SINEW_INLINE float sum(Floats a) {
  float total = 0;
  for (int k = 0; k < packet_size; ++k) total += a[k];
  return total;
}
SINEW_INLINE Vec3f sum(Vectors v) {
  return {sum(v.x), sum(v.y), sum(v.z)};
}

SINEW_INLINE Floats smoothstep(float low, float high, Floats x) {
  const Floats t = clamp((x - low) * (1 / (high - low)), 0, 1);
  return t * t * (3.0f - 2.0f * t);
}

struct Frames {
  Vectors t, b, n;
};
// See basis_around in vector.h.
SINEW_INLINE Frames frames_around(Vectors n) {
  const Floats sign = n.z < 0.0f ? all(-1) : all(1);
  const Floats a = -1.0f / (sign + n.z), b = n.x * n.y * a;
  return {{1.0f + sign * n.x * n.x * a, sign * b, -sign * n.x}, {b, sign + n.y * n.y * a, -n.y}, n};
}
SINEW_INLINE Vectors to_world(const Frames& f, Vectors v) {
  return v.x * f.t + v.y * f.b + v.z * f.n;
}

// From the square to the unit disc: P. Shirley and K. Chiu, 1997. z is the squared radius. Polynomials, so that no
// pixel depends on a library's sine.
SINEW_INLINE Vectors disc(Floats u, Floats v) {
  const Floats a = 2.0f * u - 1.0f, b = 2.0f * v - 1.0f;
  const Mask wide = a * a > b * b;
  const Floats radius = select(wide, a, b);
  const Floats ratio = select(wide, b, a) / select(radius == 0.0f, all(1), radius);
  const Floats phi = 0.785398163f * ratio, p2 = phi * phi;
  const Floats sine = phi * (1.0f - p2 * (1 / 6.0f - p2 * (1 / 120.0f - p2 * (1 / 5040.0f))));
  const Floats cosine = 1.0f - p2 * (0.5f - p2 * (1 / 24.0f - p2 * (1 / 720.0f)));
  return {radius * select(wide, cosine, sine), radius * select(wide, sine, cosine), radius * radius};
}

// Proportional to the cosine with the frame's normal.
SINEW_INLINE Vectors on_hemisphere(const Frames& frames, Floats u, Floats v) {
  const Vectors d = disc(u, v);
  return to_world(frames, {d.x, d.y, root(at_least(1.0f - d.z, 0))});
}

}  // namespace sinew
