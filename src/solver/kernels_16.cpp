// Compiled with AVX-512.
#include "solver/kernel_table.h"

namespace sinew {
extern const Kernels kernels_16 = kernel_table<16, 8>("avx512");
}  // namespace sinew
