#include "solver/kernel_table.h"

namespace sinew {
extern const Kernels kernels_1 = kernel_table<1, 1>("scalar");
}  // namespace sinew
