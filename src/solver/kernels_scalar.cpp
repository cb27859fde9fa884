#include "solver/kernel_table.h"

namespace sinew {
extern const Kernels kernels_scalar = kernel_table<1, 1>("scalar");
}  // namespace sinew
