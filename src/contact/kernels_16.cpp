// Compiled with AVX-512.
#include "contact/cull_kernel.h"
#include "contact/tree_kernel.h"

namespace sinew {
extern const TreeKernels tree_kernels_16 = tree_kernel_table<float, 16>();
extern const CullKernels cull_kernels_16 = cull_kernel_table<float, 16>();
}  // namespace sinew
