// The parameters of a data set's samples: a function of the plan alone.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "sinew/dataset.h"

namespace sinew {

// How many samples a grid has: the product of its parameters' counts. Errors: more than 1e9.
Result<int64_t> grid_size(const std::vector<DatasetParameter>& parameters);

// Whether the range of a normal distribution holds any of it that doubles can tell from 0.
bool has_tail(const DatasetNormal& normal);

// The largest number of parameters that Sobol's sequence has directions for.
int most_sobol_parameters();

}  // namespace sinew
