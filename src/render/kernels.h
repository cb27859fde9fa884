// The inner loops of rendering. They are compiled once per instruction set (kernels_4.cpp and its siblings; the number
// is that of floats in a register), hence plain pointers, and nothing from the standard library that might be shared
// with the rest of the program.
#pragma once

#include <cstdint>

#include "render/studio.h"
#include "render/surface_soup.h"

struct RTCSceneTy;

namespace sinew {

// One frame's constants.
struct PathFrame {
  RTCSceneTy* scene;
  const Vec3f* positions;
  const uint32_t* indices;
  const uint16_t* look_of;
  const SurfaceSoup::Look* looks;
  const Vec3f* corner_normals;
  const float* corner_values;
  const Vec3f* colors;  // 257

  int width, height, samples, bounces;
  uint32_t seed;
  Vec3f eye, forward, right, above;
  float pixel;   // side of a pixel at unit distance
  Vec3f target;  // what the camera looks at
  float view;    // half the longer side of the picture at the target
  float skin;    // offset of ray origins from the surface

  Studio studio;
  Vec3f ambient;
  bool ground;
  float ground_height;
  Vec3f ground_albedo;
  float square;              // side of the squares on the ground; 0: none
  float square_contrast;     // share of the light that every second one absorbs
  Vec3f square_t, square_b;  // directions of their sides
  Vec3f background_top, background_bottom;

  float gloss, roughness;
  bool wireframe;
  float wire_width;

  // The planes of the frame buffer.
  float *diffuse[3], *specular[3], *albedo[3], *backdrop[3], *normal[3], *position[3], *variance, *coverage;
};

// One pass of the denoiser over the picture, with taps `step` pixels apart.
struct FilterPass {
  int width, height, step;
  Vec3f eye;
  float pixel;  // side of a pixel at unit distance
  const float *normal[3], *position[3], *coverage;
  const float *light[6], *variance;  // diffuse, specular; variance of their luminance
  float *out_light[6], *out_variance;
};

struct PictureKernels {
  // Two rows of pixels from an even one on.
  void (*trace_rows)(const PathFrame& frame, int y);
  // One row.
  void (*filter_row)(const FilterPass& pass, int y);
};

// With registers of 4, 8 or 16 floats; 0: those in use (sinew/lanes.h), at least 4. Null if the processor lacks them.
const PictureKernels* picture_kernels(int floats);

}  // namespace sinew
