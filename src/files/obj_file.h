// A surface as an OBJ file, written piece by piece.
#pragma once

#include <filesystem>
#include <span>

#include "base/result.h"
#include "mesh/tet_mesh.h"

namespace sinew {

// With coordinates relative to an origin, which a comment states where it is not 0. The file appears whole or not at
// all.
Status write_obj(const std::filesystem::path& path, std::span<const Vec3d> vertices,
                 std::span<const Triangle> triangles, const Vec3d& origin = {});

}  // namespace sinew
