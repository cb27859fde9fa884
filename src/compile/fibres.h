// The directions of an object's muscle fibres, one for each of its tetrahedra or triangles.
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

// What the fibres of an object depend on. Its bodies are equal and stored one after the other.
struct FibreBody {
  std::span<const Vec3d> rest;         // [m] of all vertices, in world coordinates
  std::span<const Tet> tets;           // of all bodies
  std::span<const int32_t> regions;    // label of each tet, or empty
  std::span<const MeshGroup> groups;   // named by its file
  Mat3d placing;                       // from the axes of the mesh to those of the world
  size_t tets_in_file = 0;             // of one body, in the numbering of the mesh's file or generator
  std::span<const int32_t> kept_tets;  // the tets that the repair has kept; empty: all
};

// Returns the vertices of a selection, ascending; errors begin with the path within it.
using SelectVertices = std::function<Result<std::vector<int32_t>>(const Selection&, const std::string& path)>;

// Unit vectors in world coordinates, for triangles in their plane; 0: the element has no fibre. Errors (where: the path
// within the key): a label that the mesh does not have; a file that cannot be read or that does not have one direction
// per element; ends that share a vertex or do not reach all parts of the mesh.
Result<std::vector<Vec3d>> fibre_directions(const FibreDirections& directions, const FibreBody& body,
                                            const SceneFolder& folder, const SelectVertices& select);

}  // namespace sinew
