// Checks, before its meshes are made, whether a scene is too large for this machine.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "sinew/scene.h"

namespace sinew {

// `available` is in bytes. Counts the meshes that the scene generates; files are read whatever their size.
Status check_size(const Scene& scene, int64_t available);

}  // namespace sinew
