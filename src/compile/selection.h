// The vertices that a selection chooses in an object.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "compile/compile.h"
#include "compile/scene_files.h"
#include "math/vec.h"
#include "mesh/mesh_group.h"
#include "sinew/scene.h"

namespace sinew {

// The vertices of one object, as a range of all vertices.
struct VertexRange {
  std::string name;  // of the object
  int32_t first = 0, last = 0;
  std::span<const MeshGroup> groups{};  // named by its mesh; vertices of its first body, from 0
  int32_t bodies = 1;                   // stored one after the other
};

VertexRange range_of(const ObjectPart& part);

// Returns vertex numbers among all, ascending and unique. Positions are compared with a tolerance of 1e-9 of the
// object's size, so that a face that was rotated into place is found. `rest` are world positions [m] of all vertices.
// Errors (where: the path within the selection): nothing selected, with the object's bounding box; numbers out of
// range; an unreadable file; a group that the mesh does not have.
Result<std::vector<int32_t>> select_vertices(const Selection& selection, const std::vector<Vec3d>& rest,
                                             const VertexRange& object, const SceneFolder& folder);

}  // namespace sinew
