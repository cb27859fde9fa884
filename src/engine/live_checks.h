// What several kinds of live changes check of what they are given.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "engine/engine.h"

namespace sinew {

// Errors: not within +-1e18, as vectors in scenes, whose squares are numbers in single precision too.
Status check_vector(const char* what, const Real3& v);
// Errors: weights that do not add up to 1.
Status check_weights(const SurfacePoint& point);
// The slots of vertices in user order. Errors: none, one that is not there, one twice.
Result<std::vector<int32_t>> slots_of(const Engine& engine, std::span<const int32_t> vertices);

// A pose of a pin or a collider.
Status check_pose(const PinPose& pose);

}  // namespace sinew
