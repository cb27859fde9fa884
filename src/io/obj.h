// Wavefront OBJ surfaces: 'v x y z' and 'f a b c ...' lines; texture coordinates, normals, groups and materials are
// skipped.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "io/mesh_data.h"

namespace sinew {

Result<MeshData> parse_obj(std::string_view bytes, std::string_view name);
std::string encode_obj(const SurfaceMesh& mesh);
// Writes a file piece by piece, with coordinates relative to an origin, stated in a comment if it is not 0. The file
// appears whole or not at all.
Status write_obj(const std::filesystem::path& path, std::span<const Vec3d> vertices,
                 std::span<const Triangle> triangles, const Vec3d& origin = {});

}  // namespace sinew
