// The .t format: a line "Vertex id x y z" per vertex and "Tet id a b c d" per tetrahedron, in any order.
#pragma once

#include <string_view>

#include "base/result.h"
#include "io/mesh_data.h"

namespace sinew {

// Ids are unique whole numbers; lines of edges and faces, and attributes in braces, are skipped.
Result<MeshData> parse_vertex_tet_lines(std::string_view bytes, std::string_view name);

}  // namespace sinew
