// Compiled with AVX2 and FMA, and with flags of its own (src/CMakeLists.txt): strips fit its sixteen registers only
// when instructions are scheduled before registers are given out, which slows the sweep by constraints down.
#include "solver/kernel_table.h"

namespace sinew {
template void vertex_entry<float, 8>(const VertexSweep<float>&, int64_t, int64_t);
template void vertex_entry<double, 4>(const VertexSweep<double>&, int64_t, int64_t);
}  // namespace sinew
