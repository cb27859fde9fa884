// The weight of a multiplier relative to a position, for norms over both.
#pragma once

#include "exec/thread_pool.h"
#include "model/model.h"

namespace sinew {

// [m s per unit of multiplier] sqrt(median compliance 1/(stiffness V) / median mass) over all constraints and all
// vertices with mass; divided by h it is sqrt(a / m) of a step. 1 where the model has no constraints.
double multiplier_scale(const Model& model, ThreadPool& pool);

}  // namespace sinew
