// Compiled with AVX2 and FMA.
#include "solver/kernel_table.h"

namespace sinew {
extern const Kernels kernels_8 = kernel_table<8, 4>("avx2");
}  // namespace sinew
