// Compiled with AVX2 and FMA.
#include "contact/cull_kernel.h"
#include "contact/tree_kernel.h"

namespace sinew {
extern const TreeKernels tree_kernels_8 = tree_kernel_table<float, 8>();
extern const CullKernels cull_kernels_8 = cull_kernel_table<float, 8>();
}  // namespace sinew
