// The tets of an object: read, generated or filled; at their place in the world; repaired.
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
  std::vector<int32_t> kept_tets;     // of these; empty: all
  std::vector<MeshGroup> groups;      // that its file names
  std::vector<std::string> warnings;  // what was repaired, and what else a person should know
};

// Not of springs. Errors: the file's or the mesher's, coordinates out of reach, nothing left by the repair.
Result<ObjectMesh> load_object_mesh(const SceneObject& object, const SceneFolder& folder, ThreadPool& pool,
                                    const ProgressListener& progress = {});

}  // namespace sinew
