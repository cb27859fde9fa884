// Compiled with AVX2 and FMA.
#include "contact/tree_kernel.h"

namespace sinew {
extern const TreeKernels tree_kernels_8 = tree_kernel_table<float, 8>();
}  // namespace sinew
