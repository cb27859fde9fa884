// What the coordinates of single precision are relative to: those of point caches, of the OBJ files beside them, and of
// pictures. Far from 0 they have digits for their size and none for their shape (4.5e6 m away the next one is 0.5 m
// off).
#pragma once

#include <span>
#include <string>

#include "math/vec.h"
#include "record/surface_store.h"

namespace sinew {

// 0 where the surfaces at rest are no farther from it than 64 times their size; else near their middle, in whole powers
// of ten of about that size.
Vec3d origin_of(std::span<const RecordedSurface> surfaces);

// surface/origin.json
std::string encode_origin(const Vec3d& origin);

}  // namespace sinew
