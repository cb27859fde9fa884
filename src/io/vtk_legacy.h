// Legacy VTK files, versions 1.0 to 5.1, text and binary (big endian): unstructured grids and polygonal data
// (VTK User's Guide, "Simple legacy formats"; since 5.0 cells are stored as OFFSETS and CONNECTIVITY).
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "exec/thread_pool.h"
#include "io/mesh_data.h"

namespace sinew {

// Cell data with a name such as "region" become regions.
Result<MeshData> parse_vtk_legacy(std::string_view bytes, std::string_view name,
                                  ThreadPool& pool = ThreadPool::caller());
// Version 3.0, text; regions as cell data "region".
std::string encode_vtk_legacy(const TetMesh& mesh);

}  // namespace sinew
