// A load as forces at vertices.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mesh/tet_mesh.h"
#include "scene/compile.h"
#include "sinew/scene.h"

namespace sinew {

// Adds to `force` [N] what the load puts on each vertex: of a face of the object's surface, or a tet, whose vertices
// all are chosen, every vertex gets its equal share. `mesh` is that of all objects, in the world. Returns the area
// [m^2] or volume [m^3] that the load acts on: 0 where nothing is chosen whole.
double add_load(const SceneLoad& load, const ObjectPart& object, const TetMesh& mesh, std::span<const int32_t> chosen,
                std::vector<Vec3d>& force);

}  // namespace sinew
