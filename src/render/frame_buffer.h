// What the path tracer leaves for each pixel: light split from colour, so that the denoiser can smooth the one without
// touching the other, and the guides it needs.
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
  std::array<Plane, 3> albedo;    // mean over the pixel, zero where only the background shows
  std::array<Plane, 3> backdrop;  // background, with the weight it has in the pixel
  std::array<Plane, 3> normal;    // mean over the pixel
  std::array<Plane, 3> position;  // of the mean hit
  Plane variance;                 // of the mean luminance of diffuse + specular
  Plane coverage;                 // share of the pixel that shows a surface

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
