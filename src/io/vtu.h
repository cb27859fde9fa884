// VTK's XML unstructured grids, .vtu: text, base64 and appended arrays, plain or zlib-compressed, in pieces or whole.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "io/mesh_data.h"

namespace sinew {

// Cell data with a name such as "region" become regions. The pieces of a file become one mesh.
Result<MeshData> parse_vtu(std::string_view bytes, std::string_view name);
// Appended raw data with 8-byte headers; regions as cell data "region".
std::string encode_vtu(const TetMesh& mesh);

}  // namespace sinew
