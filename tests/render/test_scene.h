// Small surfaces to render.
#pragma once

#include <cmath>

#include "render/camera.h"
#include "render/render_options.h"
#include "render/render_scene.h"

namespace sinew {

// A unit ball of 2 x rings x segments triangles (fewer at the poles, where some are degenerate).
inline RenderMesh make_ball(int rings, int segments) {
  RenderMesh mesh;
  mesh.name = "ball";
  for (int i = 0; i <= rings; ++i) {
    for (int k = 0; k < segments; ++k) {
      const double polar = M_PI * i / rings, azimuth = 2 * M_PI * k / segments;
      mesh.positions.push_back({static_cast<float>(std::sin(polar) * std::cos(azimuth)),
                                static_cast<float>(std::cos(polar)),
                                static_cast<float>(std::sin(polar) * std::sin(azimuth))});
    }
  }
  for (int i = 0; i < rings; ++i) {
    for (int k = 0; k < segments; ++k) {
      const int a = i * segments + k, b = i * segments + (k + 1) % segments;
      mesh.triangles.push_back({a, b, b + segments});
      mesh.triangles.push_back({a, b + segments, a + segments});
    }
  }
  return mesh;
}

inline Camera camera_in_front() {
  Camera camera;
  camera.eye = {0, 0.6, 6};
  camera.target = {0, 0, 0};
  return camera;
}

inline RenderOptions small_picture() {
  RenderOptions options;
  options.width = 120;
  options.height = 80;
  options.samples = 16;
  return options;
}

}  // namespace sinew
