// A point, vector or colour in the public headers.
#pragma once

#include <array>

namespace sinew {

using Real3 = std::array<double, 3>;

}  // namespace sinew
