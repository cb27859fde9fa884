// Objects of springs: chains and grids.
#pragma once

#include "base/result.h"
#include "compile/draft.h"

namespace sinew {

// Springs are at rest at their length in the world.
Status add_springs(Draft& draft, const SceneObject& object);

}  // namespace sinew
