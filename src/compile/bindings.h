// Surfaces that are held together.
#pragma once

#include "base/result.h"
#include "compile/draft.h"

namespace sinew {

// Errors: nothing on the surface selected, nothing near enough.
Status add_bindings(Draft& draft);

}  // namespace sinew
