// PLY polygons (G. Turk, The PLY Polygon File Format, 1994): text, binary little and big endian; properties other
// than x, y, z and the faces' vertex lists are skipped.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "io/mesh_data.h"

namespace sinew {

Result<MeshData> parse_ply(std::string_view bytes, std::string_view name);
// Binary little endian, coordinates in double precision.
std::string encode_ply(const SurfaceMesh& mesh);

}  // namespace sinew
