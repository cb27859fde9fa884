// Compiled with AVX2 and FMA.
#include "solver/kernel_table.h"

namespace sinew {
extern template void vertex_entry<float, 8>(const VertexSweep<float>&, int64_t, int64_t);  // vertex_kernels_8.cpp
extern template void vertex_entry<double, 4>(const VertexSweep<double>&, int64_t, int64_t);
extern const Kernels kernels_8 = kernel_table<8, 4>("avx2");
}  // namespace sinew
