// Compiled with AVX-512.
#include "solver/by_vertex/vertex_entry.h"

namespace sinew {
template void vertex_entry<float, 16>(const VertexSweep<float>&, int64_t, int64_t);
template void vertex_entry<double, 8>(const VertexSweep<double>&, int64_t, int64_t);
}  // namespace sinew
