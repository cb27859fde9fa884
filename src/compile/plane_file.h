// Plane bodies from files of triangles.
#pragma once

#include <filesystem>
#include <vector>

#include "base/result.h"
#include "compile/scene_files.h"
#include "exec/thread_pool.h"
#include "mesh/mesh_group.h"
#include "mesh/tet_mesh.h"

namespace sinew {

// Every triangle becomes an element (tet_mesh.h). All vertices lie at the height of the first, up to rounding. Errors:
// those of read_surface (files/mesh_file.h), which also describes groups and regions; a vertex of a triangle at another
// height.
Result<TetMesh> read_plane(const std::filesystem::path& path, const SceneFiles& files,
                           ThreadPool& pool = ThreadPool::caller(), std::vector<MeshGroup>* groups = nullptr);

}  // namespace sinew
