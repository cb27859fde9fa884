// The sweep by vertex for one precision and lane width. Each vertex_kernels_*.cpp instantiates those of its instruction
// set.
#pragma once

#include "solver/by_vertex/vertex_kernel.h"
#include "solver/kernel_table.h"

namespace sinew {

template <class Real, int W>
void vertex_entry(const VertexSweep<Real>& sweep, int64_t first_batch, int64_t last_batch) {
  if (sweep.residual) {
    vertex_kernel::sweep_batches<Lane<Real, W>, true>(sweep, first_batch, last_batch);
  } else {
    vertex_kernel::sweep_batches<Lane<Real, W>, false>(sweep, first_batch, last_batch);
  }
}

}  // namespace sinew
