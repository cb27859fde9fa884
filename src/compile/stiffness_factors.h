// The factors by which an object's tets are stiffer than its material.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "compile/scene_files.h"
#include "sinew/scene.h"

namespace sinew {

// Returns tet_count numbers [-], positive and finite, in the numbering of the mesh's file or generator. Errors (where:
// the path within the key): a file that cannot be read, a wrong number of numbers, an invalid factor.
Result<std::vector<double>> read_stiffness_factors(const StiffnessFactors& factors, size_t tet_count,
                                                   const SceneFolder& folder);

}  // namespace sinew
