#include "render/filter_kernel.h"
#include "render/path_kernel.h"

namespace sinew {

extern const PictureKernels picture_kernels_4;
const PictureKernels picture_kernels_4{trace_rows, filter_row};

}  // namespace sinew
