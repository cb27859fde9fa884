// Compiled for any processor, one element at a time: the reference.
#include "objective/element_kernel.h"

namespace sinew {
extern ElementKernel* const element_kernel_1 = element_entry<double, 1>;
}  // namespace sinew
