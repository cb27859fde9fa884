// Wavefront OBJ surfaces: 'v x y z' and 'f a b c ...' lines; texture coordinates, normals, groups and materials are
// skipped.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "io/mesh_data.h"
#include "io/text_writer.h"

namespace sinew {

Result<MeshData> parse_obj(std::string_view bytes, std::string_view name);
std::string encode_obj(const SurfaceMesh& mesh);
// A line of it.
void put_obj(TextWriter& out, const Vec3d& vertex);
void put_obj(TextWriter& out, const Triangle& triangle);

}  // namespace sinew
