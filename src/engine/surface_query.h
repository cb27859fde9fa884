// Rays and nearest points on the surfaces of a simulation, as they are now. Every triangle is looked at.
#pragma once

#include <optional>

#include "engine/engine.h"
#include "sinew/live.h"

namespace sinew {

// Among hits at one distance the first triangle's. `direction`: of length 1.
std::optional<SurfacePoint> cast_ray(Engine& engine, Vec3d origin, Vec3d direction);
std::optional<SurfacePoint> nearest_point(Engine& engine, Vec3d point);

}  // namespace sinew
