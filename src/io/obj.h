// Wavefront OBJ surfaces: 'v x y z' and 'f a b c ...' lines; texture, normals, groups and materials are passed over.
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
// The same into a file, piece by piece, with coordinates relative to an origin, which a comment tells where it is not
// 0. It appears whole or not at all.
Status write_obj(const std::filesystem::path& path, std::span<const Vec3d> vertices,
                 std::span<const Triangle> triangles, const Vec3d& origin = {});

}  // namespace sinew
