// Compiled with AVX2, FMA and flags of its own (src/CMakeLists.txt): strips fit into the sixteen registers only if
// instructions are scheduled before registers are allocated, which slows down the sweep by constraint.
#include "solver/by_vertex/vertex_entry.h"

namespace sinew {
template void vertex_entry<float, 8>(const VertexSweep<float>&, int64_t, int64_t);
template void vertex_entry<double, 4>(const VertexSweep<double>&, int64_t, int64_t);
}  // namespace sinew
