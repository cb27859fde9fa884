// Compiled for any processor, four boxes at once.
#include "contact/tree_kernel.h"

namespace sinew {
extern const TreeKernels tree_kernels_4 = tree_kernel_table<float, 4>();
}  // namespace sinew
