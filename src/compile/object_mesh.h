// The tets of an object: read, generated or filled, then placed in the world and repaired.
#pragma once

#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "compile/scene_files.h"
#include "exec/thread_pool.h"
#include "mesh/mesh_group.h"
#include "mesh/tet_mesh.h"
#include "sinew/scene.h"

namespace sinew {

struct ObjectMesh {
  TetMesh mesh;                       // [m]
  size_t tets_in_file = 0;            // before the repair
  std::vector<int32_t> kept_tets;     // of those; empty: all
  std::vector<MeshGroup> groups;      // named by its file
  std::vector<std::string> warnings;  // what was repaired, and what else the user should know
};

// For all meshes but springs. Errors: those of the file or the mesher, coordinates too far from the origin, nothing
// left after the repair.
Result<ObjectMesh> load_object_mesh(const SceneObject& object, const SceneFolder& folder, ThreadPool& pool,
                                    const ProgressListener& progress = {});

}  // namespace sinew
