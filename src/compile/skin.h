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
  std::vector<int32_t> tets;  // for each point: the tet that carries it
  std::string warning;        // empty: none
};

// The skin is placed like the mesh, which is in world coordinates already. Errors: those of read_surface
// (files/mesh_file.h) and embed (meshing/embedding.h).
Result<CarriedSkin> read_skin(const SceneObject& object, const TetMesh& mesh, const SceneFolder& folder,
                              ThreadPool& pool);

}  // namespace sinew
