#include "solver/kernel_table.h"

namespace sinew {
extern const Kernels kernels_4 = kernel_table<4, 2>("4 lanes");
}  // namespace sinew
