// Compiled for any processor, four boxes or pairs at once.
#include "contact/cull_kernel.h"
#include "contact/tree_kernel.h"

namespace sinew {
extern const TreeKernels tree_kernels_4 = tree_kernel_table<float, 4>();
extern const CullKernels cull_kernels_4 = cull_kernel_table<float, 4>();
}  // namespace sinew
