// Edge-avoiding a-trous wavelets: H. Dammertz et al., HPG 2010, with the luminance weight scaled by the estimated
// noise: C. Schied et al., "Spatiotemporal Variance-Guided Filtering", HPG 2017 (its spatial part).
#include "render/denoise.h"

#include <algorithm>
#include <cmath>

#include "render/parallel_rows.h"
#include "render/vector.h"

namespace sinew {
namespace {

using Plane = FrameBuffer::Plane;

constexpr float normal_weight = 40;  // 1 - cos between normals of 1/40 costs one unit
constexpr float noise_weight = 1 / 3.5f;

Plane luminance_of(const FrameBuffer& f) {
  Plane l(f.variance.size());
  for (size_t i = 0; i < l.size(); ++i)
    l[i] = 0.2126f * (f.diffuse[0][i] + f.specular[0][i]) + 0.7152f * (f.diffuse[1][i] + f.specular[1][i]) +
           0.0722f * (f.diffuse[2][i] + f.specular[2][i]);
  return l;
}

// The noise of one pixel is itself known only from a few samples; its neighbours' is much the same.
Plane blurred(const Plane& plane, int width, int height, ThreadPool& pool) {
  Plane out(plane.size());
  parallel_rows(pool, height, [&](int y) {
    for (int x = 0; x < width; ++x) {
      float sum = 0, weights = 0;
      for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
          const int qx = std::clamp(x + dx, 0, width - 1), qy = std::clamp(y + dy, 0, height - 1);
          const float w = static_cast<float>((2 - dx * dx) * (2 - dy * dy));
          sum += w * plane[static_cast<size_t>(qy) * width + qx];
          weights += w;
        }
      }
      out[static_cast<size_t>(y) * width + x] = sum / weights;
    }
  });
  return out;
}

}  // namespace

void denoise(FrameBuffer& frame, float pixel_angle, Vec3f eye, ThreadPool& pool) {
  const int width = frame.width, height = frame.height;
  const size_t count = frame.variance.size();
  Plane tolerance(count);  // 1 over the distance from the tangent plane that costs one unit, at step 1
  for (size_t i = 0; i < count; ++i) {
    const Vec3f p{frame.position[0][i], frame.position[1][i], frame.position[2][i]};
    tolerance[i] = frame.coverage[i] > 0 ? 1 / (1.5f * pixel_angle * length(p - eye) + 1e-30f) : 0.0f;
  }

  std::array<Plane, 3> next_diffuse = frame.diffuse, next_specular = frame.specular;
  Plane next_variance(count);
  constexpr float kernel[] = {0.375f, 0.25f, 0.0625f};
  for (int level = 0; level < 5; ++level) {
    const int step = 1 << level;
    const Plane light = luminance_of(frame);
    const Plane noise = blurred(frame.variance, width, height, pool);
    parallel_rows(pool, height, [&](int y) {
      // A row at a time, tap by tap, so that the inner loop runs over neighbouring pixels.
      std::vector<float> sums(8 * static_cast<size_t>(width), 0.0f), scale(width);
      float* sum[8];
      for (int c = 0; c < 8; ++c) sum[c] = &sums[static_cast<size_t>(c) * width];
      const size_t row = static_cast<size_t>(y) * width;
      for (int x = 0; x < width; ++x) scale[x] = noise_weight / (std::sqrt(noise[row + x]) + 1e-4f);

      for (int dy = -2; dy <= 2; ++dy) {
        const int qy = y + dy * step;
        if (qy < 0 || qy >= height) continue;
        for (int dx = -2; dx <= 2; ++dx) {
          const float h = kernel[std::abs(dx)] * kernel[std::abs(dy)];
          const int shift = dx * step;
          const int begin = std::max(0, -shift), end = std::min(width, width - shift);
          const ptrdiff_t to_q = static_cast<ptrdiff_t>(qy - y) * width + shift;
          const float inverse_step = 1 / static_cast<float>(step);
          const float *nx = &frame.normal[0][row], *ny = &frame.normal[1][row], *nz = &frame.normal[2][row];
          const float *px = &frame.position[0][row], *py = &frame.position[1][row], *pz = &frame.position[2][row];
          const float *l = &light[row], *t = &tolerance[row], *v = &frame.variance[row], *cover = &frame.coverage[row];
          const float *d0 = &frame.diffuse[0][row], *d1 = &frame.diffuse[1][row], *d2 = &frame.diffuse[2][row];
          const float *s0 = &frame.specular[0][row], *s1 = &frame.specular[1][row], *s2 = &frame.specular[2][row];
          for (int x = begin; x < end; ++x) {
            const ptrdiff_t q = x + to_q;
            const float turn = 1 - (nx[x] * nx[q] + ny[x] * ny[q] + nz[x] * nz[q]);
            const float off = nx[x] * (px[q] - px[x]) + ny[x] * (py[q] - py[x]) + nz[x] * (pz[q] - pz[x]);
            const float cost = normal_weight * turn + std::abs(off) * t[x] * inverse_step +
                               std::abs(l[q] - l[x]) * scale[x] + 4 * std::abs(cover[q] - cover[x]);
            // (1 - c/4)^4, nearly exp(-c), and zero from 4 on.
            float w = 1 - 0.25f * cost;
            w = w > 0 ? w : 0;
            w *= w;
            w *= w * h;
            sum[0][x] += w;
            sum[1][x] += w * d0[q];
            sum[2][x] += w * d1[q];
            sum[3][x] += w * d2[q];
            sum[4][x] += w * s0[q];
            sum[5][x] += w * s1[q];
            sum[6][x] += w * s2[q];
            sum[7][x] += w * w * v[q];
          }
        }
      }
      for (int x = 0; x < width; ++x) {
        const size_t i = row + x;
        const float share = 1 / std::max(sum[0][x], 1e-6f);
        for (int c = 0; c < 3; ++c) {
          next_diffuse[c][i] = share * sum[1 + c][x];
          next_specular[c][i] = share * sum[4 + c][x];
        }
        next_variance[i] = share * share * sum[7][x];
      }
    });
    std::swap(frame.diffuse, next_diffuse);
    std::swap(frame.specular, next_specular);
    std::swap(frame.variance, next_variance);
  }
}

}  // namespace sinew
