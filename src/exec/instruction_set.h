// Which instruction sets this processor has. Kernels are compiled once for each, and called by how many floats a
// register holds: 16 (AVX-512), 8 (AVX2 and FMA), 4 and 1 (any).
#pragma once

namespace sinew {

// Can kernels for this many floats at once run here?
bool has_float_lanes(int float_lanes);

// The most that can.
int widest_float_lanes();

}  // namespace sinew
