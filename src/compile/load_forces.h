// Loads as forces at vertices.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compile/compile.h"
#include "mesh/tet_mesh.h"
#include "sinew/scene.h"

namespace sinew {

// Adds to `force` [N] what the load exerts on each vertex: every vertex of a face of the object's surface, or of a tet,
// whose vertices are all chosen gets an equal share. `mesh` is that of all objects, in world coordinates. Returns the
// area [m^2] or volume [m^3] that the load acts on: 0 if no face or tet is chosen entirely.
double spread_load(const SceneLoad& load, const ObjectPart& object, const TetMesh& mesh,
                   std::span<const int32_t> chosen, std::vector<Vec3d>& force);

// The faces of the object's surface whose vertices are all chosen.
std::vector<Triangle> chosen_faces(const ObjectPart& object, const TetMesh& mesh, std::span<const int32_t> chosen);

// The share of each chosen vertex, with sum 1, in a force on all of them: by the rest area of the faces they form, if
// each of them belongs to such a face; else by `mass` [kg], indexed by vertices of `mesh`; or equal if there is none.
std::vector<double> shares_of_force(const ObjectPart& object, const TetMesh& mesh, std::span<const int32_t> chosen,
                                    std::span<const double> mass);

}  // namespace sinew
