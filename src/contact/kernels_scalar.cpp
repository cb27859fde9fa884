// Compiled for any processor, one box or pair at a time: the reference.
#include "contact/cull_kernel.h"
#include "contact/tree_kernel.h"

namespace sinew {
extern const TreeKernels tree_kernels_1 = tree_kernel_table<float, 1>();
extern const CullKernels cull_kernels_1 = cull_kernel_table<float, 1>();
}  // namespace sinew
