// Compiled with AVX-512.
#include "objective/element_kernel.h"

namespace sinew {
extern ElementKernel* const element_kernel_16 = element_entry<double, 8>;
}  // namespace sinew
