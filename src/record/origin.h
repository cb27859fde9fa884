// The origin of single-precision coordinates: those of point caches, of their OBJ files, and of pictures. Far from 0
// they would lose the shape (at 4.5e6 m their spacing is 0.5 m).
#pragma once

#include <span>
#include <string>

#include "math/vec.h"
#include "record/surface_store.h"

namespace sinew {

// 0 if the surfaces at rest are within 64 x their size of it; else near their middle, rounded to a power of ten of
// about that size.
Vec3d origin_of(std::span<const RecordedSurface> surfaces);

// surface/origin.json
std::string encode_origin(const Vec3d& origin);

}  // namespace sinew
