// The light of the studio: a soft key lamp, a dome that darkens towards the horizon, a glow behind the scene.
#pragma once

#include "render/render_options.h"
#include "render/vector.h"

namespace sinew {

struct Studio {
  Vec3f up, key_direction, rim_direction;
  Vec3f key;        // irradiance on a surface that faces the lamp, over pi
  float key_slope;  // tan of the lamp's angular radius
  Vec3f zenith, horizon, nadir, rim;

  // View and up of the camera place the lamps.
  Studio(const Lighting& light, Vec3f up_axis, Vec3f view) : up(up_axis) {
    Vec3f back = -(view - dot(view, up) * up);
    if (length(back) < 1e-3f) back = basis_around(up).t;
    back = normalised(back);
    const Vec3f left = cross(back, up);  // to the viewer's left, as seen from the camera
    const auto direction = [&](double azimuth_degrees, double elevation_degrees) {
      const auto azimuth = static_cast<float>(azimuth_degrees * M_PI / 180);
      const auto elevation = static_cast<float>(elevation_degrees * M_PI / 180);
      return std::cos(elevation) * (std::cos(azimuth) * back + std::sin(azimuth) * left) + std::sin(elevation) * up;
    };
    key_direction = direction(light.key_azimuth_degrees, light.key_elevation_degrees);
    rim_direction = direction(-145, 28);
    key = light.key * light.key_colour;
    key_slope = static_cast<float>(std::tan(light.key_radius_degrees * M_PI / 180));
    zenith = light.zenith;
    horizon = light.horizon;
    nadir = light.nadir;
    rim = {light.rim, light.rim, light.rim};
  }

  // Radiance of the dome from a unit direction.
  SINEW_INLINE Vec3f sky(Vec3f d) const {
    const float height = dot(d, up);
    const Vec3f far = height > 0 ? zenith : nadir;
    const float t = height > 0 ? height : -height;
    // A lobe about 25 degrees wide: broad enough that few samples find it.
    float lobe = dot(d, rim_direction);
    lobe = lobe > 0 ? lobe * lobe : 0;
    lobe *= lobe;
    lobe *= lobe;
    return mix(horizon, far, t * (2 - t)) + lobe * rim;
  }
};

}  // namespace sinew
