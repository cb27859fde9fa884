// The factors by which an object's tets are stiffer than its material, out of a file.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "sinew/scene.h"

namespace sinew {

// tet_count numbers [-], positive and finite, in the order of the file. Errors (where: the file, and the place in it):
// it cannot be read, has another number of numbers, or one that is no factor.
Result<std::vector<double>> read_stiffness_factors(const FactorFile& file, size_t tet_count,
                                                   const std::string& base_folder);

}  // namespace sinew
