// A load as forces at vertices.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compile/compile.h"
#include "mesh/tet_mesh.h"
#include "sinew/scene.h"

namespace sinew {

// Adds to `force` [N] what the load puts on each vertex: of a face of the object's surface, or a tet, whose vertices
// all are chosen, every vertex gets its equal share. `mesh` is that of all objects, in the world. Returns the area
// [m^2] or volume [m^3] that the load acts on: 0 where nothing is chosen whole.
double spread_load(const SceneLoad& load, const ObjectPart& object, const TetMesh& mesh,
                   std::span<const int32_t> chosen, std::vector<Vec3d>& force);

// The faces of the object's surface whose vertices all are chosen.
std::vector<Triangle> chosen_faces(const ObjectPart& object, const TetMesh& mesh, std::span<const int32_t> chosen);

// The share of each chosen vertex, 1 in all, of a force on all of them: by the rest area of the faces they make up, if
// every one of them belongs to such a face; else by `mass` [kg], by vertices of `mesh`, or if there is none equally.
std::vector<double> shares_of_force(const ObjectPart& object, const TetMesh& mesh, std::span<const int32_t> chosen,
                                    std::span<const double> mass);

}  // namespace sinew
