// Meshes from files and into files, the format chosen by the suffix (in capitals or not):
//   tets       .node/.ele (TetGen; either, or their common name)
// Errors name the file and the line or byte, what was found and what to do; nothing is printed.
#pragma once

#include <filesystem>

#include "base/result.h"
#include "mesh/tet_mesh.h"

namespace sinew {

// Vertices and tets in the file's order, indices in range, coordinates finite. Orientation, degenerate tets and the
// like are as in the file: see mesh/repair.h.
Result<TetMesh> read_tet_mesh(const std::filesystem::path& path);

}  // namespace sinew
