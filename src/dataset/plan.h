// Plans of data sets as JSON.
#pragma once

#include <string>

#include "base/result.h"
#include "sinew/dataset.h"

namespace sinew {

// The plan with its scene and its table inside and every default written out, so that it reads back as the same plan
// wherever it lies: plan.json of a folder.
std::string plan_json(const DatasetPlan& plan);

}  // namespace sinew
