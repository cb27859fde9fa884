// Bindings between surfaces.
#pragma once

#include "base/result.h"
#include "compile/draft.h"

namespace sinew {

// Errors: nothing selected on the surface, nothing close enough.
Status add_bindings(Draft& draft);

}  // namespace sinew
