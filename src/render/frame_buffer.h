// The path tracer's output per pixel: light separated from colour, so that the denoiser can smooth the one without the
// other, and its guides.
//   picture = backdrop + albedo * diffuse + specular
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace sinew {

struct FrameBuffer {
  using Plane = std::vector<float>;

  int width = 0, height = 0;
  std::array<Plane, 3> diffuse;   // light that reaches the surface, over pi
  std::array<Plane, 3> specular;  // light it reflects without colouring it
  std::array<Plane, 3> albedo;    // mean over the pixel, zero if only the background is visible
  std::array<Plane, 3> backdrop;  // background, weighted by its share of the pixel
  std::array<Plane, 3> normal;    // mean over the pixel
  std::array<Plane, 3> position;  // of the mean hit
  Plane variance;                 // of the mean luminance of diffuse + specular
  Plane coverage;                 // share of the pixel covered by a surface

  void resize(int w, int h) {
    width = w;
    height = h;
    const size_t count = static_cast<size_t>(w) * h;
    for (auto* planes : {&diffuse, &specular, &albedo, &backdrop, &normal, &position})
      for (Plane& plane : *planes) plane.resize(count);
    variance.resize(count);
    coverage.resize(count);
  }
};

}  // namespace sinew
