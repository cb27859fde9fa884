// Compiled with AVX-512.
#include "contact/tree_kernel.h"

namespace sinew {
extern const TreeKernels tree_kernels_16 = tree_kernel_table<float, 16>();
}  // namespace sinew
