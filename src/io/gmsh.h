// Gmsh's MSH format, versions 2.x and 4.1, text and binary (Gmsh reference manual, "MSH file format").
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "exec/thread_pool.h"
#include "io/mesh_data.h"

namespace sinew {

// Physical groups of volumes become regions; a tetrahedron in several groups is in the first, one in none is in region
// 0. Elements other than tetrahedra of 4 or 10 nodes, triangles and quadrangles
// are skipped; of curved faces and lines only groups take the corners.
Result<MeshData> parse_gmsh(std::string_view bytes, std::string_view name, ThreadPool& pool = ThreadPool::caller());
// Version 2.2, text.
std::string encode_gmsh(const TetMesh& mesh);

}  // namespace sinew
