// Where the muscle fibres of an object run: a direction for each of its tetrahedra or triangles.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "compile/scene_files.h"
#include "math/vec.h"
#include "mesh/mesh_group.h"
#include "mesh/tet_mesh.h"
#include "sinew/scene.h"

namespace sinew {

// An object as far as its fibres need it: its bodies lie one behind the other and are the same.
struct FibreBody {
  std::span<const Vec3d> rest;         // [m] of all vertices, in the world
  std::span<const Tet> tets;           // of all bodies
  std::span<const int32_t> regions;    // label of each, or empty
  std::span<const MeshGroup> groups;   // which its file names
  Mat3d placing;                       // of the mesh's axes into the world
  size_t tets_in_file = 0;             // of one body, as the mesh's file or generator numbers them
  std::span<const int32_t> kept_tets;  // those that the repair has kept; empty: all
};

// Vertices of a selection, ascending; errors begin with the path within it.
using SelectVertices = std::function<Result<std::vector<int32_t>>(const Selection&, const std::string& path)>;

// Of length 1, in the world, of a triangle in its plane; 0: the element has no fibre. Errors (where: the path within
// the key): a label that the mesh does not have, a file that cannot be read or has not a direction for each element,
// ends that share a vertex or do not reach all parts of the mesh.
Result<std::vector<Vec3d>> fibre_directions(const FibreDirections& directions, const FibreBody& body,
                                            const SceneFolder& folder, const SelectVertices& select);

}  // namespace sinew
