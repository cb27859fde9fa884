// Lists of numbers that name the corners of quadratic tets and leave out the middles between them.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "compile/compile.h"
#include "mesh/tet_mesh.h"
#include "sinew/scene.h"

namespace sinew {

// A warning of how many middles lie between two vertices of the object that the selection chose, and were not chosen;
// empty if there are none, or if it chose by place or group. path: of what selects; what: becomes of such middles.
std::string left_out_middles(const Selection& selection, std::span<const int32_t> chosen, const ObjectPart& object,
                             const TetMesh& mesh, const std::string& path, const char* what);

}  // namespace sinew
