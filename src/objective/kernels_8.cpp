// Compiled with AVX2 and FMA.
#include "objective/element_kernel.h"

namespace sinew {
extern ElementKernel* const element_kernel_8 = element_entry<double, 4>;
}  // namespace sinew
