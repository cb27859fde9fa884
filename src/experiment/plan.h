// The plan of an experiment, checked before anything runs: a typing error in the last claim should not cost an hour.
#pragma once

#include <vector>

#include "base/result.h"
#include "sinew/compare.h"
#include "sinew/experiment.h"
#include "sinew/scene.h"

namespace sinew {

// A run at the requested size. Without methods it only counts colours.
struct PlannedRun {
  ExperimentRun run;
  Scene scene;
  ComparisonOptions comparing;  // except for threads if the run leaves them open, interrupt and recording
};

struct Plan {
  std::vector<PlannedRun> runs;  // in order
  std::vector<size_t> claims;    // indices of the claims that these runs decide
};

// The plan at this size. Errors: all that can be found without a mesh or a solve, in scenes, overrides, methods,
// measures and claims, each with the path of its key.
Result<Plan> plan(const Experiment& experiment, bool full);
// The plan for one value of a sweep, both given by index. Errors: as above.
Result<Plan> plan_sweep(const Experiment& experiment, bool full, size_t sweep, size_t value);

// The place of faults of an experiment: its file.
std::string source_of(const Experiment& experiment);

}  // namespace sinew
