// Options of a picture. The defaults are good for a still on a slide.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "math/vec.h"
#include "render/color_map.h"

namespace sinew {

// A photographer's rig that turns with the camera: a soft key light, a bright dome, a glow from behind.
// Radiances are relative to a perfectly white, unshadowed ground.
struct Lighting {
  double key_azimuth_degrees = 50;    // to the left of the camera, seen from the scene
  double key_elevation_degrees = 48;  // above the ground, [5, 90]
  double key_radius_degrees = 7;      // angular radius of the lamp; larger is softer, [0, 40]
  float key = 0.80f;                  // irradiance on a surface facing it, over pi
  Vec3f key_color{1.0f, 0.965f, 0.91f};
  Vec3f zenith{0.34f, 0.36f, 0.39f};    // the dome's radiance overhead
  Vec3f horizon{0.25f, 0.26f, 0.275f};  // at the horizon
  Vec3f nadir{0.24f, 0.235f, 0.23f};    // below, if there is no ground
  float rim = 0.70f;                    // radiance of the glow behind the scene to the right
};

// A colour and its meaning.
struct LegendEntry {
  std::string name;  // UTF-8
  Vec3f color;       // linear
};

enum class Shading { as_given, smooth, flat };

struct RenderOptions {
  int width = 1280;  // limits: base/picture_size.h
  int height = 720;
  int samples = 32;  // paths per pixel at edges and where light is noisy, 4 elsewhere, [1, 4096]
  int bounces = 1;   // of light between surfaces, [0, 8]; the rest is replaced by a constant
  bool denoise = true;
  int threads = 0;                               // 0: all. The picture does not depend on it.
  int lanes = 0;                                 // SIMD width: 4, 8, 16, or 0: sinew/lanes.h; changes only last bits
  const std::atomic<bool>* interrupt = nullptr;  // set it to end; the result is then an Error
  uint32_t seed = 0;  // of the sampling pattern; constant in a film, so that residual noise does not flicker

  bool ground = true;
  std::optional<double> ground_height;      // along the up axis [m]; absent: the lowest point of this frame
  Vec3f ground_color{0.80f, 0.80f, 0.80f};  // as seen without shadow, linear
  double ground_square = 0;                 // side of the squares on the ground [m], 0: none
  float ground_contrast = 0.16f;            // relative darkening of every second square, [0, 1]
  Vec3f background_top{0.62f, 0.64f, 0.67f};
  Vec3f background_bottom{0.86f, 0.86f, 0.86f};
  Lighting light;
  float exposure = 1;

  Shading shading = Shading::as_given;
  double crease_degrees = 70;  // edges sharper than this stay sharp under smooth shading
  float gloss = 1;             // 0: matte, 1: like plastic
  float roughness = 0.42f;     // of the gloss, [0.1, 1]
  bool wireframe = false;
  float wire_width = 1.1f;  // [pixels]

  // Values to colours. Without a range it is taken from the values of this frame.
  ColorMap color_map = ColorMap::viridis;
  std::optional<float> value_min, value_max;
  bool legend = true;                       // drawn if any mesh has values
  std::vector<LegendEntry> legend_entries;  // drawn if not empty
  std::string legend_title;
  std::string legend_unit;  // "" for none; "-" for dimensionless is not shown either
  std::string caption;      // bottom left, UTF-8
  std::string stamp;        // bottom right, e.g. "t = 1.25 s"
};

inline bool is_interrupted(const RenderOptions& options) {
  return options.interrupt && options.interrupt->load();
}

}  // namespace sinew
