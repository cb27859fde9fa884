// Which instruction sets this processor has. Kernels are compiled once for each, and called by how many floats a
// register holds: 16 (AVX-512), 8 (AVX2 and FMA), 4 and 1 (any). Which of them are used: sinew/lanes.h.
#pragma once

#include <string>

#include "sinew/lanes.h"

namespace sinew {

// Can kernels for this many floats at once run here?
bool has_float_lanes(int float_lanes);

// That they cannot, and which can; `where` has the number.
Error no_such_lanes(const std::string& where, int lanes);

}  // namespace sinew
