// The grid of a scene, and what colliders are to it.
#pragma once

#include "base/result.h"
#include "compile/draft.h"

namespace sinew {

// To be called when there is a model, of a scene with a grid. Errors: those of colliders, of one that has no half
// spaces, springs, bindings or fibres at embedded vertices.
Status add_grid(Draft& draft);

}  // namespace sinew
