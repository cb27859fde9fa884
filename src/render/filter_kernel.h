// One pass of an edge-avoiding a-trous wavelet: H. Dammertz et al., HPG 2010, with the luminance weight scaled by the
// estimated noise: C. Schied et al., "Spatiotemporal Variance-Guided Filtering", HPG 2017 (its spatial part).
#pragma once

#include "render/kernels.h"

namespace sinew {
namespace {

constexpr float cost_of_turn = 40;       // 1 - cos between normals of 1/40 costs one unit
constexpr float cost_of_coverage = 4;    // of the share of the pixel covered by a surface
constexpr float plane_tolerance = 1.5f;  // pixels off the tangent plane, per step
constexpr float noise_tolerance = 3.5f;  // standard deviations of the mean

// Sixteen pixels of a row from x on; beyond the ends the last pixel is repeated.
SINEW_INLINE Floats fetch(const float* row, int x, int width) {
  Floats v;
  if (x >= 0 && x + packet_size <= width) {
    std::memcpy(&v, row + x, sizeof v);
  } else {
    for (int k = 0; k < packet_size; ++k) {
      const int at = x + k < 0 ? 0 : x + k < width ? x + k : width - 1;
      v[k] = row[at];
    }
  }
  return v;
}
SINEW_INLINE Vectors fetch(const float* const planes[3], ptrdiff_t row, int x, int width) {
  return {fetch(planes[0] + row, x, width), fetch(planes[1] + row, x, width), fetch(planes[2] + row, x, width)};
}

// The noise of a pixel is estimated from only a few samples; that of its neighbours is similar.
SINEW_INLINE Floats smoothed_variance(const FilterPass& f, int x, int y) {
  Floats sum = all(0);
  for (int dy = -1; dy <= 1; ++dy) {
    const int qy = y + dy < 0 ? 0 : y + dy < f.height ? y + dy : f.height - 1;
    const float* row = f.variance + static_cast<ptrdiff_t>(qy) * f.width;
    const Floats across = fetch(row, x - 1, f.width) + 2.0f * fetch(row, x, f.width) + fetch(row, x + 1, f.width);
    sum += (dy == 0 ? 2.0f : 1.0f) * across;
  }
  return sum * (1 / 16.0f);
}

SINEW_INLINE Floats brightness(const Floats (&light)[6]) {
  return 0.2126f * (light[0] + light[3]) + 0.7152f * (light[1] + light[4]) + 0.0722f * (light[2] + light[5]);
}

void filter_row(const FilterPass& f, int y) {
  constexpr float kernel[] = {0.375f, 0.25f, 0.0625f};
  const ptrdiff_t row = static_cast<ptrdiff_t>(y) * f.width;
  const Mask lane = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  for (int x = 0; x < f.width; x += packet_size) {
    const Vectors normal = fetch(f.normal, row, x, f.width), position = fetch(f.position, row, x, f.width);
    const Floats coverage = fetch(f.coverage + row, x, f.width);
    Floats light[6];
    for (int c = 0; c < 6; ++c) light[c] = fetch(f.light[c] + row, x, f.width);
    const Floats bright = brightness(light);
    const Floats noise = (1 / noise_tolerance) / (root(smoothed_variance(f, x, y)) + 1e-4f);
    const Vectors from_eye = position - all(f.eye);
    const Floats nearness =
        1.0f / (plane_tolerance * static_cast<float>(f.step) * f.pixel * root(dot(from_eye, from_eye)) + 1e-30f);

    Floats weights = all(0), variance = all(0), sums[6];
    for (Floats& s : sums) s = all(0);
    for (int dy = -2; dy <= 2; ++dy) {
      const int qy = y + dy * f.step;
      if (qy < 0 || qy >= f.height) continue;
      const ptrdiff_t q_row = static_cast<ptrdiff_t>(qy) * f.width;
      for (int dx = -2; dx <= 2; ++dx) {
        const int qx = x + dx * f.step;
        if (qx + packet_size <= 0 || qx >= f.width) continue;
        const Vectors q_normal = fetch(f.normal, q_row, qx, f.width), q = fetch(f.position, q_row, qx, f.width);
        const Floats q_coverage = fetch(f.coverage + q_row, qx, f.width);
        Floats q_light[6];
        for (int c = 0; c < 6; ++c) q_light[c] = fetch(f.light[c] + q_row, qx, f.width);

        const Floats cost = cost_of_turn * (1.0f - dot(normal, q_normal)) + abs(dot(normal, q - position)) * nearness +
                            abs(brightness(q_light) - bright) * noise + cost_of_coverage * abs(q_coverage - coverage);
        // (1 - c/4)^4, nearly exp(-c), and zero from 4 on.
        Floats w = at_least(1.0f - 0.25f * cost, 0);
        w *= w;
        w *= w * (kernel[dx < 0 ? -dx : dx] * kernel[dy < 0 ? -dy : dy]);
        const Mask column = lane + qx;
        w = select((column >= 0) & (column < f.width), w, all(0));
        weights += w;
        for (int c = 0; c < 6; ++c) sums[c] += w * q_light[c];
        variance += w * w * fetch(f.variance + q_row, qx, f.width);
      }
    }

    const Floats share = 1.0f / at_least(weights, 1e-6f);
    const int count = f.width - x < packet_size ? f.width - x : packet_size;
    const auto keep = [&](float* plane, Floats value) { std::memcpy(plane + row + x, &value, sizeof(float) * count); };
    for (int c = 0; c < 6; ++c) keep(f.out_light[c], share * sums[c]);
    keep(f.out_variance, share * share * variance);
  }
}

}  // namespace
}  // namespace sinew
