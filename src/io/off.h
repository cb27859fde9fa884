// OFF surfaces (Geomview): OFF, COFF, NOFF, ... in text form; colours and normals are skipped.
#pragma once

#include <string_view>

#include "base/result.h"
#include "io/mesh_data.h"

namespace sinew {

Result<MeshData> parse_off(std::string_view bytes, std::string_view name);

}  // namespace sinew
