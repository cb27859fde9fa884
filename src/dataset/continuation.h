// From where each sample of a shard begins.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/dataset.h"

namespace sinew {

// For each of the samples [first, last), whose parameters are the rows of `table`: the earlier one of them that is
// nearest, measured with each parameter over the width that it has in the whole table; -1: the rest shape. Trees do not
// leave their shard, so that shards can be made apart.
std::vector<int64_t> parents_of(const DatasetPlan& plan, std::span<const double> table, int64_t first, int64_t last);

}  // namespace sinew
