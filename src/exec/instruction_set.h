// The instruction sets of this processor. Kernels are compiled once for each and selected by the number of floats in a
// register: 16 (AVX-512), 8 (AVX2 and FMA), 4 (any) and 1 (any, not in a page). sinew/lanes.h sets which are used.
#pragma once

#include <string>

#include "sinew/lanes.h"

namespace sinew {

// Returns whether kernels for this number of floats run here.
bool has_float_lanes(int float_lanes);

// The error for an unavailable width, with the available ones; `where` names the setting.
Error no_such_lanes(const std::string& where, int lanes);

}  // namespace sinew
