// What an experiment is to do, checked before anything of it is run: a slip in the last claim should not cost an hour.
#pragma once

#include <vector>

#include "base/result.h"
#include "sinew/compare.h"
#include "sinew/experiment.h"
#include "sinew/scene.h"

namespace sinew {

// A run at the size that is asked for. Without methods it only counts colours.
struct PlannedRun {
  ExperimentRun run;
  Scene scene;
  ComparisonOptions comparing;  // but for the threads that the run leaves open, the interrupt and the records
};

struct Plan {
  std::vector<PlannedRun> runs;  // in their order
  std::vector<size_t> claims;    // those that these runs decide, by their place in the experiment
};

// What is due at this size. Errors: all that can be found without a mesh and without a solve in scenes, overrides,
// methods, measures and claims, each with the path of its key.
Result<Plan> plan(const Experiment& experiment, bool full);
// What is due for one value of a sweep, both by their place in the experiment. Errors: as above.
Result<Plan> plan_sweep(const Experiment& experiment, bool full, size_t sweep, size_t value);

// Where the faults of an experiment are: its file.
std::string source_of(const Experiment& experiment);

}  // namespace sinew
