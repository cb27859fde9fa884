// The skin of an object: a fine surface from a file, carried by the object's tets.
#pragma once

#include <string>

#include "base/result.h"
#include "compile/scene_files.h"
#include "exec/thread_pool.h"
#include "mesh/tet_mesh.h"
#include "meshing/skin.h"
#include "sinew/scene.h"

namespace sinew {

struct CarriedSkin {
  Skin skin;                  // of one body, without materials
  std::vector<int32_t> tets;  // of each point the tet that carries it
  std::string warning;        // empty: none
};

// Placed as the mesh is, which lies in the world already. Errors: as read_surface (files/mesh_file.h) and embed
// (meshing/embedding.h).
Result<CarriedSkin> read_skin(const SceneObject& object, const TetMesh& mesh, const SceneFolder& folder,
                              ThreadPool& pool);

}  // namespace sinew
