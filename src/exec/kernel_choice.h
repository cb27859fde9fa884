// The widths that kernels are compiled for in this program, as a list: SINEW_EACH_WIDTH(use) is use(4) use(8) ... .
// CMake says which to the sources that include this (cmake/lanes.cmake); all have four lanes.
#pragma once

#include "exec/instruction_set.h"

#if defined(SINEW_KERNELS_1)
#define SINEW_WIDTH_1(use) use(1)
#else
#define SINEW_WIDTH_1(use)
#endif
#if defined(SINEW_KERNELS_8)
#define SINEW_WIDTH_8(use) use(8)
#else
#define SINEW_WIDTH_8(use)
#endif
#if defined(SINEW_KERNELS_16)
#define SINEW_WIDTH_16(use) use(16)
#else
#define SINEW_WIDTH_16(use)
#endif
#define SINEW_EACH_VECTOR_WIDTH(use) use(4) SINEW_WIDTH_8(use) SINEW_WIDTH_16(use)
#define SINEW_EACH_WIDTH(use) SINEW_WIDTH_1(use) SINEW_EACH_VECTOR_WIDTH(use)

namespace sinew {

// The width to use where `float_lanes` is asked for, 0 being the one in use; 0 if it does not run here.
inline int width_for(int float_lanes) {
  if (float_lanes == 0) return lanes_in_use();
  return has_float_lanes(float_lanes) ? float_lanes : 0;
}

}  // namespace sinew
