// What is told of steps that did not end as they should have.
#pragma once

#include "sinew/run.h"

namespace sinew {

// Adds a note for steps that ended before their tolerance or with a raised residual, and a warning for those that
// diverged. Steps that ended early are told of only if the outcome has no warning, which says more.
void add_notes(const Scene& scene, RunOutcome& outcome);

}  // namespace sinew
