// Compiled for any processor, two doubles at once.
#include "objective/element_kernel.h"

namespace sinew {
extern ElementKernel* const element_kernel_4 = element_entry<double, 2>;
}  // namespace sinew
