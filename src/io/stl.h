// STL surfaces, text and binary. STL repeats every vertex in each of its triangles: identical ones are merged.
#pragma once

#include <string_view>

#include "base/result.h"
#include "io/mesh_data.h"

namespace sinew {

Result<MeshData> parse_stl(std::string_view bytes, std::string_view name);

}  // namespace sinew
