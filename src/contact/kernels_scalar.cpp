// Compiled for any processor, one box at a time: the reference.
#include "contact/tree_kernel.h"

namespace sinew {
extern const TreeKernels tree_kernels_scalar = tree_kernel_table<float, 1>();
}  // namespace sinew
