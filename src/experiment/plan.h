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

// The runs that are due at this size, in their order. Errors: all that can be found without a mesh and without a solve
// in scenes, overrides, methods, measures and claims, each with the path of its key.
Result<std::vector<PlannedRun>> plan(const Experiment& experiment, bool full);

// Where the faults of an experiment are: its file.
std::string source_of(const Experiment& experiment);

}  // namespace sinew
