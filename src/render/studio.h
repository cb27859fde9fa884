// Studio lighting: a soft key lamp, a dome that darkens towards the horizon, a glow behind the scene.
#pragma once

#include "render/packet.h"
#include "render/render_options.h"
#include "render/vector.h"

namespace sinew {

struct Studio {
  Vec3f up, rim_direction;
  Basis lamp;       // n points to its centre
  Vec3f key;        // irradiance on a surface that faces the lamp, over pi
  float key_slope;  // tan of the lamp's angular radius
  Vec3f zenith, horizon, nadir;
  float rim;
};

// The lamps are placed relative to the camera's view.
inline Studio make_studio(const Lighting& light, Vec3f up, Vec3f view) {
  Vec3f back = -(view - dot(view, up) * up);
  if (length(back) < 1e-3f) back = basis_around(up).t;
  back = normalised(back);
  const Vec3f left = cross(back, up);
  const auto direction = [&](double azimuth_degrees, double elevation_degrees) {
    const auto azimuth = static_cast<float>(azimuth_degrees * M_PI / 180);
    const auto elevation = static_cast<float>(elevation_degrees * M_PI / 180);
    return std::cos(elevation) * (std::cos(azimuth) * back + std::sin(azimuth) * left) + std::sin(elevation) * up;
  };
  Studio studio;
  studio.up = up;
  studio.lamp = basis_around(direction(light.key_azimuth_degrees, light.key_elevation_degrees));
  studio.rim_direction = direction(-145, 28);
  studio.key = light.key * light.key_color;
  studio.key_slope = static_cast<float>(std::tan(light.key_radius_degrees * M_PI / 180));
  studio.zenith = light.zenith;
  studio.horizon = light.horizon;
  studio.nadir = light.nadir;
  studio.rim = light.rim;
  return studio;
}

// Radiance of the dome from unit directions.
SINEW_INLINE Vectors sky(const Studio& studio, Vectors d) {
  const Floats height = dot(d, all(studio.up));
  const Mask above = height > 0.0f;
  const Vectors far = select(above, all(studio.zenith), all(studio.nadir)), horizon = all(studio.horizon);
  const Floats t = select(above, height, -height);
  // A lobe about 25 degrees wide: broad enough for few samples to find it.
  Floats lobe = at_least(dot(d, all(studio.rim_direction)), 0);
  lobe *= lobe;
  lobe *= lobe;
  lobe *= lobe * studio.rim;
  return horizon + (t * (2.0f - t)) * (far - horizon) + Vectors{lobe, lobe, lobe};
}

}  // namespace sinew
